import { eq, type Tx, walk } from '../../../../kernel/store/index.ts';
import { handleWork } from '../../../../kernel/work/index.ts';
import { settleWith } from '../../compute/settle-with.ts';
import type { PlatformJar } from '../../jar.ts';
import { quotaOf } from '../../limits/declared.ts';
import { afterLimitChange } from '../../limits/limit-changed.ts';
import { pipelineKey, type Update, updates } from '../collections.ts';
import { PipelineChange } from '../pipeline-change.ts';
import { FILL_UPDATES, fillId, UPDATES_LIMIT_CHANGED } from '../work.ts';
import { beginUpdate } from './begin.ts';

/** The limit of updates that run at once in a workspace. Those for which there is no room wait in the state QUEUED, the oldest first. */

const LIMIT = quotaOf('pipeline-updates');

/** Takes the room of one update; false where there is none. In a transaction that holds the pipeline. */
export const takeRoom = async (tx: Tx, { limits }: PlatformJar, workspaceId: string): Promise<boolean> =>
  (await limits.takeQuota(tx, { limit: LIMIT, scope: [workspaceId], count: 1 })).allowed;

const wakeFill = (tx: Tx, { clock }: PlatformJar, workspaceId: string): Promise<void> =>
  tx.wake(FILL_UPDATES.at(clock.now(), { workspaceId }, fillId(workspaceId)));

/** Gives room back, for those who wait for it. */
export async function freeRoom(tx: Tx, jar: PlatformJar, workspaceId: string): Promise<void> {
  await jar.limits.freeQuota(tx, { limit: LIMIT, scope: [workspaceId], count: 1 });
  if (await firstQueued(tx, workspaceId)) await wakeFill(tx, jar, workspaceId);
}

/**
 * In the transaction that puts an update into the queue. Somebody who gives room back at this moment does not see the update yet, so the queue is looked
 * at once more.
 */
export const waitForRoom = wakeFill;

const firstQueued = async (
  reader: Pick<Tx, 'query'>,
  workspaceId: string,
): Promise<Pick<Update, 'id' | 'pipelineId'> | undefined> =>
  (await reader.query(updates, { filter: eq('queued', workspaceId), order: [{ field: 'createdAt' }], limit: 1 }))
    .items[0]?.value;

/** Begins the oldest update that waits; false where none waits or there is no room. */
async function beginFirst(jar: PlatformJar, workspaceId: string): Promise<boolean> {
  const first = await firstQueued(jar.store, workspaceId);
  if (!first) return false;
  return jar.store.transact(async (tx) => {
    const change = await PipelineChange.load(tx, jar, pipelineKey(workspaceId, first.pipelineId));
    const update = await change?.active();
    // It was cancelled meanwhile.
    if (!change || update?.id !== first.id || update.state !== 'QUEUED') return true;
    if (!(await takeRoom(tx, jar, workspaceId))) return false;
    await beginUpdate(change, update);
    await change.save();
    return true;
  });
}

export const fillUpdates = handleWork(FILL_UPDATES, async (item, jar: PlatformJar) => {
  const { workspaceId } = item.payload;
  while (await beginFirst(jar, workspaceId)) if (jar.closing.aborted) return;
  // Room may have come while this was at work, and whoever made it has left the item alone.
  await settleWith(jar.store, item, async (tx) => {
    // The count is locked before the item, as by everybody who gives room back and wakes the item then.
    const isFree = await takeRoom(tx, jar, workspaceId);
    if (isFree) await jar.limits.freeQuota(tx, { limit: LIMIT, scope: [workspaceId], count: 1 });
    return async () => (isFree && (await firstQueued(tx, workspaceId)) ? jar.clock.now() : undefined);
  });
});

/** A limit that was raised makes room without the end of an update. */
export const updatesLimitChanged = handleWork(UPDATES_LIMIT_CHANGED, (item, jar: PlatformJar) =>
  afterLimitChange(item, jar, 'pipeline-updates', async () => {
    const waiting = new Set<string>();
    const filter = { op: 'gt', field: 'queued', value: '' } as const;
    for await (const { value } of walk(jar.store, updates, { filter })) waiting.add(value.workspaceId);
    for (const workspaceId of waiting) await jar.store.transact((tx) => wakeFill(tx, jar, workspaceId));
  }),
);
