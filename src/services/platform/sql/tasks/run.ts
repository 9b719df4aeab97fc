import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { membersOf, textOf } from '../../engine/json.ts';
import { runKey, taskOutputs } from '../../jobs/collections.ts';
import type { RunChange } from '../../jobs/running/run-change.ts';
import type { TaskRun } from '../../jobs/task-run.ts';
import { runAlert, runDashboard, runFile, runQuery } from './kinds.ts';
import type { SqlRan, Subscribed } from './ran.ts';
import { useWarehouse } from './warehouse.ts';

const SQL_KINDS: ReadonlySet<string> = new Set(['sql_task', 'alert_task', 'dashboard_task']);
const EMPTY = { log: '', isTruncated: false } as const;

/**
 * Executes a task on a SQL warehouse when its simulated time ends: looks up its query, file, dashboard or alert, evaluates an alert, and
 * notifies subscribers. Returns the reason if the task failed, or the time of the next check if its warehouse is not running yet; returns
 * undefined if it succeeded, or is not a SQL task.
 */
export async function runSql(change: RunChange, task: TaskRun): Promise<string | number | undefined> {
  const settings = task.resolved ?? {};
  // A script for the simulated shell replaces the task.
  if (typeof settings.cloudjar === 'string') return undefined;
  const warehouse = SQL_KINDS.has(task.kind) ? textOf(settings.warehouse_id) : undefined;
  const hindrance = warehouse === undefined ? undefined : await useWarehouse(change, warehouse);
  if (typeof hindrance === 'number') return hindrance;
  if (hindrance !== undefined) {
    await change.tx.put(taskOutputs, runKey(task.workspaceId, task.id), { ...EMPTY, error: hindrance });
    return hindrance;
  }
  const ran = await ranOf(change, task, settings);
  if (!ran) return undefined;
  const { problem, ...sql } = ran;
  const error = problem === undefined ? {} : { error: problem };
  await change.tx.put(taskOutputs, runKey(task.workspaceId, task.id), { ...EMPTY, sql, ...error });
  return problem;
}

async function ranOf(change: RunChange, task: TaskRun, settings: JsonMembers): Promise<SqlRan | undefined> {
  if (task.kind === 'sql_task') {
    const { query, file, alert, dashboard, warehouse_id } = settings;
    const parameters = membersOf(settings.parameters);
    const warehouse = textOf(warehouse_id);
    if (query !== undefined) return runQuery(change, textOf(membersOf(query).query_id) ?? '', warehouse, parameters);
    if (file !== undefined) return runFile(change, membersOf(file), warehouse, parameters);
    if (alert !== undefined)
      return runAlert(change, { id: textOf(membersOf(alert).alert_id) }, subscribedIn(membersOf(alert)), warehouse);
    const id = textOf(membersOf(dashboard).dashboard_id) ?? '';
    return runDashboard(change, task, id, subscribedIn(membersOf(dashboard)), warehouse);
  }
  if (task.kind === 'alert_task') {
    const named = { id: textOf(settings.alert_id), path: textOf(settings.workspace_path) };
    const subscribed = { subscriptions: settings.subscribers, isPaused: false };
    const ran = await runAlert(change, named, subscribed, textOf(settings.warehouse_id));
    return { ...ran, shows: 'alert_task' };
  }
  if (task.kind === 'dashboard_task') {
    const { subscribers, paused, custom_subject } = membersOf(settings.subscription);
    const subscribed = { subscriptions: subscribers, isPaused: paused === true, subject: textOf(custom_subject) };
    const id = textOf(settings.dashboard_id) ?? '';
    const ran = await runDashboard(change, task, id, subscribed, textOf(settings.warehouse_id));
    return { ...ran, shows: 'dashboard_task' };
  }
  return undefined;
}

const subscribedIn = ({ subscriptions, pause_subscriptions, custom_subject }: JsonMembers): Subscribed => ({
  subscriptions,
  isPaused: pause_subscriptions === true,
  subject: textOf(custom_subject),
});
