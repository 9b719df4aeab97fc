import { type JsonMembers, omitAbsent } from '../../../../kernel/values/index.ts';
import { textOf } from '../../engine/json.ts';
import type { PlatformObject } from '../../engine/objects.ts';
import type { RunChange } from '../../jobs/running/run-change.ts';
import { readFromGit, readSource } from '../../jobs/running/sources.ts';
import type { TaskRun } from '../../jobs/task-run.ts';
import { sendDashboard } from '../../lakeview/send.ts';
import { evaluateAlert } from '../evaluation/evaluate.ts';
import { queryValues } from '../query-values.ts';
import { answerOf } from '../results/answer.ts';
import { findForRun } from './find.ts';
import { receiversIn, rowsFor, type SqlRan, type Subscribed } from './ran.ts';
import { refreshWidgets, sendOlderDashboard } from './widgets.ts';

/** The action of each kind of SQL task. */

type Warehouse = string | undefined;

const given = (warehouse: Warehouse): JsonMembers => omitAbsent({ warehouse_id: warehouse });

export async function runQuery(
  change: RunChange,
  id: string,
  warehouse: Warehouse,
  parameters: JsonMembers,
): Promise<SqlRan> {
  const query = await findForRun(change, ['queries'], { id });
  if (typeof query === 'string') return { shows: 'query', problem: query, shown: given(warehouse) };
  const ran = await runStatement(change, textOf(query.fields.query_text) ?? '', warehouse, parameters, query);
  return { ...ran, query: query.id };
}

export async function runFile(
  change: RunChange,
  file: JsonMembers,
  warehouse: Warehouse,
  parameters: JsonMembers,
): Promise<SqlRan> {
  const path = textOf(file.path) ?? '';
  const isGit = file.source === 'GIT';
  const source = await (isGit ? readFromGit(change.tx, change.run, path) : readSource(change, path));
  if (typeof source === 'string') return { shows: 'query', problem: source, shown: given(warehouse) };
  const text = source.is === 'file' ? source.text : source.cells.map((cell) => cell.text).join(';\n');
  return runStatement(change, text, warehouse, parameters);
}

/** A statement without a known result returns no rows. */
async function runStatement(
  { tx, jar, run, now }: RunChange,
  statement: string,
  warehouse: Warehouse,
  sent: JsonMembers,
  query?: PlatformObject,
): Promise<SqlRan> {
  const { workspaceId, runAs: principal } = run;
  const fields = query?.fields ?? {};
  const parameters = queryValues(fields.parameters, sent, now);
  const result = await answerOf(tx, jar, { workspaceId, queryId: query?.id, statement, principal, fields, parameters });
  const rows = result ? rowsFor(result) : [];
  const [first] = rows;
  return {
    shows: 'query',
    shown: { query_text: statement, ...given(warehouse), ...(warehouse !== undefined && { endpoint_id: warehouse }) },
    values: { rows, ...(first && { first_row: first }) },
    ...(result?.error !== undefined && { problem: result.error }),
  };
}

export async function runAlert(
  change: RunChange,
  named: { readonly id: string | undefined; readonly path?: string | undefined },
  subscribed: Subscribed,
  warehouse: Warehouse,
): Promise<SqlRan> {
  const alert = await findForRun(change, ['alerts', 'alerts-v2'], named);
  if (typeof alert === 'string') return { shows: 'alert', problem: alert, shown: given(warehouse) };
  const evaluated = await evaluateAlert(change.tx, change.jar, alert, receiversIn(subscribed));
  // Outputs have no value for an error.
  const alert_state = evaluated.state === 'ERROR' ? 'UNKNOWN' : evaluated.state;
  const query = textOf(alert.fields.query_id);
  return {
    shows: 'alert',
    shown: omitAbsent({ alert_state, query_text: evaluated.statement, ...given(warehouse) }),
    values: { alert_state },
    ...(query === undefined ? { alert: alert.id } : { query }),
    ...(evaluated.problem !== undefined && { problem: evaluated.problem }),
  };
}

export async function runDashboard(
  change: RunChange,
  task: TaskRun,
  id: string,
  subscribed: Subscribed,
  warehouse: Warehouse,
): Promise<SqlRan> {
  const dashboard = await findForRun(change, ['legacy-dashboards', 'lakeview-dashboards'], { id });
  if (typeof dashboard === 'string') return { shows: 'dashboard', problem: dashboard, shown: given(warehouse) };
  const widgets =
    dashboard.kind === 'legacy-dashboards'
      ? await refreshOlder(change, task, dashboard, subscribed)
      : await refresh(change, task, dashboard, subscribed);
  const failed = widgets.filter(({ status }) => status === 'FAILED').length;
  return {
    shows: 'dashboard',
    shown: { widgets, ...given(warehouse) },
    ...(failed > 0 && { problem: `${failed} of ${widgets.length} queries of the dashboard failed.` }),
  };
}

async function refreshOlder(
  change: RunChange,
  task: TaskRun,
  dashboard: PlatformObject,
  subscribed: Subscribed,
): Promise<readonly JsonMembers[]> {
  const widgets = await refreshWidgets(change, task, dashboard);
  await sendOlderDashboard(change, dashboard, widgets, receiversIn(subscribed), subscribed.subject);
  return widgets;
}

/** The queries of a current dashboard are its datasets. */
async function refresh(
  { tx, jar, now }: RunChange,
  task: TaskRun,
  dashboard: PlatformObject,
  subscribed: Subscribed,
): Promise<readonly JsonMembers[]> {
  const datasets = await sendDashboard(tx, jar, dashboard, receiversIn(subscribed), subscribed.subject);
  return datasets.map(({ name, result }) => ({
    widget_title: name,
    status: result?.error === undefined ? 'SUCCESS' : 'FAILED',
    ...(result?.error !== undefined && { error: { message: result.error } }),
    ...(task.startedAt !== undefined && { start_time: task.startedAt }),
    end_time: now,
  }));
}
