import type { TaskRun } from '../task-run.ts';
import { leaveCluster } from './clusters.ts';
import { freeRoom } from './room.ts';
import type { RunChange } from './run-change.ts';
import { leaveServerless } from './serverless.ts';

/** A program no longer runs: its room and its part of the serverless quota are free, and the cluster that it ran on has one thing less to do. */
export async function leave(change: RunChange, task: TaskRun): Promise<void> {
  // In the order in which a start locks the count and the cluster.
  await freeRoom(change.tx, change.jar, task.workspaceId, 1);
  if (task.cluster) await leaveCluster(change, task);
  await leaveServerless(change, task);
}
