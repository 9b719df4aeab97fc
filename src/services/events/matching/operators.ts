/** What the operand of an operator is: `value`, a list in `values`, or nothing. */
export type Operand = 'number' | 'boolean' | 'numbers' | 'ranges' | 'strings' | 'none';

/** How one value of an event is held against the operand. */
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
  /** Wants that nothing compares. */
  readonly isNegative: boolean;
  /** What it says of an event that has no such key, or null there. */
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

/** In any case, as clients write the words of an enumeration. */
export const operatorOf = (name: string): Operator | undefined => byName.get(name.toLowerCase());
