import { type Reader, StoreError } from '../../../../kernel/store/index.ts';
import { BlobGone } from '../../blobs/store.ts';
import type { TableFile } from '../../catalog/tables/collections.ts';
import type { Column } from '../../catalog/tables/columns.ts';
import type { Cell } from '../../catalog/tables/data/cells.ts';
import { filePages } from '../../catalog/tables/data/files.ts';
import { readRows } from '../../catalog/tables/data/rows.ts';
import { castOf } from '../sql/cast.ts';
import { compare } from '../sql/compare.ts';
import { problems, SqlProblem } from '../sql/problem.ts';
import type { ColumnBound, ReadRequest } from '../sql/relations.ts';
import { isNumeric, type SqlValue, simple } from '../sql/types.ts';
import { sqlTypeOf } from './types.ts';

/** Reads the files of one version of a table, except those whose statistics exclude the requested rows. */

export interface Snapshot {
  readonly table: string;
  readonly version: number;
  readonly columns: readonly Column[];
  /** For a shared table: returns true if the share includes a file. */
  readonly isGiven?: ((file: TableFile) => boolean) | undefined;
}

type Row = readonly Cell[];

/** The files that may contain rows that satisfy the conditions. */
export async function* filesFor(
  reader: Reader,
  { table, version, columns, isGiven = () => true }: Snapshot,
  bounds: readonly ColumnBound[],
): AsyncGenerator<TableFile> {
  for await (const page of filePages(reader, table, version))
    for (const file of page) if (isGiven(file) && bounds.every((bound) => mayHave(file, columns, bound))) yield file;
}

export async function* rowsOf(
  reader: Reader,
  snapshot: Snapshot,
  { needed, bounds }: ReadRequest,
): AsyncGenerator<readonly Row[]> {
  for await (const file of filesFor(reader, snapshot, bounds))
    yield* rowsOfFile(reader, file, snapshot.columns, needed);
}

/** The rows of a file, with nulls in place of columns that are not needed. */
export async function* rowsOfFile(
  reader: Reader,
  file: TableFile,
  columns: readonly Column[],
  needed?: ReadonlySet<number>,
): AsyncGenerator<readonly Row[]> {
  const some = needed && needed.size < columns.length ? [...needed].sort((one, other) => one - other) : undefined;
  const read = some ? some.map((index) => columns[index] as Column) : columns;
  // Reads at least one column, which determines the number of rows.
  const named = read.length === 0 ? columns.slice(0, 1) : read;
  try {
    for await (const group of readRows(reader, file, named))
      yield some ? group.map((row) => spread(row, some, columns.length)) : group;
  } catch (error) {
    if (error instanceof BlobGone) throw problems.fileGone(file.path);
    // A file of a volume may have any content.
    if (file.borrowed && error instanceof Error && !(error instanceof StoreError))
      throw problems.badFile(file.path, error.message);
    throw error;
  }
}

function spread(row: Row, places: readonly number[], width: number): Row {
  const whole: Cell[] = new Array(width).fill(null);
  for (const [index, place] of places.entries()) whole[place] = row[index] ?? null;
  return whole;
}

/** Returns false if the statistics of a file exclude rows that satisfy the condition. */
function mayHave({ stats }: TableFile, columns: readonly Column[], { column: place, op, value }: ColumnBound): boolean {
  const column = columns[place];
  if (!column) return true;
  const { name } = column;
  if (stats.numRecords > 0 && stats.nullCount[name] === stats.numRecords) return false;
  const [least, most] = [bounded(column, stats.minValues[name]), bounded(column, stats.maxValues[name])];
  if (least !== undefined && op !== '>' && op !== '>=') {
    const order = compare(least, value);
    if (order > 0 || (op === '<' && order === 0)) return false;
  }
  if (most !== undefined && op !== '<' && op !== '<=') {
    const order = compare(most, value);
    if (order < 0 || (op === '>' && order === 0)) return false;
  }
  return true;
}

/** A bound of the statistics as a SQL value; undefined if it is missing or not exact. */
function bounded(column: Column, bound: unknown): Exclude<SqlValue, null> | undefined {
  if (typeof bound !== 'string' && typeof bound !== 'number') return undefined;
  const type = sqlTypeOf(column);
  if (type.kind === 'STRING') return typeof bound === 'string' ? bound : undefined;
  // NaN is greater than all bounds, but the statistics do not include it.
  if (type.kind === 'FLOAT' || type.kind === 'DOUBLE') return undefined;
  if (isNumeric(type) !== (typeof bound === 'number')) return undefined;
  const convert = castOf(simple('STRING'), type);
  try {
    return convert?.(String(bound)) ?? undefined;
  } catch (error) {
    if (error instanceof SqlProblem) return undefined;
    throw error;
  }
}
