import type { Evaluation, Expression } from '../../../../../src/services/datasets/language/syntax/ast.ts';
import { parseMeasure, parseQuery } from '../../../../../src/services/datasets/language/syntax/parse.ts';
import { calculateScope, isTableExpression } from './calculate.ts';
import { type Database, tableNamed } from './database.ts';
import { visibleRows } from './filters.ts';
import { evaluateScalar } from './scalars.ts';
import { type Evaluator, isTable, type KnownMeasure, required, type Scope, withRow, withVariable } from './scope.ts';
import { summarize, summarizeColumns } from './summarize.ts';
import {
  addColumns,
  all,
  constructed,
  filtered,
  rowOf,
  selectColumns,
  topRows,
  union,
  values,
} from './table-functions.ts';
import { keyOf, sameName, type Table, withoutHidden } from './tables.ts';
import { EvaluationError, type Json, sortOrder, toJson, type Value } from './values.ts';

const evaluator: Evaluator = {
  scalar(expression, scope) {
    if (expression.kind === 'let') return evaluator.scalar(expression.body, declared(expression.variables, scope));
    return evaluateScalar(evaluator, expression, scope);
  },
  table(expression, scope) {
    switch (expression.kind) {
      case 'let':
        return evaluator.table(expression.body, declared(expression.variables, scope));
      case 'table':
        return constructed(evaluator, expression.rows, scope);
      case 'name': {
        const variable = expression.quoted ? undefined : scope.variables.get(expression.name.toLowerCase());
        if (variable === undefined)
          return visibleRows(scope.filters, tableNamed(scope.database, expression.name), { blankRow: false });
        if (isTable(variable)) return variable;
        throw new EvaluationError(`the variable ${expression.name} is not a table`);
      }
      case 'call':
        return tableOfCall(expression, scope);
      default:
        throw new EvaluationError('the expression specified in the query is not a valid table expression');
    }
  },
};

function declared(variables: readonly { readonly name: string; readonly value: Expression }[], scope: Scope): Scope {
  let inner = scope;
  for (const { name, value } of variables) {
    const kind = isTableExpression(inner, value) ? 'table' : 'scalar';
    inner = withVariable(inner, name, evaluator[kind](value, inner));
  }
  return inner;
}

function tableOfCall(call: Extract<Expression, { kind: 'call' }>, scope: Scope): Table {
  const { name, args } = call;
  switch (name) {
    case 'FILTER':
      return filtered(evaluator, call, scope);
    case 'VALUES':
    case 'DISTINCT':
      return values(evaluator, call, scope);
    case 'ALL':
    case 'ALLNOBLANKROW':
      return all(call, scope);
    case 'SELECTCOLUMNS':
      return selectColumns(evaluator, call, scope);
    case 'ADDCOLUMNS':
      return addColumns(evaluator, call, scope);
    case 'SUMMARIZE':
      return summarize(evaluator, call, scope);
    case 'SUMMARIZECOLUMNS':
      return summarizeColumns(evaluator, call, scope);
    case 'ROW':
      return rowOf(evaluator, call, scope);
    case 'TOPN':
      return topRows(evaluator, call, scope);
    case 'UNION':
      return union(evaluator, call, scope);
    case 'CALCULATETABLE':
    case 'RELATEDTABLE':
      return evaluator.table(required(args[0], name), calculateScope(evaluator, scope, args.slice(1), name));
    default:
      throw new EvaluationError('the expression specified in the query is not a valid table expression');
  }
}

export type AnswerRow = Readonly<Record<string, Json>>;

/** The rows of the first EVALUATE of a query, as in a response with nulls. */
export function evaluateQuery(database: Database, text: string): readonly AnswerRow[] {
  const { definitions, evaluations } = parseQuery(text);
  const defined = definitions.flatMap((definition): KnownMeasure[] =>
    definition.kind === 'measure definition' ? [definition] : [],
  );
  const modelled = database.measures
    .filter((measure) => !defined.some(({ name }) => sameName(name, measure.name)))
    .map((measure) => ({ ...measure, expression: parseMeasure(measure.expression) }));
  const scope = declared(
    definitions.flatMap((definition) => (definition.kind === 'variable' ? [definition] : [])),
    { database, measures: [...defined, ...modelled], filters: [], frames: [], variables: new Map() },
  );
  const table = ordered(evaluations[0]!, scope);
  return table.rows.map((row) =>
    Object.fromEntries(table.columns.map((column, place) => [keyOf(column), toJson(row[place]!)])),
  );
}

/** Keys are evaluated for each row; rows before the tuple of START AT are dropped. */
function ordered({ table: expression, order, startAt }: Evaluation, scope: Scope): Table {
  const table = withoutHidden(evaluator.table(expression, scope));
  const start = startAt.map((value) => evaluator.scalar(value, scope));
  const compareKeys = (left: readonly Value[], right: readonly Value[]): number => {
    for (const [place, { descending }] of order.entries()) {
      if (place >= right.length) break;
      const result = sortOrder(left[place]!, right[place]!);
      if (result !== 0) return descending ? -result : result;
    }
    return 0;
  };
  const rows = table.rows
    .map((row) => ({ row, key: order.map(({ key }) => evaluator.scalar(key, withRow(scope, table.columns, row))) }))
    .filter(({ key }) => compareKeys(key, start) >= 0)
    .toSorted((left, right) => compareKeys(left.key, right.key));
  return { columns: table.columns, rows: rows.map(({ row }) => row) };
}
