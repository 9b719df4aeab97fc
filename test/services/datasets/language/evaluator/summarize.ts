import type { Call, Expression } from '../../../../../src/services/datasets/language/syntax/ast.ts';
import { type BaseTable, tableNamed } from './database.ts';
import { admits, type Filter, filterOf, replacing, visibleRows } from './filters.ts';
import { columnArgument, computed, type Evaluator, required, type Scope, withRow } from './scope.ts';
import { pairsOf } from './table-functions.ts';
import { type Column, columnId, distinctRows, project, refuseDuplicateNames, type Table } from './tables.ts';
import { EvaluationError, identityOfRow, type Value } from './values.ts';

/** Group columns come first, then pairs of name and expression; only SUMMARIZECOLUMNS allows filter tables between them. */
function splitArguments(args: readonly (Expression | undefined)[]) {
  const firstOther = args.findIndex((arg) => arg?.kind !== 'column');
  const groups = firstOther < 0 ? args : args.slice(0, firstOther);
  const rest = args.slice(groups.length);
  const firstName = rest.findIndex((arg) => arg?.kind === 'literal');
  const filters = firstName < 0 ? rest : rest.slice(0, firstName);
  return { groups, filters, pairs: rest.slice(filters.length) };
}

/** Combinations that occur in a table; each expression is evaluated with the rows of its group as a filter. */
export function summarize(evaluator: Evaluator, { name, args: [of, ...rest] }: Call, scope: Scope): Table {
  const table = evaluator.table(required(of, name), scope);
  const { groups, filters, pairs: pairArguments } = splitArguments(rest);
  if (filters.length > 0) throw new EvaluationError('SUMMARIZE takes columns, then names and expressions');
  const places = groups.map((group) => placeOf(scope, table, group));
  const pairs = pairsOf(pairArguments, name);
  const grouped = project(table, places);
  const columns = grouped.columns.map((column) => ({ ...column, hidden: false }));
  const rows = distinctRows(grouped.rows).map((group) => {
    const members = table.rows.filter((_, place) => identityOfRow(grouped.rows[place]!) === identityOfRow(group));
    const inner = withRow(
      { ...scope, filters: replacing(scope.filters, [filterOf({ columns: table.columns, rows: members })]) },
      columns,
      group,
    );
    return [...group, ...pairs.map(({ expression }) => evaluator.scalar(expression, inner))];
  });
  const all = [...columns, ...pairs.map((pair) => computed(pair.name))];
  refuseDuplicateNames(all);
  return { columns: all, rows };
}

function placeOf(scope: Scope, { columns }: Table, group: Expression | undefined): number {
  if (group?.kind === 'column' && group.table === undefined) {
    const place = columns.findIndex(
      (column) => !column.hidden && column.name.toLowerCase() === group.name.toLowerCase(),
    );
    if (place >= 0) return place;
  }
  const { column } = columnArgument(scope, group);
  const place = columns.findIndex(({ lineage, table }) => table !== undefined && lineage === column.lineage);
  if (place < 0)
    throw new EvaluationError(
      `the column '${columnId(column.table!, column.name)}' specified in the 'SUMMARIZE' function was not found in the input table`,
    );
  return place;
}

interface Grouped {
  readonly table: BaseTable;
  readonly columns: readonly Column[];
}

/** A combination of values of group columns, and its filters. */
interface Group {
  readonly values: ReadonlyMap<Column, Value>;
  readonly filters: readonly Filter[];
}

/** All combinations of groups of different tables; rows whose expressions are all blank are dropped. */
export function summarizeColumns(evaluator: Evaluator, { name, args }: Call, scope: Scope): Table {
  const { groups, filters: filterArguments, pairs: pairArguments } = splitArguments(args);
  const columns = groups.map((group) => columnArgument(scope, group).column);
  if (new Set(columns).size < columns.length) throw new EvaluationError(`${name} has a column twice`);
  const filters = filterArguments.map((arg) => {
    const expression = required(arg, name);
    if (expression.kind !== 'call' && expression.kind !== 'name' && expression.kind !== 'let')
      throw new EvaluationError('a filter of SUMMARIZECOLUMNS must be a table');
    return filterOf(evaluator.table(expression, scope));
  });
  const pairs = pairsOf(pairArguments, name);
  let combined: readonly Group[] = [{ values: new Map(), filters: [] }];
  for (const grouped of tablesOf(scope, columns, filters))
    combined = combined.flatMap((left) =>
      groupsOf(scope, grouped, filters).map((right) => ({
        values: new Map([...left.values, ...right.values]),
        filters: [...left.filters, ...right.filters],
      })),
    );
  const wide = filters.filter((filter) => tablesOfFilter(filter).length > 1);
  const rows: Value[][] = [];
  for (const group of combined) {
    const inner = { ...scope, filters: [...scope.filters, ...wide, ...group.filters] };
    const computedValues = pairs.map(({ expression }) => evaluator.scalar(expression, inner));
    if (pairs.length > 0 && computedValues.every((value) => value === null)) continue;
    rows.push([...columns.map((column) => group.values.get(column)!), ...computedValues]);
  }
  const all = [...columns, ...pairs.map((pair) => computed(pair.name))];
  refuseDuplicateNames(all);
  return { columns: all, rows };
}

const tablesOfFilter = (filter: Filter): readonly string[] => [
  ...new Set(filter.columns.map((column) => column.slice(0, column.indexOf('[')))),
];

/** The tables with a group column or a filter argument. */
function tablesOf(scope: Scope, columns: readonly Column[], filters: readonly Filter[]): readonly Grouped[] {
  const names = new Set([
    ...columns.map((column) => column.table!),
    ...filters.flatMap((filter) => (tablesOfFilter(filter).length === 1 ? tablesOfFilter(filter) : [])),
  ]);
  return [...names].map((name) => ({
    table: tableNamed(scope.database, name),
    columns: columns.filter((column) => column.table === name),
  }));
}

/**
 * The groups of one table. Its rows, including the blank row, are restricted by the filters on its own columns; group values and filter
 * arguments together act as one filter on the existing combinations. Outer filters remain separate.
 */
function groupsOf(scope: Scope, { table, columns }: Grouped, filters: readonly Filter[]): readonly Group[] {
  const own = table.own.map((column) => column.lineage);
  const admitted = (rows: Table['rows'], by: readonly Filter[]) =>
    rows.filter((row) => by.every((filter) => admits(filter, own, row)));
  const existing = admitted(visibleRows([], table, { blankRow: true }).rows, filters);
  const filtering = filters.filter((filter) => tablesOfFilter(filter).length === 1).flatMap((filter) => filter.columns);
  const merged = table.own.flatMap((column, place) =>
    columns.includes(column) || filtering.includes(column.lineage!) ? [place] : [],
  );
  const places = columns.map((column) => table.own.indexOf(column));
  const combinations = distinctRows(admitted(existing, scope.filters).map((row) => places.map((place) => row[place]!)));
  // Without group columns there is one group, even if the filters leave no row.
  return (columns.length === 0 ? [[]] : combinations).map((values) => {
    const members = existing.filter(
      (row) => identityOfRow(places.map((place) => row[place]!)) === identityOfRow(values),
    );
    return {
      values: new Map(columns.map((column, place) => [column, values[place]!])),
      filters: [
        {
          columns: merged.map((place) => own[place]!),
          tuples: distinctRows(members.map((row) => merged.map((place) => row[place]!))),
        },
      ],
    };
  });
}
