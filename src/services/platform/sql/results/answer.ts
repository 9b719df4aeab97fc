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

/** What a query gives, or why it fails. */
export interface Answer extends Rows {
  /** Of the columns, where they are known. */
  readonly types?: readonly SqlType[];
  readonly error?: string;
}

export interface Asked {
  readonly workspaceId: string;
  readonly queryId?: string | undefined;
  readonly statement: string;
  /** Who runs it, by id. */
  readonly principal: string;
  /** Of the query: `catalog` and `schema`. */
  readonly fields?: JsonMembers;
  readonly parameters?: ReadonlyMap<string, Typed>;
  /** What several queries of one transaction share. */
  readonly meter?: Meter;
}

/** Bounds for the queries of one transaction: they run in it, and nothing else does meanwhile. */
export const narrowMeter = (): Meter => new Meter(NARROW_BOUNDS);

/**
 * Mistakes that say nothing about the query, since the jar knows only a part of the platform's SQL: a table, a function or a kind of statement that it
 * has not.
 */
const NOT_KNOWN: ReadonlySet<string> = new Set(['42P01', '0A000', '42601', '42883']);

/**
 * What a query gives: the result that was set for it, else what it computes without tables. Undefined where nothing says what it gives.
 */
export async function answerOf(
  reader: Reader,
  jar: Pick<PlatformJar, 'clock'>,
  asked: Asked,
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

/** `{{ name }}` in the text of a query stands for the value of the parameter, as it is. */
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

/** Values as a result that is set has them. */
const cellsOf = ({ columns, rows }: Table): Answer => ({
  columns: columns.map(({ name }) => name),
  types: columns.map(({ type }) => type),
  rows: rows.map((row) => row.map((value, index) => cellOf(value, columns[index]?.type ?? { kind: 'NULL' }))),
});

/** Numbers that JSON does not hold as they are, stay texts. */
function cellOf(value: SqlValue, type: SqlType): Cell {
  if (value === null || typeof value === 'boolean') return value;
  const text = cellText(value, type);
  if (!isNumeric(type)) return text;
  const number = Number(text);
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number)) ? number : text;
}
