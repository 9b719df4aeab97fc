import { uuid } from '../../../kernel/ids/index.ts';
import { eq, type Tx } from '../../../kernel/store/index.ts';
import type { PlatformJar } from '../jar.ts';
import { type Activity, activities, activityKey, keyOfVersion, type ModelVersion } from './collections.ts';

export type NewActivity = Pick<Activity, 'type' | 'by' | 'comment' | 'systemComment' | 'from' | 'to'>;

/**
 * Records an activity of a version. Called in a transaction that has locked the document of the model, so that activities are ordered by
 * commit.
 */
export async function recordActivity(
  tx: Tx,
  { clock }: Pick<PlatformJar, 'clock'>,
  version: ModelVersion,
  what: NewActivity,
): Promise<Activity> {
  const { workspaceId, modelId, number } = version;
  const now = clock.now();
  const activity: Activity = {
    id: uuid().replaceAll('-', ''),
    workspaceId,
    modelId,
    version: number,
    ...what,
    createdAt: now,
    updatedAt: now,
    order: (await newestOrder(tx, version)) + 1,
  };
  await tx.put(activities, activityKey(workspaceId, activity.id), activity);
  return activity;
}

async function newestOrder(tx: Tx, version: ModelVersion): Promise<number> {
  const query = {
    filter: eq('version', keyOfVersion(version)),
    order: [{ field: 'order', descending: true }],
    limit: 1,
  };
  return (await tx.query(activities, query)).items[0]?.value.order ?? 0;
}
