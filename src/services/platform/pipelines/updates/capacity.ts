import { eq, type Tx, walk } from '../../../../kernel/store/index.ts';
import { workHandler } from '../../../../kernel/work/index.ts';
import { settleWith } from '../../compute/settle-with.ts';
import type { PlatformJar } from '../../jar.ts';
import { quotaOf } from '../../limits/declared.ts';
import { afterLimitChange } from '../../limits/limit-changed.ts';
import { pipelineKey, type Update, updates } from '../collections.ts';
import { PipelineChange } from '../pipeline-change.ts';
import { FILL_UPDATES, fillId, UPDATES_LIMIT_CHANGED } from '../work.ts';
import { beginUpdate } from './begin.ts';

/** The limit of concurrent updates of a workspace. Updates beyond it wait in the state QUEUED and start oldest first. */

const LIMIT = quotaOf('pipeline-updates');

/** Takes capacity for one update; returns false if none is free. Called in a transaction that has locked the pipeline. */
export const takeCapacity = async (tx: Tx, { limits }: PlatformJar, workspaceId: string): Promise<boolean> =>
  (await limits.takeQuota(tx, { limit: LIMIT, scope: [workspaceId], count: 1 })).allowed;

const wakeFill = (tx: Tx, { clock }: PlatformJar, workspaceId: string): Promise<void> =>
  tx.wake(FILL_UPDATES.at(clock.now(), { workspaceId }, fillId(workspaceId)));

/** Releases capacity, and wakes the work that starts queued updates. */
export async function freeCapacity(tx: Tx, jar: PlatformJar, workspaceId: string): Promise<void> {
  await jar.limits.freeQuota(tx, { limit: LIMIT, scope: [workspaceId], count: 1 });
  if (await firstQueued(tx, workspaceId)) await wakeFill(tx, jar, workspaceId);
}

/**
 * Called in the transaction that queues an update. A concurrent transaction that releases capacity does not see the update yet, so the
 * queue is checked once more.
 */
export const waitForCapacity = wakeFill;

const firstQueued = async (
  reader: Pick<Tx, 'query'>,
  workspaceId: string,
): Promise<Pick<Update, 'id' | 'pipelineId'> | undefined> =>
  (await reader.query(updates, { filter: eq('queued', workspaceId), order: [{ field: 'createdAt' }], limit: 1 }))
    .items[0]?.value;

/** Starts the oldest queued update; returns false if none is queued or no capacity is free. */
async function beginFirst(jar: PlatformJar, workspaceId: string): Promise<boolean> {
  const first = await firstQueued(jar.store, workspaceId);
  if (!first) return false;
  return jar.store.transact(async (tx) => {
    const change = await PipelineChange.load(tx, jar, pipelineKey(workspaceId, first.pipelineId));
    const update = await change?.active();
    // The update was cancelled meanwhile.
    if (!change || update?.id !== first.id || update.state !== 'QUEUED') return true;
    if (!(await takeCapacity(tx, jar, workspaceId))) return false;
    await beginUpdate(change, update);
    await change.save();
    return true;
  });
}

export const fillUpdates = workHandler(FILL_UPDATES, async (item, jar: PlatformJar) => {
  const { workspaceId } = item.payload;
  while (await beginFirst(jar, workspaceId)) if (jar.closing.aborted) return;
  // Capacity may have become free during this work; the transaction that freed it did not wake an item that was already running.
  await settleWith(jar.store, item, async (tx) => {
    // Lock order: the count before the item, as in transactions that release capacity and then wake the item.
    const isFree = await takeCapacity(tx, jar, workspaceId);
    if (isFree) await jar.limits.freeQuota(tx, { limit: LIMIT, scope: [workspaceId], count: 1 });
    return async () => (isFree && (await firstQueued(tx, workspaceId)) ? jar.clock.now() : undefined);
  });
});

/** A raised limit frees capacity although no update has ended. */
export const updatesLimitChanged = workHandler(UPDATES_LIMIT_CHANGED, (item, jar: PlatformJar) =>
  afterLimitChange(item, jar, 'pipeline-updates', async () => {
    const waiting = new Set<string>();
    const filter = { op: 'gt', field: 'queued', value: '' } as const;
    for await (const { value } of walk(jar.store, updates, { filter })) waiting.add(value.workspaceId);
    for (const workspaceId of waiting) await jar.store.transact((tx) => wakeFill(tx, jar, workspaceId));
  }),
);
