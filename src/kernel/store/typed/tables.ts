import { DuplicateValueError, UnconvertibleError } from '../errors.ts';
import { quote, type SqlValue } from '../sql/dialect.ts';
import { cellOf } from './cells.ts';
import { conversionOf } from './conversions.ts';
import { indexName, type TypedDialect } from './dialect.ts';
import { collectSpellings, forgetSpellings } from './spellings.ts';
import { atomically, first, type Steps } from './steps.ts';
import { type ColumnDefinition, keyColumn, NUMBER_COLUMN, type TableDefinition } from './types.ts';

/** A prefix that separates new tables from those that statements read. */
const FRESH = 'x';

export function* createTable(dialect: TypedDialect, table: TableDefinition): Steps<void> {
  yield { sql: tableSql(dialect, table, dialect.table(table.name)) };
  yield* createIndexes(dialect, table);
}

export function* dropTable(dialect: TypedDialect, name: string): Steps<void> {
  yield* announceChange(dialect);
  yield { sql: `DROP TABLE ${dialect.table(name)}` };
  yield* forgetSpellings(dialect, name);
}

/** Until the commit, no capture can begin, and none is reading the list of tables. */
function* announceChange({ beforeChange }: TypedDialect): Steps<void> {
  if (beforeChange !== undefined) yield { sql: beforeChange, reads: true };
}

export function* clearTable(dialect: TypedDialect, name: string): Steps<void> {
  yield { sql: `DELETE FROM ${dialect.table(name)}` };
  yield* forgetSpellings(dialect, name);
}

/**
 * Numbers are consecutive, except for those of rolled-back transactions. So the first `count` numbers are removed as a range without
 * reading rows, and only the remainder is looked up.
 */
export function* removeOldest(dialect: TypedDialect, name: string, count: number): Steps<void> {
  const table = dialect.table(name);
  const [begin] = (yield* first(`SELECT min(n) FROM ${table}`)) ?? [];
  if (begin === null) return;
  const removed = yield* removeRange(dialect, table, Number(begin), Number(begin) + count - 1);
  if (removed === count) return;
  const oldest = `SELECT n FROM ${table} ORDER BY n LIMIT ${dialect.placeholder(1)}`;
  const ends = yield* first(`SELECT min(n), max(n) FROM (${oldest}) AS oldest`, [count - removed]);
  yield* removeRange(dialect, table, ...(ends as [SqlValue, SqlValue]));
}

/** The statement has both bounds: SQLite then deletes in one pass, and PostgreSQL sees that it is a small part of the table. */
function* removeRange({ placeholder }: TypedDialect, table: string, begin: SqlValue, end: SqlValue): Steps<number> {
  const sql = `DELETE FROM ${table} WHERE n >= ${placeholder(1)} AND n <= ${placeholder(2)}`;
  return (yield { sql, values: [begin, end] }).count;
}

function tableSql(dialect: TypedDialect, { columns }: TableDefinition, table: string): string {
  const declared = columns.flatMap((column) => {
    const type = dialect.types[column.type];
    const key = keyColumn(column);
    const keyed = `${quote(key)} ${type}${column.unique ? ' NOT NULL' : ''}`;
    return key === column.name ? [keyed] : [`${quote(column.name)} ${type}`, keyed];
  });
  return `CREATE TABLE ${table} (${[`${NUMBER_COLUMN} ${dialect.number}`, ...declared].join(', ')})`;
}

function* createIndexes(dialect: TypedDialect, { name, columns }: TableDefinition): Steps<void> {
  for (const column of columns) {
    if (!column.unique) continue;
    const on = `${dialect.table(name)} (${quote(keyColumn(column))})`;
    yield { sql: `CREATE UNIQUE INDEX ${indexName(name, column.name)} ON ${on}` };
  }
}

/** Fills a new table from the old one and swaps it in. Both engines change column types this way. */
export function changeTable(dialect: TypedDialect, before: TableDefinition, after: TableDefinition): Steps<void> {
  return atomically(replaceTable(dialect, before, after));
}

function* replaceTable(dialect: TypedDialect, before: TableDefinition, after: TableDefinition): Steps<void> {
  yield* announceChange(dialect);
  const { name } = after;
  const [old, fresh] = [dialect.table(name), dialect.table(name, FRESH)];
  const known = new Map(before.columns.map((column) => [column.name, column]));
  const filled = [NUMBER_COLUMN];
  const values = [NUMBER_COLUMN];
  for (const column of after.columns) {
    const source = known.get(column.name);
    if (column.unique) yield* refuseAbsent(old, column, source);
    if (!source) continue;
    filled.push(column.name);
    if (source.type === 'text' && column.type === 'text') {
      filled.push(keyColumn(column));
      values.push(column.name, keyColumn(column));
      continue;
    }
    const value = yield* converted(dialect, old, source, column);
    values.push(value);
    if (column.type !== 'text') continue;
    filled.push(keyColumn(column));
    values.push(value === 'NULL' ? value : dialect.fold(value));
  }
  yield { sql: tableSql(dialect, after, fresh) };
  const into = filled.map((each) => quote(each)).join(', ');
  yield { sql: `INSERT INTO ${fresh} (${into}) SELECT ${values.join(', ')} FROM ${old} ORDER BY n` };
  for (const column of after.columns) {
    const source = known.get(column.name);
    if (column.unique && !(source?.unique && source.type === column.type)) yield* refuseRepeated(fresh, column);
  }
  yield { sql: `DROP TABLE ${old}` };
  yield { sql: `ALTER TABLE ${fresh} RENAME TO ${dialect.bareName(name)}` };
  yield* createIndexes(dialect, after);
  const raise = dialect.raiseNumbers(old);
  if (raise !== undefined) yield { sql: raise, reads: true };
  yield* changeSpellings(dialect, before, after);
}

/** Returns the SQL of a column's values in its new type; throws if the type cannot represent one of them. */
function* converted(dialect: TypedDialect, table: string, from: ColumnDefinition, to: ColumnDefinition): Steps<string> {
  const column = quote(from.name);
  const conversion = conversionOf(dialect, from.type, to.type, column);
  if (conversion && conversion.refuses === undefined) return conversion.value;
  const unfit = `${column} IS NOT NULL${conversion ? ` AND ${conversion.refuses}` : ''}`;
  const found = yield* first(`SELECT 1 FROM ${table} WHERE ${unfit} LIMIT 1`);
  if (found) throw new UnconvertibleError(from.name, from.type, to.type);
  return conversion?.value ?? 'NULL';
}

function* refuseAbsent(table: string, column: ColumnDefinition, source: ColumnDefinition | undefined): Steps<void> {
  const absent = source ? ` WHERE ${quote(source.name)} IS NULL` : '';
  const found = yield* first(`SELECT 1 FROM ${table}${absent} LIMIT 1`);
  if (found) throw new DuplicateValueError(column.name, null);
}

function* refuseRepeated(table: string, column: ColumnDefinition): Steps<void> {
  const key = quote(keyColumn(column));
  const repeated = `SELECT min(n) FROM ${table} GROUP BY ${key} HAVING count(*) > 1 LIMIT 1`;
  const found = yield* first(`SELECT ${quote(column.name)} FROM ${table} WHERE n IN (${repeated})`);
  if (found) throw new DuplicateValueError(column.name, cellOf(column.type, found[0]));
}

function* changeSpellings(dialect: TypedDialect, before: TableDefinition, after: TableDefinition): Steps<void> {
  const texts = new Set(after.columns.filter(({ type }) => type === 'text').map(({ name }) => name));
  const known = new Map(before.columns.map(({ name, type }) => [name, type]));
  for (const [name, type] of known) {
    if (type === 'text' && !texts.has(name)) yield* forgetSpellings(dialect, after.name, name);
  }
  for (const name of texts) {
    const type = known.get(name);
    if (type !== undefined && type !== 'text') yield* collectSpellings(dialect, after.name, name);
  }
}
