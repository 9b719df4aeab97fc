/**
 * The types of values. Integers and the digits of decimals are `bigint`, timestamps milliseconds, dates days since 1970. Binary values are
 * texts with one character per byte; variants, lists, maps and structures are their JSON text in results.
 */
export type SqlType =
  | { readonly kind: SimpleKind }
  | { readonly kind: 'DECIMAL'; readonly precision: number; readonly scale: number }
  /** `DAY`, `YEAR TO MONTH`. */
  | { readonly kind: 'INTERVAL'; readonly units: string }
  | NestedType;

/** Created by `nested-types.ts`, which limits `text`: otherwise its length would double with each level of nesting. */
export interface NestedType {
  readonly kind: 'ARRAY' | 'MAP' | 'STRUCT';
  /** SQL notation; equal for equal types. */
  readonly text: string;
}

export type SimpleKind =
  | 'NULL'
  | 'BOOLEAN'
  | 'BYTE'
  | 'SHORT'
  | 'INT'
  | 'LONG'
  | 'FLOAT'
  | 'DOUBLE'
  | 'STRING'
  | 'BINARY'
  | 'VARIANT'
  | 'DATE'
  | 'TIMESTAMP'
  | 'TIMESTAMP_NTZ';

export type SqlValue = null | boolean | bigint | number | string;

export const simple = (kind: SimpleKind): SqlType => ({ kind });
export const decimal = (precision: number, scale: number): SqlType => ({ kind: 'DECIMAL', precision, scale });

const MOST_DIGITS = 38;
const LEAST_SCALE = 6;

/** The decimal type for a precision that may exceed the maximum: it loses digits after the decimal point before digits in front of it. */
export function boundedDecimal(precision: number, scale: number): SqlType {
  if (precision <= MOST_DIGITS) return decimal(precision, scale);
  const whole = precision - scale;
  return decimal(MOST_DIGITS, Math.max(MOST_DIGITS - whole, Math.min(scale, LEAST_SCALE)));
}

const INTEGERS: Readonly<Partial<Record<SqlType['kind'], { readonly bits: bigint; readonly digits: number }>>> = {
  BYTE: { bits: 7n, digits: 3 },
  SHORT: { bits: 15n, digits: 5 },
  INT: { bits: 31n, digits: 10 },
  LONG: { bits: 63n, digits: 20 },
};
const RANK: readonly SqlType['kind'][] = ['BYTE', 'SHORT', 'INT', 'LONG'];

export const isInteger = ({ kind }: SqlType): boolean => INTEGERS[kind] !== undefined;
export const isFloating = ({ kind }: SqlType): boolean => kind === 'FLOAT' || kind === 'DOUBLE';
export const isNumeric = (type: SqlType): boolean => isInteger(type) || isFloating(type) || type.kind === 'DECIMAL';
export const isNested = (type: SqlType): type is NestedType =>
  type.kind === 'ARRAY' || type.kind === 'MAP' || type.kind === 'STRUCT';
/** Returns true if values of the type are JSON texts. */
export const isJson = (type: SqlType): boolean => isNested(type) || type.kind === 'VARIANT';
export const isTime = ({ kind }: SqlType): boolean =>
  kind === 'DATE' || kind === 'TIMESTAMP' || kind === 'TIMESTAMP_NTZ';

export function fits(value: bigint, { kind }: SqlType): boolean {
  const bits = INTEGERS[kind]?.bits;
  return bits === undefined || (value >= -(1n << bits) && value < 1n << bits);
}

/** The decimal type that holds every value of the type. */
export const asDecimal = (type: SqlType): { precision: number; scale: number } =>
  type.kind === 'DECIMAL' ? type : { precision: INTEGERS[type.kind]?.digits ?? MOST_DIGITS, scale: 0 };

const NAMES: Readonly<Partial<Record<SqlType['kind'], string>>> = {
  NULL: 'VOID',
  BYTE: 'TINYINT',
  SHORT: 'SMALLINT',
  LONG: 'BIGINT',
};

/** SQL notation: `DECIMAL(10,2)`, `BIGINT`, `ARRAY<INT>`. */
export function typeText(type: SqlType): string {
  if (isNested(type)) return type.text;
  if (type.kind === 'INTERVAL') return `INTERVAL ${type.units}`;
  return type.kind === 'DECIMAL' ? `DECIMAL(${type.precision},${type.scale})` : (NAMES[type.kind] ?? type.kind);
}

/** The type to which both can be converted without loss; undefined if none exists. */
export function commonType(left: SqlType, right: SqlType): SqlType | undefined {
  if (left.kind === 'NULL') return right;
  if (right.kind === 'NULL') return left;
  if (isNested(left) || isNested(right) || left.kind === 'INTERVAL' || right.kind === 'INTERVAL')
    return typeText(left) === typeText(right) ? left : undefined;
  if (left.kind === right.kind && left.kind !== 'DECIMAL') return left;
  if (isNumeric(left) && isNumeric(right)) {
    if (isFloating(left) || isFloating(right))
      return left.kind === 'FLOAT' && right.kind === 'FLOAT' ? left : simple('DOUBLE');
    if (isInteger(left) && isInteger(right)) return RANK.indexOf(left.kind) > RANK.indexOf(right.kind) ? left : right;
    const [a, b] = [asDecimal(left), asDecimal(right)];
    const scale = Math.max(a.scale, b.scale);
    return boundedDecimal(Math.max(a.precision - a.scale, b.precision - b.scale) + scale, scale);
  }
  if (isTime(left) && isTime(right)) return left.kind === 'DATE' ? right : left;
  if (left.kind === 'VARIANT' || right.kind === 'VARIANT') return undefined;
  // A text takes the type of the other operand; for integers, the widest one.
  if (left.kind === 'STRING') return isInteger(right) ? simple('LONG') : isNumeric(right) ? simple('DOUBLE') : right;
  if (right.kind === 'STRING') return commonType(right, left);
  return undefined;
}

const BY_NAME: Readonly<Record<string, SimpleKind>> = {
  BOOLEAN: 'BOOLEAN',
  TINYINT: 'BYTE',
  BYTE: 'BYTE',
  SMALLINT: 'SHORT',
  SHORT: 'SHORT',
  INT: 'INT',
  INTEGER: 'INT',
  BIGINT: 'LONG',
  LONG: 'LONG',
  FLOAT: 'FLOAT',
  REAL: 'FLOAT',
  DOUBLE: 'DOUBLE',
  STRING: 'STRING',
  VARCHAR: 'STRING',
  CHAR: 'STRING',
  BINARY: 'BINARY',
  VARIANT: 'VARIANT',
  DATE: 'DATE',
  TIMESTAMP: 'TIMESTAMP',
  TIMESTAMP_LTZ: 'TIMESTAMP',
  TIMESTAMP_NTZ: 'TIMESTAMP_NTZ',
  VOID: 'NULL',
};

/** The type of a name with numbers in parentheses. */
export function typeNamed(name: string, numbers: readonly number[]): SqlType | undefined {
  const word = name.toUpperCase();
  if (word === 'DECIMAL' || word === 'DEC' || word === 'NUMERIC') {
    const [precision = 10, scale = 0] = numbers;
    const isValid = precision >= 1 && precision <= MOST_DIGITS && scale >= 0 && scale <= precision;
    return isValid ? decimal(precision, scale) : undefined;
  }
  const kind = Object.hasOwn(BY_NAME, word) ? BY_NAME[word] : undefined;
  return kind && simple(kind);
}
