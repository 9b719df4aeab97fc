import type { Reader } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { nameOf } from '../../access/standing.ts';
import { principalKey, principals, workspaces } from '../../accounts/collections.ts';
import { textOf } from '../../engine/json.ts';
import type { PlatformJar } from '../../jar.ts';
import { boundedText } from '../../warehouses/sql/bounded-text.ts';
import { cellText } from '../../warehouses/sql/format.ts';
import { Meter, NARROW_BOUNDS } from '../../warehouses/sql/meter.ts';
import { SqlProblem } from '../../warehouses/sql/problem.ts';
import { runAtOnce } from '../../warehouses/sql/run-statement.ts';
import type { Session, Typed } from '../../warehouses/sql/session.ts';
import type { Table } from '../../warehouses/sql/table.ts';
import { isNumeric, type SqlType, type SqlValue } from '../../warehouses/sql/types.ts';
import type { Cell, Rows } from './collections.ts';
import { resultOf } from './find.ts';

/** The result of a query, or the reason of its failure. */
export interface Answer extends Rows {
  /** Types of the columns, if known. */
  readonly types?: readonly SqlType[];
  readonly error?: string;
}

export interface QueryRun {
  readonly workspaceId: string;
  readonly queryId?: string | undefined;
  readonly statement: string;
  /** Id of the principal that runs it. */
  readonly principal: string;
  /** Fields of the query: `catalog` and `schema`. */
  readonly fields?: JsonMembers;
  readonly parameters?: ReadonlyMap<string, Typed>;
  /** Shared by several queries of one transaction. */
  readonly meter?: Meter;
}

/** Bounds for the queries of one transaction: they run synchronously and block the jar meanwhile. */
export const narrowMeter = (): Meter => new Meter(NARROW_BOUNDS);

/**
 * Errors that do not show that the query is wrong, since the jar supports only a part of the platform's SQL: a table, a function or a kind
 * of statement that the jar does not have.
 */
const NOT_KNOWN: ReadonlySet<string> = new Set(['42P01', '0A000', '42601', '42883']);

/**
 * The result of a query: the result set by a test, otherwise the result computed without tables. Returns undefined if neither is available.
 */
export async function answerOf(
  reader: Reader,
  jar: Pick<PlatformJar, 'clock'>,
  asked: QueryRun,
): Promise<Answer | undefined> {
  const { workspaceId, queryId, statement, principal, fields = {}, parameters = new Map() } = asked;
  const set = await resultOf(reader, workspaceId, { queryId, statement });
  if (set) return set;
  const accountId = (await reader.get(workspaces, workspaceId, 'none'))?.value.accountId ?? '';
  const who = (await reader.get(principals, principalKey(accountId, principal), 'none'))?.value;
  const session: Session = {
    now: jar.clock.now(),
    user: who ? nameOf(who) : '',
    catalog: textOf(fields.catalog) || 'main',
    schema: textOf(fields.schema) || 'default',
    parameters,
  };
  return computed(statement, session, asked.meter ?? narrowMeter());
}

function computed(statement: string, session: Session, meter: Meter): Answer | undefined {
  try {
    return cellsOf(runAtOnce(filledIn(statement, session), session, meter));
  } catch (error) {
    if (!(error instanceof SqlProblem)) throw error;
    return NOT_KNOWN.has(error.sqlState) ? undefined : { columns: [], rows: [], error: error.message };
  }
}

/** Replaces `{{ name }}` in the text of a query with the value of the parameter, unquoted. */
function filledIn(statement: string, { parameters }: Session): string {
  if (!statement.includes('{{')) return statement;
  const parts = statement.split(/\{\{\s*([\w.-]{1,255})\s*\}\}/);
  return boundedText(
    parts.map((part, index) => {
      const value = index % 2 === 0 ? undefined : parameters.get(part);
      return value === undefined ? (index % 2 === 0 ? part : `{{${part}}}`) : String(value.value ?? 'NULL');
    }),
  );
}

/** Converts values to the form of a result set by a test. */
const cellsOf = ({ columns, rows }: Table): Answer => ({
  columns: columns.map(({ name }) => name),
  types: columns.map(({ type }) => type),
  rows: rows.map((row) => row.map((value, index) => cellOf(value, columns[index]?.type ?? { kind: 'NULL' }))),
});

/** Numbers that JSON cannot represent exactly stay texts. */
function cellOf(value: SqlValue, type: SqlType): Cell {
  if (value === null || typeof value === 'boolean') return value;
  const text = cellText(value, type);
  if (!isNumeric(type)) return text;
  const number = Number(text);
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number)) ? number : text;
}
