import { DuplicateValueError, StoreError, UnfitValueError } from '../errors.ts';
import { cellOf, checkWidth, storedColumn } from './cells.ts';
import { uniqueColumns } from './definitions.ts';
import type { InsertedColumn, TypedDialect } from './dialect.ts';
import { foldText } from './fold.ts';
import type { KnownColumn, LearnedColumn } from './spelling-cache.ts';
import { spell } from './spellings.ts';
import { atomically, first, type Steps } from './steps.ts';
import { TextColumn } from './text-column.ts';
import { type Cell, type ColumnDefinition, keyColumn, type TableDefinition } from './types.ts';

/** The size of a key that an index of PostgreSQL accepts, with a safety margin. */
const LONGEST_KEY_BYTES = 2000;

interface Column {
  readonly definition: ColumnDefinition;
  readonly values: readonly Cell[];
  /** The values used for comparison: folded texts, or the values themselves for other types. */
  readonly keys: readonly Cell[];
}

/** What appending needs besides the table's definition. */
export interface AppendContext {
  readonly dialect: TypedDialect;
  /** Spellings of a column that committed transactions have learned. */
  known(column: string): KnownColumn | undefined;
}

/** Appends rows to a table, with each text in the spelling that came first into its column. Returns the new spellings. */
export function* append(
  context: AppendContext,
  table: TableDefinition,
  rows: readonly (readonly Cell[])[],
): Steps<readonly LearnedColumn[]> {
  checkWidth(table.columns, rows);
  const texts: TextColumn[] = [];
  const columns = table.columns.map((definition, position): Column => {
    if (definition.type !== 'text') return columnOf(definition, rows, position);
    const text = new TextColumn(definition, rows, position, context.known(definition.name));
    texts.push(text);
    return text;
  });
  for (const [position, column] of columns.entries()) if (column.definition.unique) checkUnique(column, rows, position);
  const added = appendColumns(context.dialect, table, columns, texts, rows.length);
  if (uniqueColumns(table).length === 0) return yield* added;
  try {
    return yield* atomically(added);
  } catch (error) {
    throw error instanceof RowsExist ? yield* duplicateOf(context.dialect, table, columns, rows) : error;
  }
}

function* appendColumns(
  dialect: TypedDialect,
  table: TableDefinition,
  columns: readonly Column[],
  texts: readonly TextColumn[],
  count: number,
): Steps<readonly LearnedColumn[]> {
  const unknown = texts.filter(({ isKnown }) => !isKnown);
  yield* spell(dialect, table.name, unknown);
  const learned = unknown.map((column) => column.learn());
  yield* insert(dialect, table, columns, count);
  return learned;
}

/** Appends captured rows with their original numbers. Throws if the table already has one of them. */
export function* appendNumbered(
  dialect: TypedDialect,
  table: TableDefinition,
  numbers: readonly number[],
  rows: readonly (readonly Cell[])[],
): Steps<void> {
  checkWidth(table.columns, rows);
  const columns = table.columns.map((definition, position) => columnOf(definition, rows, position));
  for (const [position, column] of columns.entries()) if (column.definition.unique) checkUnique(column, rows, position);
  yield* insert(dialect, table, columns, rows.length, numbers);
  const raise = dialect.raiseNumbers(dialect.table(table.name));
  if (raise !== undefined) yield { sql: raise, reads: true };
}

/** For columns of any type; a text keeps its spelling. */
function columnOf(definition: ColumnDefinition, rows: readonly (readonly Cell[])[], position: number): Column {
  const values = storedColumn(definition, rows, position);
  const isText = definition.type === 'text';
  const keys = isText ? values.map((value) => (value === null ? null : foldText(String(value)))) : values;
  return { definition, values, keys };
}

function checkUnique({ definition, keys }: Column, rows: readonly (readonly Cell[])[], position: number): void {
  const { name, type } = definition;
  const seen = new Set<Cell>();
  for (const [i, key] of keys.entries()) {
    const same = comparable(key);
    if (same === null || seen.has(same)) throw new DuplicateValueError(name, rows[i]![position]!);
    seen.add(same);
    if (type !== 'text' || String(key).length * 3 <= LONGEST_KEY_BYTES) continue;
    if (Buffer.byteLength(String(key)) > LONGEST_KEY_BYTES)
      throw new UnfitValueError(name, i, `has more than ${LONGEST_KEY_BYTES} bytes, too many for a unique column`);
  }
}

function* insert(
  dialect: TypedDialect,
  table: TableDefinition,
  columns: readonly Column[],
  count: number,
  numbers?: readonly number[],
): Steps<void> {
  const inserted: InsertedColumn[] = numbers ? [{ name: 'n', type: 'int64', values: numbers }] : [];
  for (const { definition, values, keys } of columns) {
    const { name, type } = definition;
    inserted.push({ name, type, values });
    if (type === 'text') inserted.push({ name: keyColumn(definition), type, values: keys });
  }
  const skipsDuplicates = numbers !== undefined || columns.some(({ definition }) => definition.unique);
  let written = 0;
  for (const step of dialect.inserts({ table: dialect.table(table.name), columns: inserted, count, skipsDuplicates })) {
    written += (yield step).count;
  }
  // Not left to the database: PostgreSQL reports a violation like a conflict between two transactions.
  if (skipsDuplicates && written < count) throw new RowsExist(`${count - written} rows of ${table.name} exist already`);
}

/** Some rows of a batch were skipped, because the table already has them. */
export class RowsExist extends Error {}

/** Finds a value that the table already has. Call it after the batch was rolled back. */
function* duplicateOf(
  dialect: TypedDialect,
  table: TableDefinition,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
): Steps<Error> {
  for (const [position, { definition, keys }] of columns.entries()) {
    if (!definition.unique) continue;
    const key = keyColumn(definition);
    const condition = dialect.among(key, dialect.placeholder(1), definition.type);
    const sql = `SELECT ${key} FROM ${dialect.table(table.name)} WHERE ${condition} LIMIT 1`;
    const found = yield* first(sql, [dialect.list(keys)]);
    if (!found) continue;
    const present = cellOf(definition.type, found[0]);
    const sent = rows[keys.findIndex((each) => sameCell(each, present))];
    return new DuplicateValueError(definition.name, sent?.[position] ?? present);
  }
  return new StoreError('CONFLICT', `rows of ${table.name} were written and removed by another transaction meanwhile`);
}

/** A bigint in the range of safe integers equals the same number. */
function sameCell(one: Cell, other: Cell): boolean {
  return comparable(one) === comparable(other);
}

function comparable(cell: Cell): Cell {
  return typeof cell === 'bigint' && Number.isSafeInteger(Number(cell)) ? Number(cell) : cell;
}
