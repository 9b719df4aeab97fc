import { EvaluationError, identityOfRow, type Value } from './values.ts';

/** A column of a table expression. */
export interface Column {
  /** The name in expressions: `T[c]` for a model column under its own name, `[c]` for any other column. */
  readonly table: string | undefined;
  readonly name: string;
  /** The model column that the values come from, as `T[c]`; undefined for computed columns. */
  readonly lineage: string | undefined;
  /** A parent's column that rows of a base table carry along: it filters and groups, but is not part of the result. */
  readonly hidden: boolean;
}

export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Value[])[];
}

export const columnId = (table: string, column: string): string => `${table}[${column}]`;

export const keyOf = (column: Column): string => columnId(column.table ?? '', column.name);

export const sameName = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase();

export function distinctRows(rows: readonly (readonly Value[])[]): readonly (readonly Value[])[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const identity = identityOfRow(row);
    return !seen.has(identity) && seen.add(identity);
  });
}

/** Selects these columns in this order, keeping duplicate rows. */
export const project = (table: Table, places: readonly number[]): Table => ({
  columns: places.map((place) => table.columns[place]!),
  rows: table.rows.map((row) => places.map((place) => row[place]!)),
});

export const withoutHidden = (table: Table): Table =>
  project(
    table,
    table.columns.flatMap((column, place) => (column.hidden ? [] : [place])),
  );

/** A table with one row and one column is used as its value, an empty table as BLANK. */
export function onlyValue(table: Table): Value {
  const visible = withoutHidden(table);
  if (visible.columns.length !== 1) throw new EvaluationError('multiple columns cannot be converted to a scalar value');
  if (visible.rows.length > 1)
    throw new EvaluationError('a table of multiple values was supplied where a single value was expected');
  return visible.rows[0]?.[0] ?? null;
}

export function refuseDuplicateNames(columns: readonly Column[]): void {
  const seen = new Set<string>();
  const shown = columns.filter((one) => !one.hidden);
  // The name of a new column must be unique; columns of two tables may share a name.
  const isNamesake = (one: Column, other: Column): boolean =>
    (one.table === undefined || other.table === undefined) && sameName(one.name, other.name);
  for (const column of shown) {
    const key = keyOf(column).toLowerCase();
    const isTaken = seen.has(key) || shown.some((other) => other !== column && isNamesake(other, column));
    if (isTaken) throw new EvaluationError(`duplicate column ${keyOf(column)}`);
    seen.add(key);
  }
}
