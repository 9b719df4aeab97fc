import { DuplicateValue, StoreError } from '../errors.ts';
import { cellOf, checkWidth, storedColumn } from './cells.ts';
import { uniqueColumns } from './definitions.ts';
import type { InsertedColumn, TypedDialect } from './dialect.ts';
import { foldText } from './fold.ts';
import { type ColumnTexts, spell } from './spellings.ts';
import { first, type Steps, whole } from './steps.ts';
import { type Cell, type ColumnDefinition, keyColumn, type TableDefinition } from './types.ts';

/** What an index of PostgreSQL takes for a key, with room to spare. */
const LONGEST_KEY_BYTES = 2000;

interface Column {
  readonly definition: ColumnDefinition;
  readonly values: Cell[];
  /** By which the column is compared: of texts what they fold to, otherwise the values themselves. */
  readonly keys: readonly Cell[];
}

/** Adds rows at the end of a table, in the spellings that its texts came in first. */
export function* append(
  dialect: TypedDialect,
  table: TableDefinition,
  rows: readonly (readonly Cell[])[],
): Steps<void> {
  const columns = columnsOf(table, rows);
  const added = appendColumns(dialect, table, columns, rows.length);
  if (uniqueColumns(table).length === 0) return yield* added;
  try {
    yield* whole(added);
  } catch (error) {
    throw error instanceof RowsExist ? yield* duplicateOf(dialect, table, columns, rows) : error;
  }
}

function* appendColumns(
  dialect: TypedDialect,
  table: TableDefinition,
  columns: readonly Column[],
  count: number,
): Steps<void> {
  const texts = columns.filter(({ definition }) => definition.type === 'text');
  const found = texts.map(firstSpellings);
  yield* spell(dialect, table.name, found);
  for (const [i, { values, keys }] of texts.entries()) respell(values, keys, found[i]!.firsts);
  yield* insert(dialect, table, columns, count);
}

/** Rows with the numbers that they had, as they were captured. Throws where the table has some of them already. */
export function* appendNumbered(
  dialect: TypedDialect,
  table: TableDefinition,
  numbers: readonly number[],
  rows: readonly (readonly Cell[])[],
): Steps<void> {
  yield* insert(dialect, table, columnsOf(table, rows), rows.length, numbers);
  const raise = dialect.raiseNumbers(dialect.table(table.name));
  if (raise !== undefined) yield { sql: raise, reads: true };
}

function columnsOf({ columns }: TableDefinition, rows: readonly (readonly Cell[])[]): Column[] {
  checkWidth(columns, rows);
  return columns.map((definition, position) => {
    const values = storedColumn(definition, rows, position);
    const keys = definition.type === 'text' ? folded(values) : values;
    if (definition.unique) checkUnique(definition, values, keys);
    return { definition, values, keys };
  });
}

/** Most columns of text have few texts again and again. */
function folded(values: readonly Cell[]): Cell[] {
  const known = new Map<Cell, Cell>([[null, null]]);
  return values.map((value) => {
    const found = known.get(value);
    if (found !== undefined) return found;
    const fold = foldText(String(value));
    known.set(value, fold);
    return fold;
  });
}

function checkUnique({ name, type }: ColumnDefinition, values: readonly Cell[], keys: readonly Cell[]): void {
  const seen = new Set<Cell>();
  for (const [i, key] of keys.entries()) {
    const same = comparable(key);
    if (same === null || seen.has(same)) throw new DuplicateValue(name, values[i]!);
    seen.add(same);
    if (type !== 'text' || String(key).length * 3 <= LONGEST_KEY_BYTES) continue;
    if (Buffer.byteLength(String(key)) > LONGEST_KEY_BYTES)
      throw new StoreError('BAD_VALUE', `row ${i + 1} has a text in ${name} that is too long for a unique column`);
  }
}

function firstSpellings({ definition, values, keys }: Column): ColumnTexts {
  const firsts = new Map<string, string>();
  for (const [i, key] of keys.entries()) {
    if (typeof key === 'string' && !firsts.has(key)) firsts.set(key, String(values[i]));
  }
  return { column: definition.name, firsts };
}

function respell(values: Cell[], keys: readonly Cell[], spelled: ReadonlyMap<string, string>): void {
  if (spelled.size === 0) return;
  for (const [i, key] of keys.entries()) {
    if (typeof key === 'string') values[i] = spelled.get(key) ?? values[i]!;
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
  // Not left to the database: PostgreSQL reports a violation as it reports two transactions that got in each other's way.
  if (skipsDuplicates && written < count) throw new RowsExist(`${count - written} rows of ${table.name} exist already`);
}

/** Some rows of a batch were left out, as the table has them already. */
export class RowsExist extends Error {}

/** Names a value that the table has already, once the batch is out of it again. */
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
    return new DuplicateValue(definition.name, sent?.[position] ?? present);
  }
  return new StoreError('CONFLICT', `rows of ${table.name} were written and removed by another transaction meanwhile`);
}

/** A bigint that is small enough is the same value as a number. */
function sameCell(one: Cell, other: Cell): boolean {
  return comparable(one) === comparable(other);
}

function comparable(cell: Cell): Cell {
  return typeof cell === 'bigint' && Number.isSafeInteger(Number(cell)) ? Number(cell) : cell;
}
