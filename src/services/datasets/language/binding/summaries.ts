import { nameKey } from '../catalogue.ts';
import type { FilterArgument, PlanColumn, Related, RowScope, ScopeColumn } from '../plan/types.ts';
import type { Call, ColumnReference, Expression } from '../syntax/ast.ts';
import type { Binder, Form } from './binder.ts';
import { filterOf } from './context.ts';
import { columnIn, type Environment, planColumn, scopeColumn, scopeOf } from './scopes.ts';
import { pairsFrom, refuseDuplicates } from './tables.ts';

/** Grouping functions. */
export const SUMMARY_FORMS: Readonly<Record<string, Form>> = {
  SUMMARIZE: (binder, call, environment) => {
    binder.arguments(call, 2, 1000);
    const table = binder.table(binder.argument(call, 0), environment);
    const scope = scopeOf(table);
    const { leading, rest } = leadingColumns(call, 1);
    const found = leading.map((each) => groupIn(binder, call, scope, each));
    const groups = found.map(({ value, column }) => ({ value, lineage: column.lineage }));
    const groupScope: RowScope = { columns: found.map(({ column }) => column), base: undefined };
    refuseOutside(binder, call.args[rest]);
    const pairs =
      rest < call.args.length
        ? pairsFrom(binder, call, rest, { ...environment, scopes: [...environment.scopes, groupScope] })
        : [];
    const shown = [...groupScope.columns, ...pairs.map(({ column }) => column)];
    refuseDuplicates(binder, call, shown);
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
    const { leading, rest } = leadingColumns(call, 0);
    const columns = leading.map((each) => binder.modelColumn(each, call));
    const filters: FilterArgument[] = [];
    let next = rest;
    for (; next < call.args.length && !isText(call.args[next]); next++) {
      filters.push(groupFilter(binder, call, binder.argument(call, next), environment));
    }
    const groupScope: RowScope = { columns: columns.map(planColumn), base: undefined };
    // The values of SUMMARIZECOLUMNS see the groups as filters, not as a row context.
    const pairs = next < call.args.length ? pairsFrom(binder, call, next, { ...environment, scopes: [] }) : [];
    const shown = [...groupScope.columns, ...pairs.map(({ column }) => column)];
    refuseDuplicates(binder, call, shown);
    if (shown.length === 0)
      binder.fail('SUMMARIZECOLUMNS needs a column to group by, or a name and an expression.', call.at);
    return {
      kind: 'summarize columns',
      groups: columns,
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

function leadingColumns({ args }: Call, from: number): { leading: readonly ColumnReference[]; rest: number } {
  const leading: ColumnReference[] = [];
  for (let rest = from; ; rest++) {
    const argument = args[rest];
    if (argument?.kind !== 'column') return { leading, rest };
    leading.push(argument);
  }
}

interface Group {
  readonly value: ScopeColumn | Related;
  readonly column: PlanColumn;
}

/** A SUMMARIZE group: a column of its table (including computed ones), or a column of a table on the one side of that table. */
function groupIn(binder: Binder, call: Call, scope: RowScope, reference: ColumnReference): Group {
  const { table, name, at } = reference;
  if (table === undefined) {
    const index = scope.columns.findIndex((each) => nameKey(each.name) === nameKey(name));
    if (index < 0) binder.fail(`The column [${name}] specified in the '${call.name}' function ${NOT_FOUND}.`, at);
    return { value: scopeColumn(scope, index), column: scope.columns[index]! };
  }
  const column = binder.modelColumn(reference, call);
  const value = columnIn(scope, column);
  if (value) return { value, column: planColumn(column) };
  const named = `'${column.table.name}'[${column.name}]`;
  return binder.fail(`The column ${named} specified in the '${call.name}' function ${NOT_FOUND}.`, at);
}

const NOT_FOUND = 'was not found in the input table';

/** The full language also allows functions such as ROLLUP, IGNORE and TREATAS here; an unknown function is reported as such. */
function refuseOutside(binder: Binder, argument: Expression | undefined): void {
  if (argument?.kind === 'call') binder.requireKnown(argument);
}

function groupFilter(binder: Binder, call: Call, argument: Expression, environment: Environment): FilterArgument {
  refuseOutside(binder, argument);
  const inner = argument.kind === 'call' && argument.name === 'KEEPFILTERS' ? (argument.args[0] ?? argument) : argument;
  if (!binder.isTableExpression(inner, environment)) {
    binder.fail(
      `The filters of ${call.name} must be tables: use FILTER(ALL(...), ...) instead of a True/False expression.`,
      argument.at,
    );
  }
  return filterOf(binder, argument, environment);
}
