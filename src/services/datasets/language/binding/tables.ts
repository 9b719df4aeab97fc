import { type Column, nameKey, type Table } from '../catalogue.ts';
import type { PlanColumn, Projection, RowScope, Scalar, SortKey, TablePlan } from '../plan/types.ts';
import type { Call, Expression } from '../syntax/ast.ts';
import type { Binder, Form } from './binder.ts';
import { boolean } from './operators.ts';
import { baseTable } from './plans.ts';
import { type Environment, isNew, newColumn, planColumn, scopeColumn, scopeOf, within } from './scopes.ts';
import { columnType } from './types.ts';

/** Table functions, except grouping functions. */
export const TABLE_FORMS: Readonly<Record<string, Form>> = {
  FILTER: (binder, call, environment) => {
    binder.arguments(call, 2, 2);
    const table = binder.table(binder.argument(call, 0), environment);
    const scope = scopeOf(table);
    const argument = binder.argument(call, 1);
    const condition = boolean(binder, binder.scalar(argument, within(environment, scope)), argument.at);
    return { kind: 'filter', table, scope, condition, columns: table.columns, base: table.base };
  },
  VALUES: (binder, call) => {
    binder.arguments(call, 1, 1);
    const { table, of } = columnsOrTable(binder, call);
    return { kind: 'values', table, of, columns: (of ?? table.columns).map(planColumn), base: of ? undefined : table };
  },
  DISTINCT: (binder, call, environment) => {
    binder.arguments(call, 1, 1);
    const argument = binder.argument(call, 0);
    const table =
      argument.kind === 'column' ? ofColumn(binder.modelColumn(argument, call)) : binder.table(argument, environment);
    return { kind: 'distinct', table, columns: table.columns, base: table.base };
  },
  ALL: (binder, call) => all(binder, call, true),
  ALLNOBLANKROW: (binder, call) => all(binder, call, false),
  ROW: (binder, call, environment) => {
    const pairs = pairsFrom(binder, call, 0, environment);
    const columns = pairs.map(({ column }) => column);
    return projection(
      binder,
      call,
      undefined,
      columns,
      pairs.map(({ value }) => value),
    );
  },
  ADDCOLUMNS: (binder, call, environment) => {
    binder.arguments(call, 3, 1000);
    const table = binder.table(binder.argument(call, 0), environment);
    const scope = scopeOf(table);
    const pairs = pairsFrom(binder, call, 1, within(environment, scope));
    const columns = [...table.columns, ...pairs.map(({ column }) => column)];
    const kept = table.columns.map((_, i) => scopeColumn(scope, i));
    return projection(binder, call, { table, scope }, columns, [...kept, ...pairs.map(({ value }) => value)]);
  },
  SELECTCOLUMNS: (binder, call, environment) => {
    binder.arguments(call, 2, 1000);
    const table = binder.table(binder.argument(call, 0), environment);
    const scope = scopeOf(table);
    const selected = selectedFrom(binder, call, scope, environment);
    return projection(
      binder,
      call,
      { table, scope },
      selected.map(({ column }) => column),
      selected.map(({ value }) => value),
    );
  },
  TOPN: (binder, call, environment) => {
    binder.arguments(call, 2, 1000);
    const count = binder.scalar(binder.argument(call, 0), environment);
    const table = binder.table(binder.argument(call, 1), environment);
    const scope = scopeOf(table);
    const keys = sortKeysFrom(binder, call, 2, within(environment, scope));
    return { kind: 'top', count, table, scope, keys, columns: table.columns, base: table.base };
  },
  UNION: (binder, call, environment) => {
    binder.arguments(call, 2, 1000);
    const tables = call.args.map((_, i) => binder.table(binder.argument(call, i), environment));
    const [first] = tables;
    if (tables.some(({ columns }) => columns.length !== first!.columns.length)) {
      binder.fail('Each table argument of UNION must have the same number of columns.', call.at);
    }
    const columns = first!.columns.map((column, i): PlanColumn => {
      const type = columnType(tables.map((table) => table.columns[i]!.type));
      const shared = tables.every((table) => table.columns[i]!.lineage === column.lineage);
      return { ...column, type, lineage: shared ? column.lineage : undefined };
    });
    return { kind: 'union', tables, columns, base: undefined };
  },
  CROSSJOIN: (binder, call, environment) => {
    binder.arguments(call, 2, 1000);
    const tables = call.args.map((_, i) => binder.table(binder.argument(call, i), environment));
    const columns = tables.flatMap((table) => table.columns);
    refuseDuplicates(binder, call, columns);
    return { kind: 'cross join', tables, columns, base: undefined };
  },
};

const ofColumn = (column: Column): TablePlan => {
  const base = baseTable(column.table);
  const index = column.table.columns.indexOf(column);
  const scope = scopeOf(base);
  return {
    kind: 'projection',
    table: base,
    scope,
    values: [scopeColumn(scope, index)],
    columns: [planColumn(column)],
    base: undefined,
  };
};

function columnsOrTable(binder: Binder, call: Call): { table: Table; of: readonly Column[] | undefined } {
  const first = binder.argument(call, 0);
  if (first.kind === 'name') {
    binder.arguments(call, 1, 1);
    return { table: binder.modelTable(first.name, first.at), of: undefined };
  }
  if (first.kind !== 'column')
    binder.fail(`The ${call.name} function takes a column or a table of the model, not an expression.`, first.at);
  const of = call.args.map((each) => binder.modelColumn(each, call));
  const { table } = of[0]!;
  if (of.some((column) => column.table !== table)) {
    binder.fail(`All column arguments of the ${call.name} function must be from the same table.`, call.at);
  }
  return { table, of };
}

function all(binder: Binder, call: Call, blankRow: boolean): TablePlan {
  binder.arguments(call, 1, 1000);
  const { table, of } = columnsOrTable(binder, call);
  return {
    kind: 'all',
    table,
    of,
    blankRow,
    columns: (of ?? table.columns).map(planColumn),
    base: of ? undefined : table,
  };
}

interface Named {
  readonly column: PlanColumn;
  readonly value: Scalar;
}

/** Arguments that alternate between names and expressions. */
export function pairsFrom(binder: Binder, call: Call, from: number, environment: Environment): Named[] {
  binder.arguments(call, from + 2, 1000);
  if ((call.args.length - from) % 2 !== 0) {
    binder.fail(
      `The ${call.name} function takes pairs of a name and an expression: the last name has no expression.`,
      call.at,
    );
  }
  const pairs: Named[] = [];
  for (let i = from; i < call.args.length; i += 2) {
    const name = binder.columnName(call, i);
    const value = binder.scalar(binder.argument(call, i + 1), environment);
    pairs.push({ column: newColumn(name, value), value });
  }
  return pairs;
}

/**
 * Like `pairsFrom`, but a column reference may omit the name. A column of these rows then keeps its name; a column of an outer row keeps
 * its lineage but needs a name.
 */
function selectedFrom(binder: Binder, call: Call, scope: RowScope, around: Environment): Named[] {
  const environment = within(around, scope);
  const selected: Named[] = [];
  for (let i = 1; i < call.args.length; i++) {
    const argument = binder.argument(call, i);
    if (argument.kind === 'column') {
      const value = binder.scalar(argument, environment);
      const source = value.kind === 'scope column' && value.scope === scope ? sourceOf(value) : undefined;
      if (!source) binder.fail(`Argument ${i + 1} of SELECTCOLUMNS needs a name before it.`, argument.at);
      selected.push({ column: source, value });
      continue;
    }
    const name = binder.columnName(call, i);
    i += 1;
    const value = binder.scalar(binder.argument(call, i), environment);
    selected.push({ column: newColumn(name, value, sourceOf(value)?.lineage), value });
  }
  return selected;
}

const sourceOf = (value: Scalar): PlanColumn | undefined =>
  value.kind === 'scope column' ? value.scope.columns[value.index] : undefined;

function projection(
  binder: Binder,
  call: Call,
  source: (Pick<Projection, 'scope'> & { readonly table: TablePlan }) | undefined,
  columns: readonly PlanColumn[],
  values: readonly Scalar[],
): Projection {
  refuseDuplicates(binder, call, columns);
  const scope = source?.scope ?? { columns: [], base: undefined };
  return { kind: 'projection', table: source?.table, scope, values, columns, base: undefined };
}

/** Columns of two tables may share a name; a new column must not have the name of any other column. */
export function refuseDuplicates(binder: Binder, call: Call, columns: readonly PlanColumn[]): void {
  const seen = new Map<string, string>();
  for (const column of columns) {
    const { name, key } = column;
    const other = seen.get(nameKey(key)) ?? seen.get(nameKey(isNew(column) ? name : `[${name}]`));
    if (other === key) binder.fail(`The column ${key} occurs twice in the result of ${call.name}.`, call.at);
    if (other !== undefined)
      binder.fail(`The result of ${call.name} already has a column ${other}, so it cannot also have ${key}.`, call.at);
    seen.set(nameKey(key), key);
    seen.set(nameKey(name), key);
  }
}

const DESCENDING = new Set(['0', 'FALSE', 'DESC']);
const ASCENDING = new Set(['1', 'TRUE', 'ASC']);

function sortKeysFrom(binder: Binder, call: Call, from: number, environment: Environment): SortKey[] {
  const keys: SortKey[] = [];
  for (let i = from; i < call.args.length; i += 2) {
    const value = binder.scalar(binder.argument(call, i), environment);
    const order = call.args[i + 1];
    keys.push({ value, descending: order === undefined || isDescending(binder, call, order) });
  }
  return keys;
}

function isDescending(binder: Binder, call: Call, order: Expression): boolean {
  const word = order.kind === 'name' ? order.name : order.kind === 'literal' ? String(order.value) : '';
  if (DESCENDING.has(word.toUpperCase())) return true;
  if (ASCENDING.has(word.toUpperCase())) return false;
  return binder.fail(`The order in the ${call.name} function must be ASC or DESC.`, order.at);
}
