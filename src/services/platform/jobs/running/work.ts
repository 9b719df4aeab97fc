import type { NewWork } from '../../../../kernel/store/index.ts';
import { defineWork } from '../../../../kernel/work/index.ts';
import { WAKES } from '../../limits/wakes.ts';

interface OfTask {
  /** The key of the task run. */
  readonly key: string;
  /** The id of its run, if known. */
  readonly runId?: string;
}

interface OfRun {
  readonly key: string;
}

/** A simulated task ends, is due for its next attempt, or has timed out. */
export const TASK_DUE = defineWork<OfTask>('platform.task-due', {
  title: 'Ends or retries a task',
  subject: 'key',
  concurrency: 16,
});
/** Synchronises a task with its container. */
export const SYNC_TASK = defineWork<OfTask>('platform.sync-task', {
  title: 'Reconciles the container of a task',
  subject: 'key',
  concurrency: 8,
});
/** A run has timed out, or has waited in the queue for the maximum time. */
export const RUN_DUE = defineWork<OfRun>('platform.run-due', {
  title: 'Ends a run that took too long',
  subject: 'key',
  concurrency: 8,
});
/** Task slots are free for waiting tasks and runs of a workspace. */
export const FILL_SLOTS = defineWork<{ readonly workspaceId: string }>('platform.fill-room', {
  title: 'Starts waiting tasks of a workspace',
  subject: 'workspaceId',
  concurrency: 2,
});

/** Checks out the repository of a run: the sources of its tasks are stored with the run. */
export const CHECK_OUT_RUN = defineWork<OfRun>('platform.check-out-run', {
  title: 'Checks out the repository of a run',
  subject: 'key',
  concurrency: 2,
});

export const checkOutRun = (key: string, dueAt: number): NewWork & { readonly id: string } => ({
  kind: CHECK_OUT_RUN.kind,
  id: `${CHECK_OUT_RUN.kind}:${key}`,
  dueAt,
  payload: { key },
});

/** The limit of running tasks has changed: slots may be free in any workspace. */
export const SLOT_LIMIT_CHANGED = defineWork<object>(WAKES['running-tasks'] as string, {
  title: 'Starts waiting tasks after a change of the limit',
  concurrency: 1,
});

export const taskDue = (key: string, dueAt: number, runId?: string): NewWork & { readonly id: string } => ({
  kind: TASK_DUE.kind,
  id: `${TASK_DUE.kind}:${key}`,
  dueAt,
  payload: { key, ...(runId !== undefined && { runId }) },
});

export const syncTask = (key: string, dueAt: number): NewWork & { readonly id: string } => ({
  kind: SYNC_TASK.kind,
  id: `${SYNC_TASK.kind}:${key}`,
  dueAt,
  payload: { key },
});

export const runDue = (key: string, dueAt: number): NewWork & { readonly id: string } => ({
  kind: RUN_DUE.kind,
  id: `${RUN_DUE.kind}:${key}`,
  dueAt,
  payload: { key },
});

export const fillSlots = (workspaceId: string, dueAt: number): NewWork & { readonly id: string } => ({
  kind: FILL_SLOTS.kind,
  id: `${FILL_SLOTS.kind}:${workspaceId}`,
  dueAt,
  payload: { workspaceId },
});

export const RUNNING_WORK = [TASK_DUE, SYNC_TASK, RUN_DUE, FILL_SLOTS, SLOT_LIMIT_CHANGED, CHECK_OUT_RUN] as const;
