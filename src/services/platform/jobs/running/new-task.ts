import { numericId } from '../../../../kernel/ids/index.ts';
import type { TaskSettings } from '../job.ts';
import { kindOfTask, type TaskKind } from '../task-kinds.ts';
import type { TaskRun } from '../task-run.ts';
import type { RunChange } from './run-change.ts';

export interface TaskOrigin {
  readonly attempt: number;
  readonly originalId?: string;
  readonly repairId?: string;
  readonly iteration?: TaskRun['iteration'];
  /** The attempt that it replaces. */
  readonly after?: string;
}

/** An attempt at a task that has not started. */
export function newTask(change: RunChange, settings: TaskSettings, origin: TaskOrigin = { attempt: 0 }): TaskRun {
  const id = numericId();
  const kind = kindOfTask(settings) as TaskKind;
  return {
    id,
    workspaceId: change.run.workspaceId,
    runId: change.run.id,
    key: settings.task_key,
    kind,
    attempt: origin.attempt,
    originalId: origin.originalId ?? id,
    state: 'BLOCKED',
    createdAt: change.now,
    ...(origin.repairId !== undefined && { repairId: origin.repairId }),
    ...(origin.iteration && { iteration: origin.iteration }),
    ...(origin.after !== undefined && kind === 'for_each_task' && { after: origin.after }),
  };
}
