import { errors } from '../../errors.ts';

export const CONDITION_OPERATORS = [
  'EQUAL_TO',
  'NOT_EQUAL',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL',
] as const;

export type ConditionOperator = (typeof CONDITION_OPERATORS)[number];

const NUMERIC: Readonly<Partial<Record<ConditionOperator, (left: number, right: number) => boolean>>> = {
  GREATER_THAN: (left, right) => left > right,
  GREATER_THAN_OR_EQUAL: (left, right) => left >= right,
  LESS_THAN: (left, right) => left < right,
  LESS_THAN_OR_EQUAL: (left, right) => left <= right,
};

/** Equality compares texts (`12.0` is not `12`), ordering compares numbers. Throws if an operand of an ordering is not a number. */
export function decide(op: ConditionOperator, left: string, right: string): boolean {
  if (op === 'EQUAL_TO') return left === right;
  if (op === 'NOT_EQUAL') return left !== right;
  const wrong = [left, right].find((text) => text.trim() === '' || !Number.isFinite(Number(text)));
  if (wrong !== undefined)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `'${wrong.slice(0, 100)}' cannot be compared by ${op}: it is not a number`,
    });
  return NUMERIC[op]?.(Number(left), Number(right)) ?? false;
}
