import type { TaskRun } from '../task-run.ts';
import { leaveCluster } from './clusters.ts';
import type { RunChange } from './run-change.ts';
import { leaveServerless } from './serverless.ts';
import { freeSlots } from './task-slots.ts';

/** A program has stopped: releases its task slot, its share of the serverless quota and its use of the cluster. */
export async function leave(change: RunChange, task: TaskRun): Promise<void> {
  // Same lock order as at the start: the count, then the cluster.
  await freeSlots(change.tx, change.jar, task.workspaceId, 1);
  if (task.cluster) await leaveCluster(change, task);
  await leaveServerless(change, task);
}
