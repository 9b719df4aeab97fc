import { arithmetic } from './arithmetic.ts';
import { type Bound, converted, type Row } from './bound.ts';
import { checkOrdered, compare } from './compare.ts';
import { problems } from './problem.ts';
import type { Expression } from './syntax.ts';
import { boundedDecimal, isFloating, type SqlType, type SqlValue, simple } from './types.ts';
import { someOf } from './walk.ts';

/** An aggregate function over the rows of a group. */
export interface Aggregate {
  readonly type: SqlType;
  /** Creates the accumulator of one group. */
  begin(): Accumulator;
}

export interface Accumulator {
  add(row: Row): void;
  value(): SqlValue;
}

const NAMES = new Set(['count', 'sum', 'min', 'max', 'avg', 'mean']);

type Call = Extract<Expression, { is: 'call' }>;

/** The call, if it calls an aggregate. */
export const aggregateCall = (expression: Expression): Call | undefined =>
  expression.is === 'call' && NAMES.has(expression.name) ? expression : undefined;

/** Returns true if an expression contains an aggregate. */
export const hasAggregate = (expression: Expression): boolean =>
  someOf(expression, (part) => aggregateCall(part) !== undefined);

type Known = Exclude<SqlValue, null>;

const counter = (): Collector => {
  let count = 0n;
  return {
    add() {
      count++;
    },
    value: () => count,
  };
};

interface Collector {
  add(value: Known): void;
  value(): SqlValue;
}

/** Collects the non-null values of an expression, without duplicates if they are to be distinct. */
const overValues = (of: Bound, isDistinct: boolean, begin: () => Collector) => (): Accumulator => {
  const collector = begin();
  const seen = isDistinct ? new Set<Known>() : undefined;
  return {
    add(row) {
      const value = of.of(row);
      if (value === null || seen?.has(value)) return;
      seen?.add(value);
      collector.add(value);
    },
    value: () => collector.value(),
  };
};

export function aggregateOf(call: Call, args: readonly Bound[]): Aggregate {
  const { name, star, distinct, at } = call;
  if (name === 'count' && star) {
    const one: Bound = { type: simple('INT'), of: () => 1n };
    return { type: simple('LONG'), begin: overValues(one, false, counter) };
  }
  const [arg] = args;
  if (!arg || args.length !== 1) throw problems.arguments(name, '1', args.length, at);
  if (name === 'count') return { type: simple('LONG'), begin: overValues(arg, distinct, counter) };
  if (name === 'min' || name === 'max') {
    checkOrdered(arg.type, name);
    return { type: arg.type, begin: overValues(arg, distinct, () => extreme(name === 'max' ? 1 : -1)) };
  }
  const sum = sumOf(arg);
  if (name === 'sum') return { type: sum.type, begin: overValues(sum.of, distinct, sum.begin) };
  const divided = arithmetic('/', slot(sum.type, 0), slot(simple('LONG'), 1));
  // The mean of decimals has four more digits after the decimal point.
  const { type: own } = arg;
  const quotient =
    own.kind === 'DECIMAL' ? converted(divided, boundedDecimal(own.precision + 4, own.scale + 4)) : divided;
  const mean = (): Collector => {
    const [total, count] = [sum.begin(), counter()];
    return {
      add(value) {
        total.add(value);
        count.add(value);
      },
      value: () => (count.value() === 0n ? null : quotient.of([total.value(), count.value()])),
    };
  };
  return { type: quotient.type, begin: overValues(sum.of, distinct, mean) };
}

function extreme(sign: 1 | -1): Collector {
  let best: SqlValue = null;
  return {
    add(value) {
      if (best === null || compare(value, best) * sign > 0) best = value;
    },
    value: () => best,
  };
}

const slot = (type: SqlType, index: number): Bound => ({ type, of: (row) => row[index] ?? null });

interface Sum {
  readonly type: SqlType;
  /** The summands, as numbers. */
  readonly of: Bound;
  begin(): Collector;
}

function sumOf(arg: Bound): Sum {
  const isText = arg.type.kind === 'STRING';
  const of = isText || isFloating(arg.type) ? converted(arg, simple('DOUBLE')) : arg;
  const isDecimal = of.type.kind === 'DECIMAL';
  const type: SqlType =
    of.type.kind === 'DECIMAL'
      ? boundedDecimal(Math.min(38, of.type.precision + 10), of.type.scale)
      : isFloating(of.type)
        ? simple('DOUBLE')
        : simple('LONG');
  const plus = arithmetic('+', slot(type, 0), slot(of.type, 1));
  const begin = (): Collector => {
    let sum: SqlValue = null;
    return {
      add(value) {
        if (sum === null) sum = value;
        // The sum of decimals has the digits of `type`; they do not grow with each value.
        else sum = isDecimal ? BigInt(sum) + BigInt(value) : plus.of([sum, value]);
      },
      value: () => sum,
    };
  };
  return { type, of, begin };
}
