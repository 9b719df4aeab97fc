import { arithmetic } from './arithmetic.ts';
import { type Bound, converted, type Row } from './bound.ts';
import { compare } from './compare.ts';
import { problems } from './problem.ts';
import type { Expression } from './syntax.ts';
import { boundedDecimal, isFloating, type SqlType, type SqlValue, simple } from './types.ts';

/** What is counted, summed up or compared over the rows of a group. */
export interface Aggregate {
  readonly type: SqlType;
  /** Of the rows of a group. */
  of(rows: readonly Row[]): SqlValue;
}

const NAMES = new Set(['count', 'sum', 'min', 'max', 'avg', 'mean']);

type Call = Extract<Expression, { is: 'call' }>;

/** The call, if it is one of an aggregate. */
export const aggregateCall = (expression: Expression): Call | undefined =>
  expression.is === 'call' && NAMES.has(expression.name) ? expression : undefined;

/** Whether there is an aggregate in an expression. */
export function hasAggregate(expression: Expression): boolean {
  if (aggregateCall(expression)) return true;
  switch (expression.is) {
    case 'negative':
    case 'not':
    case 'isNull':
    case 'cast':
      return hasAggregate(expression.of);
    case 'binary':
      return hasAggregate(expression.left) || hasAggregate(expression.right);
    case 'in':
      return [expression.of, ...expression.list].some(hasAggregate);
    case 'like':
      return hasAggregate(expression.of) || hasAggregate(expression.pattern);
    case 'case':
      return (
        expression.whens.some(({ condition, value }) => hasAggregate(condition) || hasAggregate(value)) ||
        (expression.otherwise !== undefined && hasAggregate(expression.otherwise))
      );
    case 'call':
      return expression.args.some(hasAggregate);
    default:
      return false;
  }
}

export function aggregateOf(call: Call, args: readonly Bound[]): Aggregate {
  const { name, star, distinct, at } = call;
  if (name === 'count' && star) return { type: simple('LONG'), of: (rows) => BigInt(rows.length) };
  const [arg] = args;
  if (!arg || args.length !== 1) throw problems.arguments(name, '1', args.length, at);
  const values = (rows: readonly Row[], of: Bound = arg): readonly Exclude<SqlValue, null>[] => {
    const found = rows.map((row) => of.of(row)).filter((value) => value !== null);
    return distinct ? [...new Set(found)] : found;
  };
  if (name === 'count') return { type: simple('LONG'), of: (rows) => BigInt(values(rows).length) };
  if (name === 'min' || name === 'max') {
    const sign = name === 'max' ? 1 : -1;
    const pick = (best: SqlValue, value: Exclude<SqlValue, null>): SqlValue =>
      best === null || compare(value, best) * sign > 0 ? value : best;
    return { type: arg.type, of: (rows) => values(rows).reduce<SqlValue>(pick, null) };
  }
  const sum = sumOf(arg, values);
  if (name === 'sum') return sum;
  const count: Aggregate = { type: simple('LONG'), of: (rows) => BigInt(values(rows).length) };
  const quotient = arithmetic('/', slot(sum.type, 0), slot(count.type, 1));
  return {
    type: quotient.type,
    of: (rows) => (count.of(rows) === 0n ? null : quotient.of([sum.of(rows), count.of(rows)])),
  };
}

const slot = (type: SqlType, index: number): Bound => ({ type, of: (row) => row[index] ?? null });

function sumOf(
  arg: Bound,
  values: (rows: readonly Row[], of?: Bound) => readonly Exclude<SqlValue, null>[],
): Aggregate {
  const isText = arg.type.kind === 'STRING';
  const value = isText || isFloating(arg.type) ? converted(arg, simple('DOUBLE')) : arg;
  const type: SqlType =
    value.type.kind === 'DECIMAL'
      ? boundedDecimal(Math.min(38, value.type.precision + 10), value.type.scale)
      : isFloating(value.type)
        ? simple('DOUBLE')
        : simple('LONG');
  const add = arithmetic('+', slot(type, 0), slot(value.type, 1));
  // The sum of decimals has as many digits as `type`, and not one more with each value.
  const of = (rows: readonly Row[]): SqlValue => {
    let sum: SqlValue = null;
    for (const each of values(rows, value)) {
      if (sum === null) sum = each;
      else if (value.type.kind === 'DECIMAL') sum = BigInt(sum) + BigInt(each);
      else sum = add.of([sum, each]);
    }
    return sum;
  };
  return { type, of };
}
