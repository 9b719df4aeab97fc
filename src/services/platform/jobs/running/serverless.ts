import { workspaces } from '../../accounts/collections.ts';
import { freeServerless, takeServerless } from '../../compute/serverless.ts';
import type { Ending } from '../run.ts';
import type { TaskKind } from '../task-kinds.ts';
import type { TaskRun } from '../task-run.ts';
import type { RunChange } from './run-change.ts';

/** Kinds of tasks that run on serverless compute unless the task names other compute. */
const KINDS: ReadonlySet<TaskKind> = new Set<TaskKind>([
  'notebook_task',
  'spark_python_task',
  'python_wheel_task',
  'dbt_task',
]);

/** Units per hour that a task takes of the account's quota. The real number is not published. */
const UNITS_OF_TASK = 4;

/** If a task names no compute, takes its share of the serverless quota. Returns an ending if the task cannot start. */
export async function withServerless(change: RunChange, task: TaskRun): Promise<TaskRun | Ending> {
  const { tx, jar, run } = change;
  if (!KINDS.has(task.kind)) return task;
  const known = jar.store.peek(workspaces, run.workspaceId) ?? (await tx.get(workspaces, run.workspaceId, 'none'));
  if (!known) return task;
  const serverless = { region: known.value.region, units: UNITS_OF_TASK };
  const refused = await takeServerless(tx, jar, { accountId: run.accountId, ...serverless });
  if (refused !== undefined)
    return { outcome: 'INTERNAL_ERROR', message: refused, code: 'CLUSTER_REQUEST_LIMIT_EXCEEDED' };
  return { ...task, serverless };
}

export const leaveServerless = async ({ tx, jar, run }: RunChange, { serverless }: TaskRun): Promise<void> => {
  if (serverless) await freeServerless(tx, jar, { accountId: run.accountId, ...serverless });
};
