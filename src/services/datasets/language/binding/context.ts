import { type Column, nameKey, type Table } from '../catalogue.ts';
import { Paths } from '../paths.ts';
import type { ContextChange, FilterArgument, PlanColumn, Removal, RowScope, Scalar } from '../plan/types.ts';
import type { Call, Expression } from '../syntax/ast.ts';
import type { Binder, Form } from './binder.ts';
import { boolean } from './operators.ts';
import { type Environment, planColumn, within, withoutRows } from './scopes.ts';

/** Functions that change the filter context of their first argument. */
export const CONTEXT_FORMS: Readonly<Record<string, Form>> = {
  CALCULATE: (binder, call, environment) => {
    binder.arguments(call, 1, 1000);
    const first = binder.argument(call, 0);
    const change = changeOf(binder, call.args.slice(1), call, environment);
    const body = binder.scalar(first, withoutRows(environment));
    return { kind: 'calculate', type: body.type, body, change };
  },
  CALCULATETABLE: (binder, call, environment) => {
    binder.arguments(call, 1, 1000);
    const first = binder.argument(call, 0);
    const change = changeOf(binder, call.args.slice(1), call, environment);
    const body = binder.table(first, withoutRows(environment));
    return { kind: 'calculate table', body, change, columns: body.columns, base: body.base };
  },
  RELATEDTABLE: (binder, call, environment) => {
    binder.arguments(call, 1, 1);
    const body = binder.table(binder.argument(call, 0), withoutRows(environment));
    const change = { rows: environment.scopes, removals: [], filters: [] };
    return { kind: 'calculate table', body, change, columns: body.columns, base: body.base };
  },
};

const REMOVERS = ['ALL', 'REMOVEFILTERS', 'ALLEXCEPT', 'ALLNOBLANKROW'];

function changeOf(
  binder: Binder,
  args: readonly (Expression | undefined)[],
  call: Call,
  environment: Environment,
): ContextChange {
  const removals: Removal[] = [];
  const filters: FilterArgument[] = [];
  for (const argument of args) {
    if (!argument) binder.fail(`An argument of the ${call.name} function is empty.`, call.at);
    if (argument.kind === 'call' && REMOVERS.includes(argument.name)) removals.push(removalOf(binder, argument));
    else filters.push(asPredicate(filterOf(binder, argument, environment)));
  }
  return { rows: environment.scopes, removals, filters };
}

/** Inside CALCULATE, ALL and similar functions remove filters; elsewhere ALL returns a table. */
function removalOf(binder: Binder, call: Call): Removal {
  const { name, args } = call;
  if (args.length === 0 && (name === 'ALL' || name === 'REMOVEFILTERS')) return { columns: undefined };
  binder.arguments(call, name === 'ALLEXCEPT' ? 2 : 1, 1000);
  const first = binder.argument(call, 0);
  if (first.kind === 'name') {
    const columns = expandedColumns(binder.modelTable(first.name, first.at));
    if (name !== 'ALLEXCEPT') {
      binder.arguments(call, 1, 1);
      return { columns };
    }
    const kept = args.slice(1).map((each) => binder.modelColumn(each, call));
    return { columns: columns.filter((column) => !kept.includes(column)) };
  }
  if (name === 'ALLEXCEPT') binder.fail('The first argument of the ALLEXCEPT function must be a table.', first.at);
  return { columns: args.map((each) => binder.modelColumn(each, call)) };
}

const expandedColumns = (table: Table): Column[] => new Paths().expanded(table).flatMap(({ columns }) => columns);

export function filterOf(binder: Binder, argument: Expression, environment: Environment): FilterArgument {
  const keep = argument.kind === 'call' && argument.name === 'KEEPFILTERS';
  if (keep) binder.arguments(argument, 1, 1);
  const inner = keep ? binder.argument(argument, 0) : argument;
  if (binder.isTableExpression(inner, environment)) {
    const table = binder.table(inner, environment);
    if (!table.columns.some(({ lineage }) => lineage)) {
      binder.fail(
        'A filter table must have at least one column of the model; all columns of this table are computed.',
        inner.at,
      );
    }
    return { kind: 'table', table, keep };
  }
  return { ...predicateOf(binder, inner, environment), keep };
}

/** `FILTER(ALL(T[c]), T[c] > 1)` means the same as `T[c] > 1`, and as a predicate it can be applied directly to a scan. */
function asPredicate(argument: FilterArgument): FilterArgument {
  if (argument.kind !== 'table' || argument.table.kind !== 'filter') return argument;
  const { table: all, scope, condition } = argument.table;
  if (all.kind !== 'all' || !all.of || !all.blankRow) return argument;
  return { kind: 'predicate', columns: all.of, scope, condition, keep: argument.keep };
}

/** `T[c] > 1` as a filter over the values of the columns that it references. */
function predicateOf(binder: Binder, expression: Expression, environment: Environment) {
  const columns = [...columnsIn(binder, expression, environment)];
  const tables = new Set(columns.map(({ table }) => table));
  if (tables.size > 1) {
    const named = columns.map(({ table, name }) => `'${table.name}'[${name}]`).join(', ');
    binder.fail(
      `The expression contains columns from multiple tables (${named}), but only columns from a single table can be used in a True/False expression that is used as a table filter expression.`,
      expression.at,
    );
  }
  if (columns.length === 0) {
    binder.fail(
      'The True/False expression does not specify a column. Each True/False expression used as a table filter expression must refer to exactly one table.',
      expression.at,
    );
  }
  const scope: RowScope = { columns: columns.map((column): PlanColumn => planColumn(column)), base: undefined };
  const condition: Scalar = boolean(binder, binder.scalar(expression, within(environment, scope)), expression.at);
  return { kind: 'predicate', columns, scope, condition } as const;
}

/** The columns that a predicate references itself. Columns within aggregates and tables are left out, because those have their own rows. */
function* columnsIn(
  binder: Binder,
  expression: Expression,
  environment: Environment,
  seen = new Set<Column>(),
): Generator<Column> {
  const inner = function* (each: Expression | undefined): Generator<Column> {
    if (each) yield* columnsIn(binder, each, environment, seen);
  };
  switch (expression.kind) {
    case 'column': {
      const { table: tableName, name, at } = expression;
      if (tableName === undefined) {
        const known = environment.scopes.some(({ columns }) =>
          columns.some((each) => nameKey(each.name) === nameKey(name)),
        );
        if (!known && binder.findMeasure(name)) refuse(binder, 'CALCULATE', expression);
        return;
      }
      const table = binder.modelTable(tableName, at);
      const column = table.column(name);
      if (!column && binder.findMeasure(name)) refuse(binder, 'CALCULATE', expression);
      if (column && !seen.has(column)) {
        seen.add(column);
        yield column;
      }
      return;
    }
    case 'unary':
      return yield* inner(expression.operand);
    case 'binary':
      yield* inner(expression.left);
      return yield* inner(expression.right);
    case 'in':
      for (const value of expression.values) yield* inner(value);
      return yield* inner(expression.table);
    case 'table':
      for (const row of expression.rows) for (const value of row) yield* inner(value);
      return;
    case 'let':
      for (const { value } of expression.variables) yield* inner(value);
      return yield* inner(expression.body);
    case 'call':
      binder.requireKnown(expression);
      if (expression.name === 'CALCULATE' || expression.name === 'CALCULATETABLE')
        refuse(binder, expression.name, expression);
      if (binder.hasOwnRows(expression)) return;
      for (const argument of expression.args) yield* inner(argument);
  }
}

function refuse(binder: Binder, name: string, { at }: Expression): never {
  return binder.fail(
    `A function '${name}' has been used in a True/False expression that is used as a table filter expression. This is not allowed.`,
    at,
  );
}
