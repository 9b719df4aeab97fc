import { ApiError } from '../../../../kernel/http/index.ts';
import type { TaskRun } from '../task-run.ts';
import { type ConditionOperator, decide } from './condition.ts';
import { finishTask } from './finish-task.ts';
import { lookupFor } from './lookup.ts';
import { resolveText } from './references.ts';
import type { RunChange } from './run-change.ts';

/** A condition is evaluated when it starts. */
export async function decideCondition(change: RunChange, task: TaskRun): Promise<TaskRun> {
  const { op, left, right } = change.settingsFor(task).condition_task as Readonly<
    Record<'op' | 'left' | 'right', string>
  >;
  const lookup = await lookupFor(change, task);
  const sides = { left: resolveText(left, lookup), right: resolveText(right, lookup) };
  try {
    const conditionOutcome = String(decide(op as ConditionOperator, sides.left, sides.right));
    const decided: TaskRun = { ...task, conditionOutcome, resolved: sides, execution: { by: 'decision' } };
    return finishTask(change, decided, { outcome: 'SUCCESS', message: '' });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return finishTask(change, { ...task, resolved: sides }, { outcome: 'FAILED', message: error.message });
  }
}
