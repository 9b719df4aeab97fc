import { dropCounts } from '../../../../kernel/limits/index.ts';
import { type Collection, deletionSteps, eq, SLICE, type Tx } from '../../../../kernel/store/index.ts';
import { runInSteps, type Step, workHandler } from '../../../../kernel/work/index.ts';
import type { PlatformCall, PlatformJar } from '../../jar.ts';
import { quotaOf, type RowId } from '../../limits/declared.ts';
import { freeCount } from '../../limits/take.ts';
import { removeArtifacts } from '../artifacts/files.ts';
import { Request } from '../request.ts';
import { RETENTION_MS } from '../retention.ts';
import { putModel, recordModel } from './change.ts';
import {
  type LoggedModel,
  loggedModels,
  modelKey,
  modelMetrics,
  modelParams,
  modelRoot,
  modelTags,
} from './collections.ts';
import { modelErrors } from './errors.ts';
import { lockModel } from './find.ts';
import { PURGE_LOGGED_MODEL, purgeLoggedModelId } from './work.ts';

const FINAL = ['LOGGED_MODEL_READY', 'LOGGED_MODEL_UPLOAD_FAILED'] as const;

/** `PATCH logged-models/{id}`: the client reports whether the files of the model were uploaded. */
export function finalizeModel(call: PlatformCall): Promise<LoggedModel> {
  const sent = Request.ofBody(call.body).need('status');
  const status = FINAL.find((each) => each === sent);
  if (!status) throw modelErrors.INVALID_PARAMETER_VALUE__ModelStatus({ status: sent.slice(0, 100) });
  return call.jar.store.transact(async (tx) => {
    const { model } = await lockModel(tx, call, String(call.params.model_id));
    const final = await putModel(tx, call.jar, { ...model, status });
    await recordModel(tx, call.jar, 'finalize', final);
    return final;
  });
}

/** `DELETE logged-models/{id}`. */
export async function deleteModel(call: PlatformCall): Promise<void> {
  const { jar } = call;
  await jar.store.transact(async (tx) => {
    const { model } = await lockModel(tx, call, String(call.params.model_id));
    const deleted = await putModel(tx, jar, { ...model, stage: 'deleted' });
    const { workspaceId, experimentId, id } = model;
    await freeCount(tx, jar, { row: 'logged-models', scope: [workspaceId, experimentId] });
    await tx.schedule({
      kind: PURGE_LOGGED_MODEL.kind,
      id: purgeLoggedModelId(workspaceId, id),
      dueAt: jar.clock.now() + RETENTION_MS,
      payload: { workspaceId, id },
    });
    await recordModel(tx, jar, 'delete', deleted);
  });
}

const OF_MODELS: readonly Collection<never>[] = [modelParams, modelTags, modelMetrics];
const COUNTS: readonly RowId[] = ['logged-model-parameters', 'logged-model-tags', 'logged-model-metrics'];

/**
 * The steps that remove a model, its logged values and its files. Its document is removed last, so that interrupted work finds it again.
 */
function* removingModel(
  jar: PlatformJar,
  workspaceId: string,
  id: string,
  also: (tx: Tx) => Promise<void> = async () => {},
): Generator<Step> {
  const { store } = jar;
  const key = modelKey(workspaceId, id);
  for (const from of OF_MODELS) yield deletionSteps(store, from, { filter: eq('model', key) });
  yield async () => {
    await store.transact(async (tx) => {
      const model = (await tx.get(loggedModels, key))?.value;
      if (model) await removeArtifacts(tx, jar, workspaceId, modelRoot(model));
      for (const row of COUNTS) await dropCounts(tx, quotaOf(row), [workspaceId, id]);
      await tx.delete(loggedModels, key);
      await also(tx);
    });
    return false;
  };
}

export const purgeLoggedModel = workHandler(PURGE_LOGGED_MODEL, async (item, jar: PlatformJar, halt) => {
  const { workspaceId, id } = item.payload;
  await runInSteps(
    item,
    jar,
    halt,
    removingModel(jar, workspaceId, id, (tx) => tx.complete(item)),
  );
});

/** The steps that remove all models of an experiment, deleted or not. `experiment` is its key. */
export async function* removingModels(jar: PlatformJar, experiment: string): AsyncGenerator<Step> {
  for (;;) {
    const { items } = await jar.store.query(loggedModels, { filter: eq('experiment', experiment), limit: SLICE });
    for (const { value } of items) yield* removingModel(jar, value.workspaceId, value.id);
    if (items.length < SLICE) return;
  }
}
