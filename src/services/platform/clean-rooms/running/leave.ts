import { DAY_MS } from '../../../../kernel/time/index.ts';
import type { Ending } from '../../jobs/run.ts';
import type { RunChange } from '../../jobs/running/run-change.ts';
import type { TaskRun } from '../../jobs/task-run.ts';
import { roomRunKey, roomRuns } from '../collections.ts';
import { EXPIRE_RUN, expireId } from '../work.ts';
import { freeSlot, lockQueue, wakeNext } from './enter.ts';

/** Retention of a run's record: the same as for runs of jobs. */
export const KEPT_MS = 60 * DAY_MS;

/** Called in the transaction in which an attempt at a task ends, in any way: lets the next waiting task start. */
export async function leaveCleanRoom({ tx, jar, now }: RunChange, task: TaskRun, ending: Ending): Promise<void> {
  if (task.cleanRoom === undefined) return;
  await lockQueue(tx, task.cleanRoom);
  const key = roomRunKey(task.cleanRoom, task.workspaceId, task.id);
  const run = (await tx.get(roomRuns, key))?.value;
  if (!run || run.state === 'TERMINATED') return;
  if (run.state === 'RUNNING') await freeSlot(tx, jar, run.room);
  await tx.put(roomRuns, key, { ...run, state: 'TERMINATED', ending, endedAt: now });
  await tx.schedule(EXPIRE_RUN.at(run.output?.expiresAt ?? now + KEPT_MS, { key }, expireId(key)));
  await wakeNext(tx, jar, run.room);
}
