import { isoTime } from '../../../../kernel/time/index.ts';
import { type JsonMembers, omitAbsent } from '../../../../kernel/values/index.ts';
import { nameOf } from '../../access/standing.ts';
import type { Principal, Workspace } from '../../accounts/collections.ts';
import { type Announcement, LONGEST_MESSAGE } from '../../destinations/announce.ts';
import { SQL_WEBHOOK } from '../../destinations/policy-names.ts';
import { membersOf } from '../../engine/json.ts';
import type { PlatformObject } from '../../engine/objects.ts';
import { legacyOptions } from '../legacy/alert-options.ts';
import { tableOf } from '../results/table.ts';
import type { AlertChange } from './evaluate.ts';
import { evaluationOf } from './state.ts';
import { isVersion2 } from './subject.ts';

/** The message sent when an alert changes its state. */
export function announcementOf(
  { id: workspaceId, accountId }: Workspace,
  change: AlertChange,
  owner: Principal | undefined,
  origin: string,
): Announcement {
  const { alert, subject, state, decision } = change;
  const values = variablesOf(change, origin);
  const headline = oneLine(fill(subject.subject, values) ?? `Alert "${alert.name}" changed status to ${state}`);
  const problem = decision.problem === undefined ? '' : `\n${decision.problem}\n`;
  const usual = `${headline}.\n${problem}\n${values.QUERY_RESULT_TABLE}`;
  const text = fill(subject.body, values) ?? usual.slice(0, LONGEST_MESSAGE);
  return {
    accountId,
    workspaceId,
    policy: SQL_WEBHOOK,
    headline,
    text: text.endsWith('\n') ? text : `${text}\n`,
    webhook: {
      event: 'alert_state_change',
      url_base: `${origin}/sql?o=${workspaceId}`,
      alert: { title: headline, description: text, ...(isVersion2(alert) ? nested(alert, owner) : flat(alert)) },
    },
    incident: {
      action: state === 'OK' ? 'resolve' : 'trigger',
      key: `${workspaceId}/${alert.kind}/${alert.id}`,
      severity: 'error',
    },
  };
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 500);

type Variables = Readonly<Record<string, string>>;

/** Variables for the custom templates of subjects and bodies. */
function variablesOf({ alert, subject, state, decision, result }: AlertChange, origin: string): Variables {
  const { rule } = subject;
  const bound = rule.threshold && ('column' in rule.threshold ? rule.threshold.column.name : rule.threshold.value);
  const value = decision.problem === undefined ? decision.value : undefined;
  const table = result && result.error === undefined ? tableOf(result) : '';
  return {
    ALERT_STATUS: state,
    ALERT_NAME: alert.name ?? '',
    ALERT_CONDITION: rule.operator,
    ALERT_THRESHOLD: String(bound ?? ''),
    ALERT_COLUMN: rule.source.name,
    ALERT_URL: `${origin}/sql/alerts/${alert.id}?o=${alert.scope}`,
    QUERY_NAME: subject.queryName,
    QUERY_URL: subject.queryId === undefined ? '' : `${origin}/sql/editor/${subject.queryId}?o=${alert.scope}`,
    QUERY_RESULT_VALUE: String(value ?? ''),
    QUERY_RESULT_ROWS: JSON.stringify(result?.rows.slice(0, 100) ?? []),
    QUERY_RESULT_COLS: JSON.stringify(result?.columns ?? []),
    QUERY_RESULT_TABLE: table,
  };
}

/** Stops at the length limit: a template may contain a large value many thousand times. */
function fill(template: string | undefined, values: Variables): string | undefined {
  if (template === undefined || template === '') return undefined;
  const filled: string[] = [];
  let length = 0;
  for (const piece of template.split(/(\{\{\s*[A-Z_]+\s*\}\})/)) {
    const name = piece.startsWith('{{') ? piece.slice(2, -2).trim() : '';
    const put = Object.hasOwn(values, name) ? (values[name] as string) : piece;
    filled.push(put.slice(0, LONGEST_MESSAGE - length));
    length += put.length;
    if (length >= LONGEST_MESSAGE) break;
  }
  return filled.join('');
}

/** The body for version 2 alerts. */
function nested(alert: PlatformObject, owner: Principal | undefined): JsonMembers {
  const { id, name, fields, createdAt } = alert;
  const { notification: _notification, ...rule } = membersOf(fields.evaluation);
  const { state, evaluatedAt } = evaluationOf(alert);
  return {
    alert: omitAbsent({
      id,
      name,
      owner:
        owner && omitAbsent({ id: Number(owner.id), name: owner.displayName ?? nameOf(owner), email: owner.userName }),
      created_at: createdAt,
      query_text: fields.query_text,
      warehouse_id: fields.warehouse_id,
      custom_summary: fields.custom_summary,
      custom_description: fields.custom_description,
      evaluations: [omitAbsent({ ...rule, state, last_evaluated_at: evaluatedAt })],
    }),
  };
}

/** The body for older alerts. */
function flat(alert: PlatformObject): JsonMembers {
  const { id, name, fields, createdAt, updatedAt, createdBy, owner = createdBy } = alert;
  const { state, triggeredAt } = evaluationOf(alert);
  return omitAbsent({
    id,
    name,
    options: legacyOptions(fields),
    state: state.toLowerCase(),
    last_triggered_at: triggeredAt === undefined ? undefined : isoTime(triggeredAt),
    rearm: fields.seconds_to_retrigger,
    query_id: fields.query_id,
    user_id: Number(owner),
    created_at: isoTime(createdAt),
    updated_at: isoTime(updatedAt),
  });
}
