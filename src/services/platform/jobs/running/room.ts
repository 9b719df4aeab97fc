import { allOf, eq, type Tx } from '../../../../kernel/store/index.ts';
import type { PlatformError } from '../../errors.ts';
import type { PlatformJar } from '../../jar.ts';
import { quotaOf, rowOf } from '../../limits/declared.ts';
import { limitExceeded } from '../../limits/take.ts';
import { roomIsWanted, runs, taskRuns } from '../collections.ts';
import { fillRoom } from './work.ts';

const LIMIT = quotaOf('running-tasks');

/** Takes up to this many task slots of a workspace (the limit of concurrently running tasks), and returns how many it got. */
export async function takeRoom(tx: Tx, { limits }: PlatformJar, workspaceId: string, wanted: number): Promise<number> {
  if (wanted === 0) return 0;
  const scope = [workspaceId];
  const { allowed, maximum, current } = await limits.takeQuota(tx, { limit: LIMIT, scope, count: wanted });
  if (allowed) return wanted;
  const free = Math.max(0, maximum - current);
  if (free === 0) return 0;
  return (await limits.takeQuota(tx, { limit: LIMIT, scope, count: free })).allowed ? free : 0;
}

/** Releases the slots of ended tasks, and wakes the work that starts waiting tasks. */
export async function freeRoom(tx: Tx, jar: PlatformJar, workspaceId: string, count: number): Promise<void> {
  if (count === 0) return;
  await jar.limits.freeQuota(tx, { limit: LIMIT, scope: [workspaceId], count });
  if (await tx.get(roomIsWanted, workspaceId, 'none')) await tx.wake(fillRoom(workspaceId, jar.clock.now()));
}

/** Called in the transaction in which a task or a run begins to wait. */
export const wantRoom = (tx: Tx, workspaceId: string): Promise<unknown> => tx.put(roomIsWanted, workspaceId, {});

/** Called after every waiting task and run that fits has started. */
export async function forgetWanted(tx: Tx, workspaceId: string): Promise<void> {
  // Locked, so that no task or run begins to wait between the check and the end of this transaction.
  const wanted = await tx.get(roomIsWanted, workspaceId);
  if (!wanted || (await taskWaits(tx, workspaceId)) || (await runWaits(tx, workspaceId))) return;
  await tx.delete(roomIsWanted, workspaceId);
}

export const taskWaits = async (tx: Tx, workspaceId: string): Promise<boolean> =>
  (await tx.query(taskRuns, { filter: eq('waiting', workspaceId), limit: 1 })).items.length > 0;

const runWaits = async (tx: Tx, workspaceId: string): Promise<boolean> =>
  (await tx.query(runs, { filter: allOf(eq('workspace', workspaceId), eq('queued', true)), limit: 1 })).items.length >
  0;

/** Returns true if one more task may run in a workspace. The slot itself is taken when the task starts. */
export async function hasRoom(tx: Tx, jar: PlatformJar, workspaceId: string): Promise<boolean> {
  if ((await takeRoom(tx, jar, workspaceId, 1)) === 0) return false;
  await jar.limits.freeQuota(tx, { limit: LIMIT, scope: [workspaceId] });
  return true;
}

/** The error for a caller whose tasks get no slot. Clients retry it after a moment. */
export async function noRoom(tx: Tx, { limits }: PlatformJar, workspaceId: string): Promise<PlatformError> {
  const scope = [workspaceId];
  const { maximum, current } = await limits.takeQuota(tx, { limit: LIMIT, scope, count: 0 });
  return limitExceeded({ row: rowOf('running-tasks'), scope, maximum, current });
}
