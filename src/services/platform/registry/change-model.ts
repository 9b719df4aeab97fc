import { allOf, eq, type Tx } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import type { PlatformJar } from '../jar.ts';
import { keyOfModel, keyOfVersion, type ModelVersion, models, type RegisteredModel, versions } from './collections.ts';
import type { Stage } from './stages.ts';

/**
 * Writes of models and versions that keep `latest` of the model correct. All are called in transactions that have locked the document of
 * the model.
 */

export async function putModel(tx: Tx, model: RegisteredModel): Promise<RegisteredModel> {
  await tx.put(models, keyOfModel(model), model);
  return model;
}

export async function putVersion(tx: Tx, version: ModelVersion): Promise<ModelVersion> {
  await tx.put(versions, keyOfVersion(version), version);
  return version;
}

/** Recomputes `latest` of the model after versions entered or left these stages. The versions must be written before. */
export async function withLatest(tx: Tx, model: RegisteredModel, changed: Iterable<Stage>): Promise<RegisteredModel> {
  const latest = { ...model.latest };
  for (const stage of new Set(changed)) {
    const filter = allOf(eq('model', keyOfModel(model)), eq('stage', stage));
    const order = [{ field: 'number', descending: true }];
    const newest = (await tx.query(versions, { filter, order, limit: 1 })).items[0]?.value.number;
    if (newest === undefined) delete latest[stage];
    else latest[stage] = newest;
  }
  return { ...model, latest };
}

/** For the audit trail and the change feed. */
export const recordChange = (
  tx: Tx,
  { clock }: Pick<PlatformJar, 'clock'>,
  { workspaceId, id, name }: RegisteredModel,
  kind: string,
  data: JsonMembers = {},
): Promise<void> =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/${workspaceId}/registered-models/${id}`,
    outcome: 'Succeeded',
    at: clock.now(),
    data: { kind: 'registered-models', id, name, ...data },
  });
