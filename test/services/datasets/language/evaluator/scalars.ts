import type {
  Binary,
  Call,
  ColumnReference,
  Expression,
  Membership,
} from '../../../../../src/services/datasets/language/syntax/ast.ts';
import { aggregate, isAggregate } from './aggregates.ts';
import { calculate, negate } from './arithmetic.ts';
import { calculateScope } from './calculate.ts';
import { columnOf, tableNamed } from './database.ts';
import { SCALAR_FUNCTIONS } from './scalar-functions.ts';
import {
  columnArgument,
  type Evaluator,
  findInRows,
  findMeasure,
  isTable,
  readColumn,
  required,
  type Scope,
} from './scope.ts';
import { isTableFunction } from './table-functions.ts';
import { onlyValue, withoutHidden } from './tables.ts';
import { compare, EvaluationError, isSame, isTrue, toText, Unsupported, type Value } from './values.ts';

/** Every kind of expression except `let`, which works the same for values and tables. */
export function evaluateScalar(
  evaluator: Evaluator,
  expression: Exclude<Expression, { readonly kind: 'let' }>,
  scope: Scope,
): Value {
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'column':
      return columnOrMeasure(evaluator, expression, scope);
    case 'name': {
      const variable = scope.variables.get(expression.name.toLowerCase());
      if (variable !== undefined) return isTable(variable) ? onlyValue(variable) : variable;
      return onlyValue(evaluator.table(expression, scope));
    }
    case 'table':
      return onlyValue(evaluator.table(expression, scope));
    case 'unary': {
      const operand = evaluator.scalar(expression.operand, scope);
      if (expression.operator === 'NOT') return !isTrue(operand);
      return expression.operator === '-' ? negate(operand) : operand;
    }
    case 'binary':
      return binary(evaluator, expression, scope);
    case 'in':
      return isMember(evaluator, expression, scope);
    case 'call':
      return call(evaluator, expression, scope);
  }
}

function columnOrMeasure(evaluator: Evaluator, reference: ColumnReference, scope: Scope): Value {
  const inRow = readColumn(scope, reference);
  if (inRow) return inRow.value;
  const measure = findMeasure(scope, reference);
  if (measure) {
    return evaluator.scalar(measure.expression, { ...calculateScope(evaluator, scope, []), variables: new Map() });
  }
  if (reference.table === undefined)
    throw new EvaluationError(`the value for '${reference.name}' cannot be determined`);
  const column = columnOf(tableNamed(scope.database, reference.table), reference.name);
  throw new EvaluationError(
    `a single value for column '${column.name}' in table '${column.table}' cannot be determined`,
  );
}

function binary(evaluator: Evaluator, { operator, left, right }: Binary, scope: Scope): Value {
  const [a, b] = [evaluator.scalar(left, scope), evaluator.scalar(right, scope)];
  switch (operator) {
    case '&':
      return toText(a) + toText(b);
    case '&&':
      return isTrue(a) && isTrue(b);
    case '||':
      return isTrue(a) || isTrue(b);
    case '=':
      return compare(a, b) === 0;
    case '==':
      return isSame(a, b);
    case '<>':
      return compare(a, b) !== 0;
    case '<':
      return compare(a, b) < 0;
    case '>':
      return compare(a, b) > 0;
    case '<=':
      return compare(a, b) <= 0;
    case '>=':
      return compare(a, b) >= 0;
    default:
      return calculate(operator, a, b);
  }
}

function isMember(evaluator: Evaluator, { values, table }: Membership, scope: Scope): boolean {
  const wanted = values.map((value) => evaluator.scalar(value, scope));
  const { columns, rows } = withoutHidden(evaluator.table(table, scope));
  if (columns.length !== wanted.length)
    throw new EvaluationError('IN compares as many values as the table has columns');
  return rows.some((row) => row.every((value, place) => isSame(value, wanted[place]!)));
}

function call(evaluator: Evaluator, expression: Call, scope: Scope): Value {
  const { name, args } = expression;
  if (isAggregate(expression)) return aggregate(evaluator, expression, scope);
  if (isTableFunction(name)) return onlyValue(evaluator.table(expression, scope));
  switch (name) {
    case 'CALCULATE':
      return evaluator.scalar(required(args[0], name), calculateScope(evaluator, scope, args.slice(1)));
    case 'RELATED':
      return related(expression, scope);
    case 'IF': {
      const [condition, then, otherwise] = args;
      const taken = isTrue(evaluator.scalar(required(condition, name), scope)) ? required(then, name) : otherwise;
      return taken ? evaluator.scalar(taken, scope) : null;
    }
    case 'SWITCH':
      return switched(evaluator, expression, scope);
  }
  const compute = SCALAR_FUNCTIONS[name];
  if (!compute) throw new Unsupported(`the function ${name}`);
  return compute(...args.map((arg) => (arg ? evaluator.scalar(arg, scope) : null)));
}

/** The innermost row that has the column: rows of base tables also have their parents' columns. */
function related({ args }: Call, scope: Scope): Value {
  const { column } = columnArgument(scope, args[0]);
  const found = findInRows(scope, ({ lineage, table }) => table !== undefined && lineage === column.lineage);
  if (!found)
    throw new EvaluationError(
      `the column '${column.table}[${column.name}]' either does not exist or has no relationship to any table available in the current context`,
    );
  return found.value;
}

/** The first value that equals the first argument; BLANK equals only BLANK (and FALSE, according to section 5). */
function switched(evaluator: Evaluator, { name, args }: Call, scope: Scope): Value {
  const wanted = evaluator.scalar(required(args[0], name), scope);
  let place = 1;
  for (; place + 1 < args.length; place += 2) {
    const value = evaluator.scalar(required(args[place], name), scope);
    const matches = wanted === null && value === false ? true : isSame(wanted, value);
    if (matches) return evaluator.scalar(required(args[place + 1], name), scope);
  }
  const otherwise = args[place];
  return otherwise ? evaluator.scalar(otherwise, scope) : null;
}
