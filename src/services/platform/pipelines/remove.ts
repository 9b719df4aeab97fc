import { allOf, deletionSteps, eq, SLICE, type Store, type Tx } from '../../../kernel/store/index.ts';
import { DAY_MS } from '../../../kernel/time/index.ts';
import { runInSteps, workHandler } from '../../../kernel/work/index.ts';
import { errors } from '../errors.ts';
import { type PlatformCall, type PlatformJar, workspaceIn } from '../jar.ts';
import { requireLevel } from '../permissions/guard.ts';
import { action, checkName } from './change.ts';
import { pipelineEvents, pipelineKey, pipelines, updates } from './collections.ts';
import { changePipeline, guardedPipeline, pipelineMissing } from './find.ts';
import { PipelineChange, recordPipeline } from './pipeline-change.ts';
import { planFiring } from './schedule.ts';
import { finishUpdate } from './updates/finish.ts';
import { stopPipeline } from './updates/stop.ts';
import { FORGET_UPDATE, PURGE_PIPELINE, purgePipelineId } from './work.ts';

/** Deletion, restoration and final removal of pipelines. */

/** Time during which a deleted pipeline can be restored. */
const RESTORABLE_MS = 30 * DAY_MS;

/** Cancels the active update immediately. */
async function endActive(change: PipelineChange): Promise<void> {
  await stopPipeline(change);
  const update = await change.active();
  if (update) await finishUpdate(change, update, 'CANCELED');
}

export function deletePipeline(call: PlatformCall, id: string, cascades: boolean): Promise<void> {
  return call.jar.store.transact(async (tx) => {
    const change = await changePipeline(tx, call, id, 'CAN_MANAGE');
    await endActive(change);
    change.pipeline = { ...change.pipeline, deletedAt: change.now };
    const details = { user_action: { action: 'DELETE', cascade: cascades } };
    change.note({ type: 'user_action', message: 'The pipeline was deleted.', details });
    await planFiring(change);
    const { key } = change;
    await tx.schedule(PURGE_PIPELINE.at(change.now + RESTORABLE_MS, { key }, purgePipelineId(key)));
    await recordPipeline(change, 'delete');
    await change.save();
  });
}

/** Restoring a pipeline that is not deleted is an error. */
export function restorePipeline(call: PlatformCall, id: string): Promise<void> {
  const { jar } = call;
  return jar.store.transact(async (tx) => {
    const change = await PipelineChange.load(tx, jar, pipelineKey(workspaceIn(call).id, id));
    if (!change) throw pipelineMissing(id);
    const { pipeline, key } = change;
    requireLevel(call, guardedPipeline(pipeline), 'CAN_MANAGE');
    if (pipeline.deletedAt === undefined) throw errors.INVALID_STATE({ reason: `The pipeline ${id} is not deleted.` });
    await checkName(tx, pipeline.workspaceId, pipeline.name, { own: id, allowsDuplicates: false });
    change.pipeline = { ...pipeline, deletedAt: undefined };
    change.note({ type: 'user_action', message: 'The pipeline was restored.', details: action('RESTORE') });
    await tx.cancel(purgePipelineId(key));
    await planFiring(change);
    await recordPipeline(change, 'restore');
    await change.save();
  });
}

/** Deletes the updates of a pipeline, and cancels the work that would remove them later. */
const removingUpdates = (store: Store, key: string) => () =>
  store.transact(async (tx) => {
    const { items } = await tx.query(updates, { filter: eq('pipeline', key), limit: SLICE });
    for (const each of items) {
      await tx.delete(updates, each.key);
      await tx.cancel(`${FORGET_UPDATE.kind}:${each.key}`);
    }
    return items.length === SLICE;
  });

export const purgePipeline = workHandler(PURGE_PIPELINE, async (item, jar: PlatformJar, halt) => {
  const { store } = jar;
  const { key } = item.payload;
  const isGone = await store.transact(async (tx) => {
    const found = (await tx.get(pipelines, key))?.value;
    if (found?.deletedAt === undefined) return found === undefined;
    await tx.delete(pipelines, key);
    return true;
  });
  const finish = () =>
    store.transact(async (tx) => {
      await tx.complete(item);
      return false;
    });
  const steps = [deletionSteps(store, pipelineEvents, { prefix: `${key}/` }), removingUpdates(store, key)];
  await runInSteps(item, jar, halt, [...(isGone ? steps : []), finish]);
});

/** Removes an update with its events. The pipeline keeps the summary of its latest updates. */
export const forgetUpdate = workHandler(FORGET_UPDATE, async (item, jar: PlatformJar, halt) => {
  const { store } = jar;
  const { key } = item.payload;
  const [workspaceId = '', pipelineId = '', id = ''] = key.split('/');
  const filter = allOf(eq('update', id), eq('pipeline', pipelineKey(workspaceId, pipelineId)));
  const finish = () =>
    store.transact(async (tx) => {
      await tx.delete(updates, key);
      await tx.complete(item);
      return false;
    });
  await runInSteps(item, jar, halt, [deletionSteps(store, pipelineEvents, { filter }), finish]);
});

/** Called in the transaction that removes the pipelines of a deleted workspace: cancels their activity. */
export async function removePipeline(tx: Tx, jar: PlatformJar, key: string): Promise<void> {
  const change = await PipelineChange.load(tx, jar, key);
  if (!change) return;
  await endActive(change);
  change.pipeline = { ...change.pipeline, deletedAt: change.now };
  await planFiring(change);
  await change.save();
  await tx.delete(pipelines, key);
  await tx.schedule(PURGE_PIPELINE.at(change.now, { key }, purgePipelineId(key)));
}
