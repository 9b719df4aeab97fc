import { EvaluationError, identityOfRow, type Value } from './values.ts';

/** A column of a table that an expression gives. */
export interface Column {
  /** How it is named in expressions: `T[c]` for a column of the model under its own name, `[c]` for any other. */
  readonly table: string | undefined;
  readonly name: string;
  /** The column of the model whose values these are, as `T[c]`; computed columns have none. */
  readonly lineage: string | undefined;
  /** A column of a parent that rows of a base table bring along: it filters and groups, but is not part of the result. */
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

/** These columns of a table, in this order; rows stay as many. */
export const project = (table: Table, places: readonly number[]): Table => ({
  columns: places.map((place) => table.columns[place]!),
  rows: table.rows.map((row) => places.map((place) => row[place]!)),
});

export const withoutHidden = (table: Table): Table =>
  project(
    table,
    table.columns.flatMap((column, place) => (column.hidden ? [] : [place])),
  );

/** A table of one row and one column stands for its value, one without rows for BLANK. */
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
  // A new column has a name that no other has; those of two tables may share one.
  const isNamesake = (one: Column, other: Column): boolean =>
    (one.table === undefined || other.table === undefined) && sameName(one.name, other.name);
  for (const column of shown) {
    const key = keyOf(column).toLowerCase();
    const isTaken = seen.has(key) || shown.some((other) => other !== column && isNamesake(other, column));
    if (isTaken) throw new EvaluationError(`duplicate column ${keyOf(column)}`);
    seen.add(key);
  }
}
