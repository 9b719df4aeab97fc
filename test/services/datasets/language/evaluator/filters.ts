import {
  type BaseTable,
  BLANK_ROW,
  expandedColumns,
  expandedRow,
  hasBlankRow,
  type Link,
  placesOf,
  placesWithBlankRow,
} from './database.ts';
import { distinctRows, type Table } from './tables.ts';
import { EvaluationError, isSame, type Value } from './values.ts';

/** A set of tuples over model columns; a row is visible if its values match one of them. */
export interface Filter {
  readonly columns: readonly string[];
  readonly tuples: readonly (readonly Value[])[];
}

/** A row must pass all filters. */
export type FilterContext = readonly Filter[];

/** The table's model columns, including hidden ones, as a filter. */
export function filterOf(table: Table): Filter {
  const places = table.columns.flatMap((column, place) => (column.lineage === undefined ? [] : [place]));
  if (places.length === 0) throw new EvaluationError('a table without columns of the model cannot be a filter');
  return {
    columns: places.map((place) => table.columns[place]!.lineage!),
    tuples: distinctRows(table.rows.map((row) => places.map((place) => row[place]!))),
  };
}

/** Removes columns from filters; a filter on several columns keeps the rest. */
export function withoutColumns(filters: FilterContext, dropped: readonly string[]): FilterContext {
  return filters.flatMap((filter) => {
    const kept = filter.columns.flatMap((column, place) => (dropped.includes(column) ? [] : [place]));
    if (kept.length === filter.columns.length) return [filter];
    if (kept.length === 0) return [];
    return [
      {
        columns: kept.map((place) => filter.columns[place]!),
        tuples: distinctRows(filter.tuples.map((tuple) => kept.map((place) => tuple[place]!))),
      },
    ];
  });
}

/** The added filters replace those on the same columns and apply together. */
export const replacing = (filters: FilterContext, added: FilterContext): FilterContext => [
  ...withoutColumns(
    filters,
    added.flatMap((filter) => filter.columns),
  ),
  ...added,
];

/** True if a row with these values passes, considering only the filter's columns. */
export function admits(filter: Filter, columns: readonly (string | undefined)[], row: readonly Value[]): boolean {
  const shared = filter.columns.flatMap((column, place) =>
    columns.includes(column) ? [[place, columns.indexOf(column)] as const] : [],
  );
  if (shared.length === 0) return true;
  return filter.tuples.some((tuple) => shared.every(([left, right]) => isSame(tuple[left]!, row[right]!)));
}

/**
 * True if any filter reaches a table over any relationship except `except`: always from its parents, from a child only if filters flow both
 * ways.
 */
function isAffected(filters: FilterContext, table: BaseTable, except: Link): boolean {
  return (
    filters.some((filter) => table.own.some((column) => filter.columns.includes(column.lineage!))) ||
    table.parents.some((link) => link !== except && isAffected(filters, link.parent, link)) ||
    table.children.some((link) => link !== except && link.both && isAffected(filters, link.child, link))
  );
}

/** True if a row is visible, considering filters over all relationships except `except`. */
function isVisible(filters: FilterContext, table: BaseTable, place: number, except?: Link): boolean {
  const columns = expandedColumns(table).map((column) => column.lineage);
  const row = expandedRow(table, place);
  return (
    filters.every((filter) => admits(filter, columns, row)) &&
    table.parents.every((link) => link === except || isVisible(filters, link.parent, parentPlace(link, place), link)) &&
    table.children.every(
      (link) =>
        link === except ||
        !link.both ||
        !isAffected(filters, link.child, link) ||
        placesWithBlankRow(link.child).some(
          (child) => parentPlace(link, child) === place && isVisible(filters, link.child, child, link),
        ),
    )
  );
}

const parentPlace = (link: Link, place: number): number => (place === BLANK_ROW ? BLANK_ROW : link.parentOf[place]!);

export interface RowsOptions {
  readonly blankRow: boolean;
}

/** The visible rows of a base table with its expanded columns; the blank row only if requested. */
export function visibleRows(filters: FilterContext, table: BaseTable, { blankRow }: RowsOptions): Table {
  const places = blankRow && hasBlankRow(table) ? placesWithBlankRow(table) : placesOf(table);
  return {
    columns: expandedColumns(table),
    rows: places.filter((place) => isVisible(filters, table, place)).map((place) => expandedRow(table, place)),
  };
}
