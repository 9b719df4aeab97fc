import type { Column } from '../catalogue.ts';
import type { FilterArgument, RowScope } from '../plan/types.ts';
import type { Call, Expression } from '../syntax/ast.ts';
import type { Binder, Form } from './binder.ts';
import { filterOf } from './context.ts';
import { columnIn, type Environment, planColumn, scopeOf } from './scopes.ts';
import { pairsFrom, refuseTwice } from './tables.ts';

/** Functions that group. */
export const SUMMARY_FORMS: Readonly<Record<string, Form>> = {
  SUMMARIZE: (binder, call, environment) => {
    binder.arguments(call, 1, 1000);
    const table = binder.table(binder.argument(call, 0), environment);
    const scope = scopeOf(table);
    const { columns, rest } = leadingColumns(binder, call, 1);
    const groups = columns.map(({ column, at }) => {
      const value = columnIn(scope, column);
      if (!value) {
        const named = `'${column.table.name}'[${column.name}]`;
        return binder.fail(
          `The column ${named} specified in the 'SUMMARIZE' function was not found in the input table.`,
          at,
        );
      }
      return { value, column };
    });
    const groupScope: RowScope = { columns: columns.map(({ column }) => planColumn(column)), base: undefined };
    const pairs =
      rest < call.args.length
        ? pairsFrom(binder, call, rest, { ...environment, scopes: [...environment.scopes, groupScope] })
        : [];
    const shown = [...groupScope.columns, ...pairs.map(({ column }) => column)];
    refuseTwice(binder, call, shown);
    return {
      kind: 'summarize',
      table,
      scope,
      groups,
      groupScope,
      values: pairs.map(({ value }) => value),
      columns: shown,
      base: undefined,
    };
  },
  SUMMARIZECOLUMNS: (binder, call, environment) => {
    binder.arguments(call, 1, 1000);
    const { columns, rest } = leadingColumns(binder, call, 0);
    const filters: FilterArgument[] = [];
    let next = rest;
    for (; next < call.args.length && !isText(call.args[next]); next++) {
      filters.push(groupFilter(binder, call, binder.argument(call, next), environment));
    }
    const groupScope: RowScope = { columns: columns.map(({ column }) => planColumn(column)), base: undefined };
    // Groups are filters of the values, not rows.
    const pairs = next < call.args.length ? pairsFrom(binder, call, next, { ...environment, scopes: [] }) : [];
    const shown = [...groupScope.columns, ...pairs.map(({ column }) => column)];
    refuseTwice(binder, call, shown);
    if (shown.length === 0)
      binder.fail('SUMMARIZECOLUMNS needs a column to group by, or a name and an expression.', call.at);
    return {
      kind: 'summarize columns',
      groups: columns.map(({ column }) => column),
      filters,
      groupScope,
      values: pairs.map(({ value }) => value),
      columns: shown,
      base: undefined,
    };
  },
};

const isText = (argument: Expression | undefined): boolean =>
  argument?.kind === 'literal' && typeof argument.value === 'string';

function leadingColumns(binder: Binder, call: Call, from: number) {
  const columns: { column: Column; at: Expression['at'] }[] = [];
  let rest = from;
  for (; rest < call.args.length; rest++) {
    const argument = call.args[rest];
    if (argument?.kind !== 'column') break;
    columns.push({ column: binder.modelColumn(argument, call), at: argument.at });
  }
  return { columns, rest };
}

const OUTSIDE = ['ROLLUPADDISSUBTOTAL', 'ROLLUPGROUP', 'ROLLUP', 'IGNORE', 'NONVISUAL', 'ROLLUPISSUBTOTAL'];

function groupFilter(binder: Binder, call: Call, argument: Expression, environment: Environment): FilterArgument {
  if (argument.kind === 'call' && OUTSIDE.includes(argument.name)) {
    binder.fail(`Function ${argument.name} is not supported.`, argument.at);
  }
  const inner = argument.kind === 'call' && argument.name === 'KEEPFILTERS' ? (argument.args[0] ?? argument) : argument;
  if (!binder.isTableExpression(inner, environment)) {
    binder.fail(
      `The filters of ${call.name} must be tables: use FILTER(ALL(...), ...) instead of a True/False expression.`,
      argument.at,
    );
  }
  return filterOf(binder, argument, environment);
}
