import type { Run } from './run.ts';
import type { TaskRun } from './task-run.ts';

/** Durations of a task run: how long it waited for its cluster and, once it has ended, how long its program ran. */
export function durationsOf({ startedAt, readyAt, endedAt, cluster }: TaskRun): {
  readonly setup: number;
  readonly execution: number;
} {
  if (startedAt === undefined) return { setup: 0, execution: 0 };
  if (endedAt === undefined) return { setup: (readyAt ?? startedAt) - startedAt, execution: 0 };
  // If a task ended while it waited for its cluster, its program did not run.
  const began = cluster && cluster.contextId === undefined ? endedAt : (readyAt ?? startedAt);
  return { setup: began - startedAt, execution: endedAt - began };
}

/** `run_duration`: the sum of the durations of the run and its repairs, without the time between them. */
export function durationOfRun({ createdAt, startedAt, original, repairs }: Run, endedAt: number): number {
  const first = (original?.endedAt ?? endedAt) - (startedAt ?? createdAt);
  return repairs.reduce((sum, repair) => sum + ((repair.endedAt ?? endedAt) - repair.startedAt), first);
}
