import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { guardedObject } from '../../engine/find.ts';
import { objectKey, objects } from '../../engine/objects.ts';
import { type PlatformCall, workspaceIn } from '../../jar.ts';
import type { SqlOutput, TaskRun } from '../../jobs/task-run.ts';
import { allows } from '../../permissions/guard.ts';

/** The part of `runs/get-output` for a SQL task. The text of a query is shown only to callers who may run it. */
export async function sqlOutputView(call: PlatformCall, task: TaskRun, sql: SqlOutput): Promise<JsonMembers> {
  const { shows, shown } = sql;
  if (shows === 'dashboard_task') return { dashboard_output: {} };
  if (shows === 'alert_task') return { alert_output: { alert_state: shown.alert_state } };
  if (shows === 'dashboard') return { sql_output: { dashboard_output: shown } };
  const { query_text, ...rest } = shown;
  const output = {
    ...rest,
    ...(query_text !== undefined && (await mayRead(call, sql)) && { query_text }),
    output_link: `${call.origin}/sql/history?o=${task.workspaceId}&lookupKey=${task.id}`,
    sql_statements: [{ lookup_key: task.id }],
  };
  return { sql_output: shows === 'alert' ? { alert_output: output } : { query_output: output } };
}

/** The text of a file is shown to every caller who may view the run. */
async function mayRead(call: PlatformCall, { query, alert }: SqlOutput): Promise<boolean> {
  const id = query ?? alert;
  if (id === undefined) return true;
  const [kind, type] = query === undefined ? (['alerts-v2', 'alertsv2'] as const) : (['queries', 'queries'] as const);
  const found = (await call.jar.store.get(objects, objectKey(workspaceIn(call).id, kind, id)))?.value;
  return found !== undefined && allows(call, guardedObject(type, found), 'CAN_RUN');
}
