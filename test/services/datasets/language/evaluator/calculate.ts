import type { Call, ColumnReference, Expression } from '../../../../../src/services/datasets/language/syntax/ast.ts';
import { isAggregate } from './aggregates.ts';
import { type BaseTable, columnOf, expandedColumns, tableNamed } from './database.ts';
import { type Filter, type FilterContext, filterOf, withoutColumns } from './filters.ts';
import {
  columnArgument,
  type Evaluator,
  findMeasure,
  isTable,
  readColumn,
  required,
  type Scope,
  tableArgument,
  transit,
  withRow,
} from './scope.ts';
import { allOfColumns, isTableFunction } from './table-functions.ts';
import type { Column } from './tables.ts';
import { EvaluationError, isTrue, Unsupported } from './values.ts';

/**
 * The scope in which CALCULATE(…, arguments) evaluates its first argument. The current rows become filters and are no longer row contexts.
 */
export function calculateScope(
  evaluator: Evaluator,
  scope: Scope,
  args: readonly (Expression | undefined)[],
  called = 'CALCULATE',
): Scope {
  const modifiers: ((filters: FilterContext) => FilterContext)[] = [];
  const replacing: Filter[] = [];
  const keeping: Filter[] = [];
  for (const arg of args) {
    const expression = required(arg, called);
    const dropped = droppedColumns(scope, expression);
    const kept = callOf(expression, 'KEEPFILTERS');
    if (dropped) modifiers.push((filters) => (dropped === 'all' ? [] : withoutColumns(filters, dropped)));
    else if (kept) keeping.push(explicitFilter(evaluator, scope, required(kept.args[0], 'KEEPFILTERS')));
    else replacing.push(explicitFilter(evaluator, scope, expression));
  }
  let filters = transit(scope);
  for (const modify of modifiers) filters = modify(filters);
  filters = withoutColumns(
    filters,
    replacing.flatMap((filter) => filter.columns),
  );
  return { ...scope, filters: [...filters, ...replacing, ...keeping], frames: [] };
}

const callOf = (expression: Expression, ...names: readonly string[]): Call | undefined =>
  expression.kind === 'call' && names.includes(expression.name) ? expression : undefined;

/** The columns from which a modifier removes filters. Returns undefined if the expression is not a modifier. */
function droppedColumns(scope: Scope, expression: Expression): readonly string[] | 'all' | undefined {
  const except = callOf(expression, 'ALLEXCEPT');
  if (except) {
    const [table, ...columns] = except.args;
    const kept = columns.map((column) => columnArgument(scope, column).column.lineage);
    return idsOf(tableArgument(scope, table)).filter((id) => !kept.includes(id));
  }
  const removal = callOf(expression, 'ALL', 'REMOVEFILTERS', 'ALLNOBLANKROW');
  if (!removal) return undefined;
  if (removal.args.length === 0) return 'all';
  return removal.args.flatMap((arg) =>
    arg?.kind === 'column' ? [columnArgument(scope, arg).column.lineage!] : idsOf(tableArgument(scope, arg)),
  );
}

const idsOf = (table: BaseTable): readonly string[] => expandedColumns(table).map((column) => column.lineage!);

function explicitFilter(evaluator: Evaluator, scope: Scope, expression: Expression): Filter {
  if (isTableExpression(scope, expression)) return filterOf(evaluator.table(expression, scope));
  return predicateFilter(evaluator, scope, expression);
}

/** True if the expression is a table; `declared` contains the variables declared within it. */
export function isTableExpression(
  scope: Scope,
  expression: Expression,
  declared: ReadonlyMap<string, boolean> = new Map(),
): boolean {
  switch (expression.kind) {
    case 'name': {
      const name = expression.name.toLowerCase();
      const variable = scope.variables.get(name);
      return declared.get(name) ?? (variable === undefined || isTable(variable));
    }
    case 'call':
      return isTableFunction(expression.name);
    case 'table':
      return true;
    case 'let': {
      const inner = new Map(declared);
      for (const { name, value } of expression.variables)
        inner.set(name.toLowerCase(), isTableExpression(scope, value, inner));
      return isTableExpression(scope, expression.body, inner);
    }
    default:
      return false;
  }
}

/** A condition on columns of one table filters to the values that satisfy it. */
function predicateFilter(evaluator: Evaluator, scope: Scope, expression: Expression): Filter {
  const references: ColumnReference[] = [];
  collectColumns(scope, expression, references);
  const tables = new Set(references.map((reference) => tableNamed(scope.database, reference.table!)));
  const [table] = tables;
  if (!table) throw new EvaluationError('a True/False expression used as a table filter has no column');
  if (tables.size > 1)
    throw new EvaluationError('a True/False expression used as a table filter has columns from several tables');
  const columns: Column[] = [];
  for (const { name } of references) {
    const column = columnOf(table, name);
    if (!columns.includes(column)) columns.push(column);
  }
  const all = allOfColumns(table, columns, { blankRow: true });
  const rows = all.rows.filter((row) => isTrue(evaluator.scalar(expression, withRow(scope, all.columns, row))));
  return filterOf({ columns: all.columns, rows });
}

/** The columns of a condition, except those within its aggregates and table functions. */
function collectColumns(scope: Scope, expression: Expression, found: ColumnReference[]): void {
  const visit = (each: Expression | undefined): void => {
    if (each) collectColumns(scope, each, found);
  };
  switch (expression.kind) {
    case 'column':
      if (expression.table === undefined ? !readColumn(scope, expression) : findMeasure(scope, expression))
        throw new EvaluationError(
          `the measure [${expression.name}] has been used in a True/False expression used as a table filter`,
        );
      if (expression.table !== undefined) found.push(expression);
      return;
    case 'call':
      if (expression.name === 'CALCULATE')
        throw new EvaluationError(
          `a function '${expression.name}' has been used in a True/False expression used as a table filter`,
        );
      if (!isAggregate(expression) && !isTableFunction(expression.name)) expression.args.forEach(visit);
      return;
    case 'unary':
      visit(expression.operand);
      return;
    case 'binary':
      visit(expression.left);
      visit(expression.right);
      return;
    case 'in':
      expression.values.forEach(visit);
      if (expression.table.kind === 'table') expression.table.rows.flat().forEach(visit);
      return;
    case 'let':
      throw new Unsupported('variables within a True/False expression used as a table filter');
  }
}
