import type { Tx } from '../../../../kernel/store/index.ts';
import type { Json, JsonMembers } from '../../../../kernel/values/index.ts';
import { listOf, membersOf, numberOf, textOf } from '../../engine/json.ts';
import { objectKey, objects, type PlatformObject } from '../../engine/objects.ts';
import type { Cell } from '../results/collections.ts';
import { QUERIES_NAME } from '../visualizations.ts';
import type { AlertRule, AlertState, Column } from './compare.ts';
import type { RetriggerRule } from './state.ts';

/** An alert of either version, in the form that is evaluated. */
export interface AlertSubject extends RetriggerRule {
  readonly rule: AlertRule;
  readonly queryId?: string | undefined;
  readonly queryName: string;
  /** The fields of the query. */
  readonly query: JsonMembers;
  /** Undefined if the query is deleted or in the trash. */
  readonly statement: string | undefined;
  /** State of an evaluation without a decision. */
  readonly onProblem: AlertState;
  readonly subject: string | undefined;
  readonly body: string | undefined;
  readonly isMuted: boolean;
  /** Receivers that the alert itself names. */
  readonly addresses: readonly string[];
  readonly destinations: readonly string[];
}

export const isVersion2 = ({ kind }: Pick<PlatformObject, 'kind'>): boolean => kind === 'alerts-v2';

export const subjectOf = (tx: Tx, alert: PlatformObject): Promise<AlertSubject> =>
  isVersion2(alert) ? Promise.resolve(version2(alert)) : version1(tx, alert);

async function version1(tx: Tx, { scope, fields }: PlatformObject): Promise<AlertSubject> {
  const { op, operand, threshold, empty_result_state } = membersOf(fields.condition);
  const queryId = textOf(fields.query_id) ?? '';
  const query = (await tx.get(objects, objectKey(scope, QUERIES_NAME, queryId), 'none'))?.value;
  const value = boundOf(membersOf(threshold).value);
  return {
    rule: {
      source: columnOf(membersOf(operand).column),
      operator: textOf(op) ?? '',
      threshold: value === undefined ? undefined : { value },
      empty: stateOf(empty_result_state),
    },
    queryId,
    queryName: query?.name ?? '',
    query: query?.fields ?? {},
    statement: query && query.trashedAt === undefined ? (textOf(query.fields.query_text) ?? '') : undefined,
    onProblem: 'UNKNOWN',
    retriggerSeconds: numberOf(fields.seconds_to_retrigger) ?? 0,
    notifiesOk: fields.notify_on_ok === true,
    subject: textOf(fields.custom_subject),
    body: textOf(fields.custom_body),
    isMuted: fields.muted === true,
    addresses: [],
    destinations: [],
  };
}

function version2({ fields }: PlatformObject): AlertSubject {
  const { source, comparison_operator, threshold, empty_result_state, notification } = membersOf(fields.evaluation);
  const { subscriptions, notify_on_ok, retrigger_seconds } = membersOf(notification);
  const { column, value } = membersOf(threshold);
  const bound = boundOf(value);
  const subscribers = listOf(subscriptions).map(membersOf);
  return {
    rule: {
      source: columnOf(source),
      operator: textOf(comparison_operator) ?? '',
      threshold:
        column !== undefined ? { column: columnOf(column) } : bound === undefined ? undefined : { value: bound },
      empty: stateOf(empty_result_state),
    },
    queryName: textOf(fields.display_name) ?? '',
    query: {},
    statement: textOf(fields.query_text) ?? '',
    onProblem: 'ERROR',
    retriggerSeconds: numberOf(retrigger_seconds) ?? 0,
    notifiesOk: notify_on_ok === true,
    subject: textOf(fields.custom_summary),
    body: textOf(fields.custom_description),
    isMuted: false,
    addresses: subscribers.flatMap(({ user_email }) => textOf(user_email) ?? []),
    destinations: subscribers.flatMap(({ destination_id }) => textOf(destination_id) ?? []),
  };
}

const stateOf = (state: Json | undefined): AlertState =>
  state === 'OK' || state === 'TRIGGERED' || state === 'ERROR' ? state : 'UNKNOWN';

const columnOf = (column: Json | undefined): Column => {
  const { name, aggregation } = membersOf(column);
  return { name: textOf(name) ?? '', aggregation: textOf(aggregation) };
};

function boundOf(value: Json | undefined): Cell | undefined {
  const { string_value, double_value, bool_value } = membersOf(value);
  const found = string_value ?? double_value ?? bool_value;
  return typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean' ? found : undefined;
}
