import { allOf, atLeast, atMost, eq, type Filter } from '../../../../kernel/store/index.ts';
import { omitAbsent } from '../../../../kernel/values/index.ts';
import { isAdminOf } from '../../access/standing.ts';
import { queryTexts } from '../../compute/clusters/request.ts';
import { readPage, wholeNumber } from '../../engine/paging.ts';
import { errors } from '../../errors.ts';
import { callerIdentity, type PlatformCall, workspaceIn } from '../../jar.ts';
import { isOver, type Statement, type StatementState, statements } from './collections.ts';

const USUAL = 100;
const MOST = 999;

const STATUSES: Readonly<Record<StatementState, string>> = {
  PENDING: 'QUEUED',
  RUNNING: 'RUNNING',
  SUCCEEDED: 'FINISHED',
  CLOSED: 'FINISHED',
  FAILED: 'FAILED',
  CANCELED: 'CANCELED',
};

const within = (field: string, values: readonly string[]): Filter | undefined =>
  values.length === 0 ? undefined : { op: 'in', field, values };

/** Statements of all warehouses, newest first. Callers who are not administrators see only their own. */
export async function listHistory(call: PlatformCall): Promise<object> {
  const most = wholeNumber(call.query, 'max_results');
  if (most !== undefined && (most < 1 || most > MOST))
    throw errors.INVALID_PARAMETER_VALUE({ reason: `The parameter 'max_results' must be from 1 to ${MOST}.` });
  const from = wholeNumber(call.query, 'filter_by.query_start_time_range.start_time_ms');
  const to = wholeNumber(call.query, 'filter_by.query_start_time_range.end_time_ms');
  const wanted = queryTexts(call, 'filter_by.statuses');
  const states = Object.entries(STATUSES).flatMap(([state, status]) => (wanted.includes(status) ? [state] : []));
  const workspace = workspaceIn(call);
  const standing = callerIdentity(call);
  const ids = queryTexts(call, 'filter_by.statement_ids').map((id) => `${workspace.id}/${id}`);
  const filter = allOf(
    eq('workspace', workspace.id),
    isAdminOf(standing, workspace) ? undefined : eq('creator', standing.principal.id),
    from === undefined ? undefined : atLeast('createdAt', from),
    to === undefined ? undefined : atMost('createdAt', to),
    wanted.length === 0 ? undefined : { op: 'in', field: 'state', values: states },
    within('creator', queryTexts(call, 'filter_by.user_ids')),
    within('warehouse', queryTexts(call, 'filter_by.warehouse_ids')),
    within('key', ids),
  );
  const { items, next } = await readPage(call, {
    collection: statements,
    query: { filter, order: [{ field: 'createdAt', descending: true }] },
    size: most ?? USUAL,
  });
  return {
    res: items.map(({ value }) => view(value)),
    has_next_page: next !== undefined,
    ...(next !== undefined && { next_page_token: next }),
  };
}

/** Statement types that clients know; all others are `OTHER`. */
const TYPES: ReadonlySet<string> = new Set(
  'ALTER ANALYZE COPY CREATE DELETE DESCRIBE DROP EXPLAIN GRANT INSERT MERGE OPTIMIZE REFRESH REPLACE REVOKE SELECT SET SHOW TRUNCATE UPDATE USE'.split(
    ' ',
  ),
);
const SAME: Readonly<Record<string, string>> = { DESC: 'DESCRIBE', TABLE: 'SELECT', VALUES: 'SELECT', WITH: 'SELECT' };

function typeOf(text: string): string {
  const word = /^\s*([a-z]{1,20})\b/i.exec(text.slice(0, 10_000))?.[1]?.toUpperCase() ?? '';
  const type = Object.hasOwn(SAME, word) ? (SAME[word] ?? word) : word;
  return TYPES.has(type) ? type : 'OTHER';
}

const view = (statement: Statement): object => {
  const { id, state, text, warehouseId, creator, user, createdAt, endedAt, error, chunks, tags } = statement;
  return omitAbsent({
    query_id: id,
    status: STATUSES[state],
    query_text: text,
    query_start_time_ms: createdAt,
    query_end_time_ms: endedAt,
    execution_end_time_ms: endedAt,
    duration: endedAt === undefined ? undefined : endedAt - createdAt,
    user_id: Number(creator),
    user_name: user,
    executed_as_user_id: Number(creator),
    executed_as_user_name: user,
    endpoint_id: warehouseId,
    warehouse_id: warehouseId,
    statement_type: typeOf(text),
    rows_produced: chunks?.reduce((sum, { rows }) => sum + rows, 0),
    error_message: error?.message,
    query_tags: tags,
    is_final: isOver(statement),
  });
};
