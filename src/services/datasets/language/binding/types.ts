import type { ScalarType } from '../scalar/types.ts';

const NUMBERS: readonly ScalarType[] = ['int', 'decimal', 'double'];

export const isNumber = (type: ScalarType): boolean => NUMBERS.includes(type);

/** Type names in messages. */
export const TYPE_NAMES: Readonly<Record<ScalarType, string>> = {
  int: 'Integer',
  decimal: 'Currency',
  double: 'Number',
  boolean: 'True/False',
  date: 'Date',
  text: 'Text',
  blank: 'Blank',
  variant: 'Variant',
};

/** The type that arithmetic converts an operand to: TRUE and FALSE become 1 and 0, texts are parsed as numbers. */
function arithmeticOperand(type: ScalarType): 'int' | 'decimal' | 'double' | 'date' {
  if (type === 'boolean' || type === 'blank') return 'int';
  return type === 'text' || type === 'variant' ? 'double' : type;
}

/** The result-type tables of the reference: I integer, C fixed decimal, R real, D date. */
export function arithmeticType(
  operator: '+' | '-' | '*' | '/' | '^',
  leftType: ScalarType,
  rightType: ScalarType,
): ScalarType {
  const left = arithmeticOperand(leftType);
  const right = arithmeticOperand(rightType);
  if (operator === '^') return 'double';
  if (left === 'date' || right === 'date') return dateArithmetic(operator, left, right);
  if (operator === '/') {
    if (left === 'decimal') return right === 'decimal' ? 'double' : 'decimal';
    return left === 'int' && right === 'decimal' ? 'decimal' : 'double';
  }
  if (operator === '*') {
    if (left === 'decimal' && right === 'decimal') return 'double';
    if (left === 'decimal' || right === 'decimal') return 'decimal';
  }
  if (left === 'double' || right === 'double') return 'double';
  return left === 'decimal' || right === 'decimal' ? 'decimal' : 'int';
}

function dateArithmetic(operator: '+' | '-' | '*' | '/', left: ScalarType, right: ScalarType): ScalarType {
  if (operator === '+') return 'date';
  if (operator === '-') return left === 'date' ? 'date' : 'double';
  if (operator === '/') return 'double';
  const other = left === 'date' ? right : left;
  return other === 'date' ? 'double' : other;
}

/** The common type of alternative values. */
export function unified(types: readonly ScalarType[]): ScalarType {
  return types.reduce((a, b) => {
    if (a === b || b === 'blank') return a;
    if (a === 'blank') return b;
    if (!isNumber(a) || !isNumber(b)) return 'variant';
    return a === 'double' || b === 'double' ? 'double' : 'decimal';
  }, 'blank' as ScalarType);
}

/** The type of a column built from several values: a variant if any of them is one, otherwise text takes precedence over all others. */
export function columnType(types: readonly ScalarType[]): ScalarType {
  const type = unified(types);
  if (type !== 'variant' || types.includes('variant')) return type;
  if (types.includes('text')) return 'text';
  return types.includes('date') && !types.includes('boolean') ? 'date' : 'double';
}

type Kind = 'number' | 'text' | 'boolean' | 'any';

function kindOf(type: ScalarType): Kind {
  if (type === 'blank' || type === 'variant') return 'any';
  return type === 'text' || type === 'boolean' ? type : 'number';
}

export function areComparable(left: ScalarType, right: ScalarType): boolean {
  const [a, b] = [kindOf(left), kindOf(right)];
  return a === b || a === 'any' || b === 'any';
}
