import { allOf, eq, type Tx } from '../../../../kernel/store/index.ts';
import type { PlatformError } from '../../errors.ts';
import type { PlatformJar } from '../../jar.ts';
import { quotaOf, rowOf } from '../../limits/declared.ts';
import { limitExceeded } from '../../limits/take.ts';
import { runs, slotsWanted, taskRuns } from '../collections.ts';
import { fillSlots } from './work.ts';

const LIMIT = quotaOf('running-tasks');

/** Takes up to this many task slots of a workspace (the limit of concurrently running tasks), and returns how many it got. */
export async function takeSlots(tx: Tx, { limits }: PlatformJar, workspaceId: string, wanted: number): Promise<number> {
  if (wanted === 0) return 0;
  const scope = [workspaceId];
  const { allowed, maximum, current } = await limits.takeQuota(tx, { limit: LIMIT, scope, count: wanted });
  if (allowed) return wanted;
  const free = Math.max(0, maximum - current);
  if (free === 0) return 0;
  return (await limits.takeQuota(tx, { limit: LIMIT, scope, count: free })).allowed ? free : 0;
}

/** Releases the slots of ended tasks, and wakes the work that starts waiting tasks. */
export async function freeSlots(tx: Tx, jar: PlatformJar, workspaceId: string, count: number): Promise<void> {
  if (count === 0) return;
  await jar.limits.freeQuota(tx, { limit: LIMIT, scope: [workspaceId], count });
  if (await tx.get(slotsWanted, workspaceId, 'none')) await tx.wake(fillSlots(workspaceId, jar.clock.now()));
}

/** Called in the transaction in which a task or a run begins to wait. */
export const markSlotsWanted = (tx: Tx, workspaceId: string): Promise<unknown> => tx.put(slotsWanted, workspaceId, {});

/** Called after every waiting task and run that fits has started. */
export async function clearSlotsWanted(tx: Tx, workspaceId: string): Promise<void> {
  // Locked, so that no task or run begins to wait between the check and the end of this transaction.
  const wanted = await tx.get(slotsWanted, workspaceId);
  if (!wanted || (await taskWaits(tx, workspaceId)) || (await runWaits(tx, workspaceId))) return;
  await tx.delete(slotsWanted, workspaceId);
}

export const taskWaits = async (tx: Tx, workspaceId: string): Promise<boolean> =>
  (await tx.query(taskRuns, { filter: eq('waiting', workspaceId), limit: 1 })).items.length > 0;

const runWaits = async (tx: Tx, workspaceId: string): Promise<boolean> =>
  (await tx.query(runs, { filter: allOf(eq('workspace', workspaceId), eq('queued', true)), limit: 1 })).items.length >
  0;

/** Returns true if one more task may run in a workspace. The slot itself is taken when the task starts. */
export async function hasFreeSlot(tx: Tx, jar: PlatformJar, workspaceId: string): Promise<boolean> {
  if ((await takeSlots(tx, jar, workspaceId, 1)) === 0) return false;
  await jar.limits.freeQuota(tx, { limit: LIMIT, scope: [workspaceId] });
  return true;
}

/** The error for a caller whose tasks get no slot. Clients retry it after a moment. */
export async function noFreeSlots(tx: Tx, { limits }: PlatformJar, workspaceId: string): Promise<PlatformError> {
  const scope = [workspaceId];
  const { maximum, current } = await limits.takeQuota(tx, { limit: LIMIT, scope, count: 0 });
  return limitExceeded({ row: rowOf('running-tasks'), scope, maximum, current });
}
