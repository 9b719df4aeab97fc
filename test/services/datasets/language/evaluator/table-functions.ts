import type { Call, Expression } from '../../../../../src/services/datasets/language/syntax/ast.ts';
import { type BaseTable, expandedColumns, expandedRow, placesOf, placesWithBlankRow } from './database.ts';
import { type RowsOptions, visibleRows } from './filters.ts';
import {
  columnArgument,
  computed,
  type Evaluator,
  isBaseTable,
  isReferenced,
  nameArgument,
  required,
  type Scope,
  tableArgument,
  withRow,
} from './scope.ts';
import { type Column, distinctRows, project, refuseDuplicateNames, type Table, withoutHidden } from './tables.ts';
import { EvaluationError, isTrue, sortOrder, toNumber, toText, type Value } from './values.ts';

const TABLE_FUNCTIONS = [
  ...['FILTER', 'VALUES', 'DISTINCT', 'ALL', 'ALLNOBLANKROW', 'SELECTCOLUMNS', 'ADDCOLUMNS', 'SUMMARIZE'],
  ...['SUMMARIZECOLUMNS', 'ROW', 'TOPN', 'UNION', 'CALCULATETABLE', 'RELATEDTABLE'],
];

export const isTableFunction = (name: string): boolean => TABLE_FUNCTIONS.includes(name);

const NO_FILTERS = [] as const;

/** Existing combinations of values of some columns of one table, ignoring all filters. */
export function allOfColumns(table: BaseTable, columns: readonly Column[], options: RowsOptions): Table {
  return distinctOfColumns(visibleRows(NO_FILTERS, table, options), columns);
}

function distinctOfColumns(rows: Table, columns: readonly Column[]): Table {
  const places = columns.map((column) => rows.columns.findIndex(({ lineage }) => lineage === column.lineage));
  const projected = project(rows, places);
  return { columns: projected.columns, rows: distinctRows(projected.rows) };
}

/** VALUES and DISTINCT of a column or a table. */
export function values(evaluator: Evaluator, { name, args: [of] }: Call, scope: Scope): Table {
  const blankRow = name === 'VALUES';
  if (of?.kind === 'column') {
    const { table, column } = columnArgument(scope, of);
    return distinctOfColumns(visibleRows(scope.filters, table, { blankRow }), [column]);
  }
  if (blankRow) {
    if (!isBaseTable(scope, of)) throw new EvaluationError('VALUES takes a column or a table of the model');
    return visibleRows(scope.filters, tableArgument(scope, of), { blankRow });
  }
  const table = evaluator.table(required(of, name), scope);
  return { columns: table.columns, rows: distinctRows(table.rows) };
}

/** ALL and ALLNOBLANKROW used as a table. */
export function all({ name, args }: Call, scope: Scope): Table {
  const blankRow = name === 'ALL';
  if (args[0]?.kind === 'column') {
    const columns = args.map((arg) => columnArgument(scope, arg));
    const { table } = columns[0]!;
    if (columns.some((column) => column.table !== table))
      throw new EvaluationError(`all columns of ${name} must be of one table`);
    return allOfColumns(
      table,
      columns.map(({ column }) => column),
      { blankRow },
    );
  }
  const table = tableArgument(scope, args[0]);
  const places = blankRow ? placesWithBlankRow(table) : placesOf(table);
  return { columns: expandedColumns(table), rows: places.map((place) => expandedRow(table, place)) };
}

export function filtered(evaluator: Evaluator, { name, args: [of, condition] }: Call, scope: Scope): Table {
  const table = evaluator.table(required(of, name), scope);
  const test = required(condition, name);
  return {
    columns: table.columns,
    rows: table.rows.filter((row) => isTrue(evaluator.scalar(test, withRow(scope, table.columns, row)))),
  };
}

interface Pair {
  readonly name: string;
  readonly expression: Expression;
}

export function pairsOf(args: readonly (Expression | undefined)[], called: string): readonly Pair[] {
  const pairs: Pair[] = [];
  for (let place = 0; place < args.length; place += 2)
    pairs.push({ name: nameArgument(args[place]), expression: required(args[place + 1], called) });
  return pairs;
}

export function addColumns(evaluator: Evaluator, { name, args: [of, ...rest] }: Call, scope: Scope): Table {
  const table = evaluator.table(required(of, name), scope);
  const pairs = pairsOf(rest, name);
  const columns = [...table.columns, ...pairs.map((pair) => computed(pair.name))];
  refuseDuplicateNames(columns);
  const rows = table.rows.map((row) => {
    const inner = withRow(scope, table.columns, row);
    return [...row, ...pairs.map(({ expression }) => evaluator.scalar(expression, inner))];
  });
  // The result is no longer a base table: its rows filter only by their own columns.
  return withoutHidden({ columns, rows });
}

/**
 * A reference to a column of the table may omit the name and then keeps its own. Every column reference keeps its lineage, including
 * references to an outer row.
 */
export function selectColumns(evaluator: Evaluator, { name, args: [of, ...rest] }: Call, scope: Scope): Table {
  const table = evaluator.table(required(of, name), scope);
  const columns: Column[] = [];
  const expressions: Expression[] = [];
  for (let place = 0; place < rest.length; place++) {
    const unnamed = rest[place]?.kind === 'column';
    const expression = required(unnamed ? rest[place] : rest[place + 1], name);
    const own = referencedColumn(table, expression);
    if (unnamed && !own) throw new EvaluationError('the name of a column must be a string constant');
    const source = own ?? columnOfOuterRow(scope, expression);
    columns.push(unnamed ? own! : { ...computed(nameArgument(rest[place])), lineage: source?.lineage });
    expressions.push(expression);
    if (!unnamed) place += 1;
  }
  refuseDuplicateNames(columns);
  return {
    columns,
    rows: table.rows.map((row) =>
      expressions.map((expression) => evaluator.scalar(expression, withRow(scope, table.columns, row))),
    ),
  };
}

/** The table column that an expression passes on unchanged. */
function referencedColumn({ columns }: Pick<Table, 'columns'>, expression: Expression): Column | undefined {
  return expression.kind === 'column' ? columns.find((column) => isReferenced(column, expression)) : undefined;
}

function columnOfOuterRow({ frames }: Scope, expression: Expression): Column | undefined {
  for (const frame of frames.toReversed()) {
    const found = referencedColumn(frame, expression);
    if (found) return found;
  }
  return undefined;
}

export function rowOf(evaluator: Evaluator, { name, args }: Call, scope: Scope): Table {
  const pairs = pairsOf(args, name);
  const columns = pairs.map((pair) => computed(pair.name));
  refuseDuplicateNames(columns);
  return { columns, rows: [pairs.map(({ expression }) => evaluator.scalar(expression, scope))] };
}

function isAscending(evaluator: Evaluator, order: Expression | undefined, scope: Scope): boolean {
  if (order === undefined) return false;
  if (order.kind === 'name' && /^(asc|desc)$/i.test(order.name)) return order.name.toLowerCase() === 'asc';
  return isTrue(evaluator.scalar(order, scope));
}

/** Drops rows that have at least `wanted` rows before them; rows with equal keys are kept or dropped together. */
export function topRows(evaluator: Evaluator, { name, args: [wanted, of, ...rest] }: Call, scope: Scope): Table {
  const count = Number(toNumber(evaluator.scalar(required(wanted, name), scope)));
  const table = evaluator.table(required(of, name), scope);
  const keys: { readonly expression: Expression; readonly sign: number }[] = [];
  for (let place = 0; place < rest.length; place += 2)
    keys.push({
      expression: required(rest[place], name),
      sign: isAscending(evaluator, rest[place + 1], scope) ? 1 : -1,
    });
  const ranked = table.rows.map((row) => ({
    row,
    key: keys.map(({ expression }) => evaluator.scalar(expression, withRow(scope, table.columns, row))),
  }));
  const isBefore = (left: readonly Value[], right: readonly Value[]): boolean => {
    for (const [place, { sign }] of keys.entries()) {
      const order = sign * sortOrder(left[place]!, right[place]!);
      if (order !== 0) return order < 0;
    }
    return false;
  };
  if (keys.length === 0) return { columns: table.columns, rows: table.rows.slice(0, Math.max(0, count)) };
  const kept = ranked.filter(({ key }) => ranked.filter((other) => isBefore(other.key, key)).length < count);
  return { columns: table.columns, rows: kept.map(({ row }) => row) };
}

/** Within a column, text takes precedence over all other types. */
function inCommonType(rows: readonly (readonly Value[])[]): readonly (readonly Value[])[] {
  return rows.map((row) =>
    row.map((value, place) =>
      value !== null && rows.some((other) => typeof other[place] === 'string') ? toText(value) : value,
    ),
  );
}

export function union(evaluator: Evaluator, { name, args }: Call, scope: Scope): Table {
  const tables = args.map((arg) => withoutHidden(evaluator.table(required(arg, name), scope)));
  if (tables.length < 2) throw new EvaluationError('too few arguments were passed to the UNION function');
  const [first] = tables;
  if (tables.some((table) => table.columns.length !== first!.columns.length))
    throw new EvaluationError('each table argument of UNION must have the same number of columns');
  const columns = first!.columns.map((column, place) =>
    tables.every((table) => table.columns[place]!.lineage === column.lineage)
      ? column
      : { ...column, lineage: undefined },
  );
  return { columns, rows: inCommonType(tables.flatMap((table) => table.rows)) };
}

export function constructed(evaluator: Evaluator, rows: readonly (readonly Expression[])[], scope: Scope): Table {
  const width = rows[0]!.length;
  const names = width === 1 ? ['Value'] : rows[0]!.map((_, place) => `Value${place + 1}`);
  return {
    columns: names.map(computed),
    rows: inCommonType(rows.map((row) => row.map((value) => evaluator.scalar(value, scope)))),
  };
}
