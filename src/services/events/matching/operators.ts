/** Operand of an operator: `value`, a list in `values`, or none. */
export type Operand = 'number' | 'boolean' | 'numbers' | 'ranges' | 'strings' | 'none';

/** How a value of an event is compared with the operand. */
export type Comparison =
  | 'equals'
  | 'below'
  | 'atMost'
  | 'above'
  | 'atLeast'
  | 'within'
  | 'begins'
  | 'ends'
  | 'contains'
  | 'exists';

export interface Operator {
  readonly name: string;
  readonly operand: Operand;
  readonly comparison: Comparison;
  /** Negated: matches if no value compares. */
  readonly isNegative: boolean;
  /** Result for an event without the key, or with null there. */
  readonly ofAbsent: boolean;
}

const wants = (name: string, operand: Operand, comparison: Comparison): Operator => ({
  name,
  operand,
  comparison,
  isNegative: false,
  ofAbsent: false,
});

const refuses = (name: string, operand: Operand, comparison: Comparison, { ofAbsent = false } = {}): Operator => ({
  name,
  operand,
  comparison,
  isNegative: true,
  ofAbsent,
});

export const OPERATORS: readonly Operator[] = [
  wants('NumberIn', 'numbers', 'equals'),
  refuses('NumberNotIn', 'numbers', 'equals', { ofAbsent: true }),
  wants('NumberLessThan', 'number', 'below'),
  wants('NumberLessThanOrEquals', 'number', 'atMost'),
  wants('NumberGreaterThan', 'number', 'above'),
  wants('NumberGreaterThanOrEquals', 'number', 'atLeast'),
  wants('NumberInRange', 'ranges', 'within'),
  refuses('NumberNotInRange', 'ranges', 'within', { ofAbsent: true }),
  wants('BoolEquals', 'boolean', 'equals'),
  wants('StringIn', 'strings', 'equals'),
  refuses('StringNotIn', 'strings', 'equals', { ofAbsent: true }),
  wants('StringBeginsWith', 'strings', 'begins'),
  refuses('StringNotBeginsWith', 'strings', 'begins'),
  wants('StringEndsWith', 'strings', 'ends'),
  refuses('StringNotEndsWith', 'strings', 'ends'),
  wants('StringContains', 'strings', 'contains'),
  refuses('StringNotContains', 'strings', 'contains'),
  wants('IsNotNull', 'none', 'exists'),
  refuses('IsNullOrUndefined', 'none', 'exists', { ofAbsent: true }),
];

export const OPERATOR_NAMES: readonly string[] = OPERATORS.map(({ name }) => name);

const byName = new Map(OPERATORS.map((operator) => [operator.name.toLowerCase(), operator]));

/** Ignores case, as for all enumeration values that clients send. */
export const operatorOf = (name: string): Operator | undefined => byName.get(name.toLowerCase());
