import { omitAbsent } from '../../../kernel/values/index.ts';
import { columnType, DATA_TYPES } from './data-types.ts';
import { below, readFields } from './fields.ts';
import type { Mistakes } from './mistakes.ts';
import { COLUMN_SHAPE, MEASURE_SHAPE, SOURCE_SHAPE, TABLE_SHAPE } from './shapes.ts';
import type { Column, Measure, Table } from './types.ts';

/** A column before it is assigned a column of the typed table. */
export type DraftColumn = Omit<Column, 'storage'>;

/** A table as parsed from a request. */
export interface DraftTable extends Omit<Table, 'storage' | 'schema' | 'columns'> {
  readonly columns: readonly DraftColumn[];
  /** Not converted yet. */
  readonly rows: readonly unknown[];
}

/** Adds every mistake and returns undefined if the value is not a valid table. */
export function readTable(value: unknown, at: string, mistakes: Mistakes): DraftTable | undefined {
  const table = readFields(value, TABLE_SHAPE, at, mistakes);
  if (!table) return undefined;
  const columns = readEach(table.columns, below(at, 'columns'), (each, place) => readColumn(each, place, mistakes));
  const measures = readEach(table.measures, below(at, 'measures'), (each, place) =>
    readFields(each, MEASURE_SHAPE, place, mistakes),
  );
  const source = readEach(table.source, below(at, 'source'), (each, place) =>
    readFields(each, SOURCE_SHAPE, place, mistakes),
  );
  if (table.columns.length === 0) mistakes.add(below(at, 'columns'), "'columns' must have at least one column.");
  checkUnique(columns, below(at, 'columns'), 'column', mistakes);
  checkNamesake(columns, measures, below(at, 'measures'), mistakes);
  const { name, description, isHidden } = table;
  return {
    ...omitAbsent({ description, isHidden, source: table.source && source }),
    name,
    columns: withSortColumns(columns, below(at, 'columns'), mistakes),
    measures,
    rows: table.rows ?? [],
  };
}

/** Invalid items are left out; their mistakes reject the request. */
export function readEach<T>(
  list: readonly unknown[] | undefined,
  at: string,
  read: (each: unknown, place: string) => T | undefined,
): T[] {
  const found: T[] = [];
  for (const [i, each] of (list ?? []).entries()) {
    const value = read(each, `${at}[${i}]`);
    if (value !== undefined) found.push(value);
  }
  return found;
}

function readColumn(value: unknown, at: string, mistakes: Mistakes): DraftColumn | undefined {
  const column = readFields(value, COLUMN_SHAPE, at, mistakes);
  if (!column) return undefined;
  const { dataType, ...rest } = column;
  const type = columnType(dataType);
  if (type) return { ...rest, type };
  const known = Object.values(DATA_TYPES).join(', ');
  mistakes.add(below(at, 'dataType'), `'${dataType}' is not a data type; use one of ${known}.`);
  return undefined;
}

/** Names are case-insensitive, here and in queries. */
export const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

export function checkUnique(
  named: readonly { readonly name: string }[],
  at: string,
  what: string,
  mistakes: Mistakes,
): void {
  const seen = new Set<string>();
  for (const { name } of named) {
    const key = name.toLowerCase();
    if (seen.has(key)) mistakes.add(at, `There are two ${what}s with the name '${name}'.`);
    seen.add(key);
  }
}

/** `T[x]` must be unambiguous, so a measure must not have the name of a column of its table. */
function checkNamesake(columns: readonly DraftColumn[], measures: readonly Measure[], at: string, mistakes: Mistakes) {
  const taken = new Set(columns.map(({ name }) => name.toLowerCase()));
  for (const { name } of measures) {
    if (taken.has(name.toLowerCase())) mistakes.add(at, `The measure '${name}' has the name of a column of its table.`);
  }
}

/** Replaces names in `sortByColumn` by the spelling of the columns, and rejects columns that are sorted by each other. */
function withSortColumns(columns: readonly DraftColumn[], at: string, mistakes: Mistakes): readonly DraftColumn[] {
  const byName = new Map(columns.toReversed().map((column) => [column.name.toLowerCase(), column]));
  const sorterOf = ({ sortByColumn }: DraftColumn): DraftColumn | undefined =>
    sortByColumn === undefined ? undefined : byName.get(sortByColumn.toLowerCase());
  const rings = ringsAmong(columns, sorterOf);
  return columns.map((column) => {
    const { name, sortByColumn } = column;
    if (sortByColumn === undefined) return column;
    const found = sorterOf(column);
    if (found && !rings.has(column)) return { ...column, sortByColumn: found.name };
    const why = !found
      ? 'is not a column of the table'
      : found === column
        ? 'is the column itself'
        : 'is sorted by this one';
    mistakes.add(at, `'sortByColumn' of the column '${name}': '${sortByColumn}' ${why}.`);
    return column;
  });
}

/** The items on a cycle. Visits each item once, because a request can have thousands. */
function ringsAmong<T>(all: readonly T[], next: (one: T) => T | undefined): ReadonlySet<T> {
  const rings = new Set<T>();
  const seen = new Set<T>();
  for (const start of all) {
    const path = new Set<T>();
    let at: T | undefined = start;
    for (; at !== undefined && !seen.has(at); at = next(at)) {
      seen.add(at);
      path.add(at);
    }
    for (; at !== undefined && path.delete(at); at = next(at)) rings.add(at);
  }
  return rings;
}
