import { allOf, eq, type Tx } from '../../../../kernel/store/index.ts';
import type { PlatformError } from '../../errors.ts';
import type { PlatformJar } from '../../jar.ts';
import { quotaOf, rowOf } from '../../limits/declared.ts';
import { limitExceeded } from '../../limits/take.ts';
import { roomIsWanted, runs, taskRuns } from '../collections.ts';
import { fillRoom } from './work.ts';

const LIMIT = quotaOf('running-tasks');

/** Takes room for up to so many tasks of a workspace that run at the same time, and says for how many there was room. */
export async function takeRoom(tx: Tx, { limits }: PlatformJar, workspaceId: string, wanted: number): Promise<number> {
  if (wanted === 0) return 0;
  const scope = [workspaceId];
  const { allowed, maximum, current } = await limits.takeQuota(tx, { limit: LIMIT, scope, count: wanted });
  if (allowed) return wanted;
  const free = Math.max(0, maximum - current);
  if (free === 0) return 0;
  return (await limits.takeQuota(tx, { limit: LIMIT, scope, count: free })).allowed ? free : 0;
}

/** Gives the room of ended tasks back, for those who wait for it. */
export async function freeRoom(tx: Tx, jar: PlatformJar, workspaceId: string, count: number): Promise<void> {
  if (count === 0) return;
  await jar.limits.freeQuota(tx, { limit: LIMIT, scope: [workspaceId], count });
  if (await tx.get(roomIsWanted, workspaceId, 'none')) await tx.wake(fillRoom(workspaceId, jar.clock.now()));
}

/** In the transaction in which a task or a run begins to wait. */
export const wantRoom = (tx: Tx, workspaceId: string): Promise<unknown> => tx.put(roomIsWanted, workspaceId, {});

/** After everybody for whom there was room has begun. */
export async function forgetWanted(tx: Tx, workspaceId: string): Promise<void> {
  // Held, so that nobody begins to wait between the look and the end of this transaction.
  const wanted = await tx.get(roomIsWanted, workspaceId);
  if (!wanted || (await taskWaits(tx, workspaceId)) || (await runWaits(tx, workspaceId))) return;
  await tx.delete(roomIsWanted, workspaceId);
}

export const taskWaits = async (tx: Tx, workspaceId: string): Promise<boolean> =>
  (await tx.query(taskRuns, { filter: eq('waiting', workspaceId), limit: 1 })).items.length > 0;

const runWaits = async (tx: Tx, workspaceId: string): Promise<boolean> =>
  (await tx.query(runs, { filter: allOf(eq('workspace', workspaceId), eq('queued', true)), limit: 1 })).items.length >
  0;

/** Whether one more task may run in a workspace. The room is taken when tasks begin. */
export async function hasRoom(tx: Tx, jar: PlatformJar, workspaceId: string): Promise<boolean> {
  if ((await takeRoom(tx, jar, workspaceId, 1)) === 0) return false;
  await jar.limits.freeQuota(tx, { limit: LIMIT, scope: [workspaceId] });
  return true;
}

/** The refusal of a caller for whose tasks there is no room. Clients try again after a moment. */
export async function noRoom(tx: Tx, { limits }: PlatformJar, workspaceId: string): Promise<PlatformError> {
  const scope = [workspaceId];
  const { maximum, current } = await limits.takeQuota(tx, { limit: LIMIT, scope, count: 0 });
  return limitExceeded({ row: rowOf('running-tasks'), scope, maximum, current });
}
