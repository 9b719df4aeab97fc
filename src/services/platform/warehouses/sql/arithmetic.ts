import type { Bound } from './bound.ts';
import { castOf, checkedDecimal, rescaled } from './cast.ts';
import { problems } from './problem.ts';
import {
  asDecimal,
  boundedDecimal,
  fits,
  isFloating,
  isInteger,
  isNumeric,
  type SqlType,
  type SqlValue,
  simple,
  typeText,
} from './types.ts';

export type Operator = '+' | '-' | '*' | '/' | '%';

const WORDS: Readonly<Record<Operator, string>> = {
  '+': 'Addition',
  '-': 'Subtraction',
  '*': 'Multiplication',
  '/': 'Division',
  '%': 'Remainder',
};

type Work = (left: Exclude<SqlValue, null>, right: Exclude<SqlValue, null>) => SqlValue;

/** A text in an arithmetic expression is converted to a number. */
function numeric(bound: Bound, other: Bound): Bound {
  const { type } = bound;
  if (isNumeric(type) || type.kind === 'NULL') return bound;
  const to = type.kind !== 'STRING' ? undefined : isInteger(other.type) ? simple('LONG') : simple('DOUBLE');
  const convert = to && castOf(type, to);
  if (!to || !convert) throw problems.mismatch(`A number is needed, not the type "${typeText(type)}".`);
  return { type: to, of: (row) => onValue(bound.of(row), convert) };
}

const onValue = (value: SqlValue, work: (value: Exclude<SqlValue, null>) => SqlValue): SqlValue =>
  value === null ? null : work(value);

export function arithmetic(op: Operator, first: Bound, second: Bound): Bound {
  const left = numeric(first, second);
  const right = numeric(second, first);
  const { type, work } = workOf(op, left, right);
  return {
    type,
    ...(left.literal && right.literal && { literal: true }),
    of(row) {
      const a = left.of(row);
      const b = right.of(row);
      return a === null || b === null ? null : work(a, b);
    },
  };
}

function workOf(op: Operator, left: Bound, right: Bound): { readonly type: SqlType; readonly work: Work } {
  if (left.type.kind === 'NULL' || right.type.kind === 'NULL') {
    const known = left.type.kind === 'NULL' ? right.type : left.type;
    return { type: known.kind === 'NULL' || op === '/' ? simple('DOUBLE') : known, work: () => null };
  }
  const bothWhole = isInteger(left.type) && isInteger(right.type);
  if (isFloating(left.type) || isFloating(right.type) || (bothWhole && op === '/'))
    return floating(op, left.type, right.type);
  return bothWhole ? whole(op, left.type, right.type) : exact(op, left, right);
}

function floating(op: Operator, left: SqlType, right: SqlType): { readonly type: SqlType; readonly work: Work } {
  const [toLeft, toRight] = [castOf(left, simple('DOUBLE')), castOf(right, simple('DOUBLE'))];
  const work: Work = (a, b) => {
    const x = Number(toLeft?.(a));
    const y = Number(toRight?.(b));
    if ((op === '/' || op === '%') && y === 0) throw problems.divideByZero();
    return op === '+' ? x + y : op === '-' ? x - y : op === '*' ? x * y : op === '/' ? x / y : x % y;
  };
  return { type: simple('DOUBLE'), work };
}

function whole(op: Operator, left: SqlType, right: SqlType): { readonly type: SqlType; readonly work: Work } {
  const kinds = ['BYTE', 'SHORT', 'INT', 'LONG'];
  const type = kinds.indexOf(left.kind) > kinds.indexOf(right.kind) ? left : right;
  const work: Work = (a, b) => {
    const [x, y] = [BigInt(a), BigInt(b)];
    if (op === '%' && y === 0n) throw problems.divideByZero();
    const value = op === '+' ? x + y : op === '-' ? x - y : op === '*' ? x * y : x % y;
    if (!fits(value, type)) throw problems.overflow(WORDS[op]);
    return value;
  };
  return { type, work };
}

/** The decimal type of an operand; a literal has only the digits that are written. */
function digitsOf({ type, literal, of }: Bound): { readonly precision: number; readonly scale: number } {
  if (!literal || !isInteger(type)) return asDecimal(type);
  const value = of([]);
  return { precision: value === null ? 1 : String(value).replace('-', '').length, scale: 0 };
}

function exact(op: Operator, left: Bound, right: Bound): { readonly type: SqlType; readonly work: Work } {
  const [a, b] = [digitsOf(left), digitsOf(right)];
  const type = exactType(op, a, b);
  if (type.kind !== 'DECIMAL') throw problems.overflow(WORDS[op]);
  const { precision, scale } = type;
  const work: Work = (first, second) => {
    const [x, y] = [BigInt(first), BigInt(second)];
    if ((op === '/' || op === '%') && y === 0n) throw problems.divideByZero();
    const common = Math.max(a.scale, b.scale);
    const [p, q] = [rescaled(x, a.scale, common), rescaled(y, b.scale, common)];
    if (op === '*') return checkedDecimal(rescaled(x * y, a.scale + b.scale, scale), precision, scale);
    if (op === '%') return checkedDecimal(rescaled(p % q, common, scale), precision, scale);
    // Computes one more digit than is kept, for rounding.
    if (op === '/')
      return checkedDecimal(rescaled((p * 10n ** BigInt(scale + 1)) / q, scale + 1, scale), precision, scale);
    return checkedDecimal(rescaled(op === '+' ? p + q : p - q, common, scale), precision, scale);
  };
  return { type, work };
}

interface Digits {
  readonly precision: number;
  readonly scale: number;
}

function exactType(op: Operator, a: Digits, b: Digits): SqlType {
  const scale = Math.max(a.scale, b.scale);
  const [wholeA, wholeB] = [a.precision - a.scale, b.precision - b.scale];
  if (op === '*') return boundedDecimal(a.precision + b.precision + 1, a.scale + b.scale);
  if (op === '%') return boundedDecimal(Math.max(1, Math.min(wholeA, wholeB) + scale), scale);
  if (op === '/') {
    const kept = Math.max(6, a.scale + b.precision + 1);
    return boundedDecimal(wholeA + b.scale + kept, kept);
  }
  return boundedDecimal(Math.max(wholeA, wholeB) + scale + 1, scale);
}
