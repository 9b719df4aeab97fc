import { eq } from '../../../../kernel/store/index.ts';
import { type JsonMembers, omitAbsent } from '../../../../kernel/values/index.ts';
import { announce, type Receivers } from '../../destinations/announce.ts';
import { SQL_WEBHOOK } from '../../destinations/policy-names.ts';
import { membersOf, textOf } from '../../engine/json.ts';
import { objectKey, objects, type PlatformObject, placeOf } from '../../engine/objects.ts';
import type { RunChange } from '../../jobs/running/run-change.ts';
import type { TaskRun } from '../../jobs/task-run.ts';
import { queryValues } from '../query-values.ts';
import { answerOf, narrowMeter } from '../results/answer.ts';
import { QUERIES_NAME, VISUALIZATIONS } from '../visualizations.ts';

const MOST_WIDGETS = 10_000;

/** Runs the queries of an older dashboard. Skips widgets without a query. */
export async function refreshWidgets(
  { tx, jar, run, now }: RunChange,
  task: TaskRun,
  { scope, id }: PlatformObject,
): Promise<readonly JsonMembers[]> {
  const filter = eq('under', `${placeOf(scope, 'legacy-widgets')}/${id}`);
  const { items } = await tx.query(objects, { filter, order: [{ field: 'createdAt' }], limit: MOST_WIDGETS });
  const find = async (kind: string, of: string | undefined): Promise<PlatformObject | undefined> =>
    of === undefined ? undefined : (await tx.get(objects, objectKey(scope, kind, of), 'none'))?.value;
  const refreshed: JsonMembers[] = [];
  const meter = narrowMeter();
  for (const { value: widget } of items) {
    const drawn = await find(VISUALIZATIONS.name, textOf(widget.fields.visualization_id));
    const query = await find(QUERIES_NAME, drawn?.parent);
    if (!drawn || !query) continue;
    const isGone = query.trashedAt !== undefined;
    const statement = textOf(query.fields.query_text) ?? '';
    const { id: queryId, fields } = query;
    const parameters = queryValues(fields.parameters, {}, now);
    const asked = { workspaceId: scope, queryId, statement, principal: run.runAs, fields, parameters, meter };
    const result = isGone ? undefined : await answerOf(tx, jar, asked);
    const error = isGone ? `Query ${query.id} is in the trash.` : result?.error;
    refreshed.push(
      omitAbsent({
        widget_id: widget.id,
        widget_title: textOf(membersOf(widget.fields.options).title) ?? drawn.name ?? query.name,
        status: error === undefined ? 'SUCCESS' : 'FAILED',
        error: error === undefined ? undefined : { message: error },
        start_time: task.startedAt,
        end_time: now,
      }),
    );
  }
  return refreshed;
}

export async function sendOlderDashboard(
  { tx, jar, run }: RunChange,
  { id, name = '' }: PlatformObject,
  widgets: readonly JsonMembers[],
  receivers: Receivers,
  subject: string | undefined,
): Promise<void> {
  const headline = subject === undefined || subject === '' ? `Dashboard "${name}" was refreshed` : subject;
  const lines = widgets.map(({ widget_title, status }) => `${textOf(widget_title) ?? ''}: ${textOf(status)}`);
  const what = {
    accountId: run.accountId,
    workspaceId: run.workspaceId,
    policy: SQL_WEBHOOK,
    headline,
    text: `${headline}.\n\n${lines.join('\n')}\n`,
    webhook: {
      event: 'dashboard_refreshed',
      workspace_id: Number(run.workspaceId),
      dashboard: { dashboard_id: id, display_name: name },
      widgets,
    },
  } as const;
  await announce(tx, jar, what, receivers);
}
