import { EvaluationError, type Fixed, isFixed, isSerial, toNumber, type Value } from './values.ts';

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '^';

/** NaN is BLANK. */
const real = (number: number): number | null => (Number.isNaN(number) ? null : number);

function whole(number: bigint): bigint {
  if (number > 2n ** 63n - 1n || number < -(2n ** 63n)) throw new EvaluationError('overflow of a whole number');
  return number;
}

type Kind = 'int' | 'fixed' | 'real' | 'date';

function kindOf(value: Value): Kind {
  if (isFixed(value)) return 'fixed';
  if (isSerial(value)) return 'date';
  return typeof toNumber(value) === 'bigint' ? 'int' : 'real';
}

/** The result type according to the table in section 4; rows and columns are operands. */
function kindOfResult(operator: ArithmeticOperator, left: Kind, right: Kind): Kind {
  const one = (kind: Kind) => left === kind || right === kind;
  switch (operator) {
    case '+':
      if (one('date')) return 'date';
      return one('real') ? 'real' : one('fixed') ? 'fixed' : 'int';
    case '-':
      if (left === 'date') return 'date';
      if (right === 'date') return 'real';
      return one('real') ? 'real' : one('fixed') ? 'fixed' : 'int';
    case '*':
      if (left === 'fixed' && right === 'fixed') return 'real';
      if (one('fixed')) return 'fixed';
      return one('real') || (left === 'date' && right === 'date') ? 'real' : 'int';
    case '/':
      return (left === 'fixed' && right !== 'fixed' && right !== 'date') || (left === 'int' && right === 'fixed')
        ? 'fixed'
        : 'real';
    case '^':
      return 'real';
  }
}

/** Rounded half away from zero, as the facts state for ROUND. An infinite decimal is BLANK. */
function fixed(number: number): Fixed | null {
  if (!Number.isFinite(number)) return null;
  return { tenThousandths: BigInt(Math.sign(number) * Math.round(Math.abs(number) * 10_000)) };
}

const scaled = (value: Value): bigint => (isFixed(value) ? value.tenThousandths : BigInt(toNumber(value)) * 10_000n);

function ofNumbers(operator: ArithmeticOperator, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    case '^':
      return left ** right;
  }
}

export function calculate(operator: ArithmeticOperator, left: Value, right: Value): Value {
  if (left === null && (right === null || operator === '*' || operator === '/')) return null;
  if (right === null && operator === '*') return null;
  const kind = kindOfResult(operator, kindOf(left), kindOf(right));
  if (kind === 'fixed' && (operator === '+' || operator === '-')) {
    const [a, b] = [scaled(left), scaled(right)];
    return { tenThousandths: whole(operator === '+' ? a + b : a - b) };
  }
  const [a, b] = [toNumber(left), toNumber(right)];
  if (kind === 'int' && typeof a === 'bigint' && typeof b === 'bigint')
    return whole(operator === '+' ? a + b : operator === '-' ? a - b : a * b);
  const number = ofNumbers(operator, Number(a), Number(b));
  if (kind === 'fixed') return fixed(number);
  return kind === 'date' ? { serial: number } : real(number);
}

export function negate(value: Value): Value {
  if (value === null) return null;
  if (isFixed(value)) return { tenThousandths: -value.tenThousandths };
  if (isSerial(value)) return { serial: -value.serial };
  const number = toNumber(value);
  return typeof number === 'bigint' ? whole(-number) : -number;
}
