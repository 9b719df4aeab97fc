import type { ColumnReference, Expression } from '../../../../../src/services/datasets/language/syntax/ast.ts';
import { type BaseTable, columnOf, type Database, tableNamed } from './database.ts';
import { type FilterContext, replacing } from './filters.ts';
import { type Column, sameName, type Table } from './tables.ts';
import { EvaluationError, type Value } from './values.ts';

/** The current row of an iteration over a table. */
export interface Frame {
  readonly columns: readonly Column[];
  readonly row: readonly Value[];
}

/** A measure defined in the model or the query. */
export interface KnownMeasure {
  readonly table: string;
  readonly name: string;
  readonly expression: Expression;
}

export type Variables = ReadonlyMap<string, Value | Table>;

/** Everything on which the value of an expression depends. */
export interface Scope {
  readonly database: Database;
  readonly measures: readonly KnownMeasure[];
  readonly filters: FilterContext;
  /** Innermost row last. */
  readonly frames: readonly Frame[];
  readonly variables: Variables;
}

/** The two ways to evaluate an expression, handed to functions that need them. */
export interface Evaluator {
  scalar(expression: Expression, scope: Scope): Value;
  table(expression: Expression, scope: Scope): Table;
}

export const withRow = (scope: Scope, columns: readonly Column[], row: readonly Value[]): Scope => ({
  ...scope,
  frames: [...scope.frames, { columns, row }],
});

export const withVariable = (scope: Scope, name: string, value: Value | Table): Scope => ({
  ...scope,
  variables: new Map([...scope.variables, [name.toLowerCase(), value]]),
});

export const isTable = (value: Value | Table): value is Table =>
  typeof value === 'object' && value !== null && 'rows' in value;

/** Turns all current rows into filters, one per model column; inner rows take precedence. */
export function transit(scope: Scope): FilterContext {
  let { filters } = scope;
  for (const { columns, row } of scope.frames) {
    const added = columns.flatMap(({ lineage, hidden }, place) =>
      lineage === undefined || hidden ? [] : [{ columns: [lineage], tuples: [[row[place]!]] }],
    );
    filters = replacing(filters, added);
  }
  return filters;
}

/** Finds a column in the current rows, innermost first. */
export function findInRows(
  { frames }: Scope,
  matches: (column: Column) => boolean,
): { readonly value: Value } | undefined {
  for (const { columns, row } of frames.toReversed()) {
    const place = columns.findIndex(matches);
    if (place >= 0) return { value: row[place]! };
  }
  return undefined;
}

/** True if the reference names the column. */
export const isReferenced = (column: Column, { table, name }: Pick<ColumnReference, 'table' | 'name'>): boolean =>
  !column.hidden &&
  sameName(column.name, name) &&
  (table === undefined || (column.table !== undefined && sameName(column.table, table)));

export const readColumn = (scope: Scope, reference: ColumnReference): { readonly value: Value } | undefined =>
  findInRows(scope, (column) => isReferenced(column, reference));

export function findMeasure(scope: Scope, { table, name }: ColumnReference): KnownMeasure | undefined {
  return scope.measures.find(
    (measure) => sameName(measure.name, name) && (table === undefined || sameName(measure.table, table)),
  );
}

export interface ColumnArgument {
  readonly table: BaseTable;
  readonly column: Column;
}

/** `T[c]` as the argument of a function that requires a model column. */
export function columnArgument(scope: Scope, expression: Expression | undefined): ColumnArgument {
  if (expression?.kind !== 'column') throw new EvaluationError('a column is expected');
  if (expression.table === undefined)
    throw new EvaluationError(`cannot identify the table that contains [${expression.name}] column`);
  const table = tableNamed(scope.database, expression.table);
  return { table, column: columnOf(table, expression.name) };
}

/** True for the name of a model table that no variable hides. */
export const isBaseTable = (scope: Scope, expression: Expression | undefined): boolean =>
  expression?.kind === 'name' &&
  !scope.variables.has(expression.name.toLowerCase()) &&
  scope.database.tables.some((table) => sameName(table.name, expression.name));

export function tableArgument(scope: Scope, expression: Expression | undefined): BaseTable {
  if (expression?.kind !== 'name') throw new EvaluationError('a table of the model is expected');
  return tableNamed(scope.database, expression.name);
}

/** An argument that must not be omitted. */
export function required(expression: Expression | undefined, called: string): Expression {
  if (expression === undefined) throw new EvaluationError(`too few arguments were passed to the ${called} function`);
  return expression;
}

/** The name of a new column. */
export function nameArgument(expression: Expression | undefined): string {
  if (expression?.kind !== 'literal' || typeof expression.value !== 'string')
    throw new EvaluationError('the name of a column must be a string constant');
  return expression.value;
}

export const computed = (name: string): Column => ({ table: undefined, name, lineage: undefined, hidden: false });
