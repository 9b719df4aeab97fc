import { touchCluster } from '../../compute/clusters/touch.ts';
import type { TaskRun } from '../collections.ts';
import { freeRoom } from './room.ts';
import type { RunChange } from './run-change.ts';

/** A program no longer runs: its room is free, and the cluster that it ran on has one thing less to do. */
export async function leave(change: RunChange, task: TaskRun): Promise<void> {
  await useCluster(change, task, 'end');
  await freeRoom(change.tx, change.jar, task.workspaceId, 1);
}

/** A cluster on which a task runs does not terminate as idle. */
export async function useCluster(change: RunChange, task: TaskRun, activity: 'begin' | 'end'): Promise<void> {
  const clusterId = change.settingsFor(task).existing_cluster_id;
  if (typeof clusterId !== 'string') return;
  await touchCluster(change.tx, change.jar, { workspaceId: task.workspaceId, clusterId }, activity);
}
