import { StoreError } from './errors.ts';
import type { Field, Scalar, ScalarType } from './types.ts';

const NUL = '\u0000';
const REPLACEMENT = '\ufffd';

/**
 * Text that both engines can store and compare: PostgreSQL does not accept NUL in text, and a lone surrogate has no UTF-8. The document
 * itself is JSON, where both are escaped, so only keys and columns are converted here.
 */
export function storable(text: string): string {
  if (text.includes(NUL)) text = text.replaceAll(NUL, REPLACEMENT);
  return text.isWellFormed() ? text : text.toWellFormed();
}

/** The value of a column for a document. Numbers that JSON cannot represent become null. */
export function columnValue<T>(field: Field<T>, document: T): Scalar | null {
  const value = field.of(document);
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return storable(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'boolean') return value;
  throw new TypeError('only a set field may have many values');
}

export function setValues<T>(field: Field<T>, document: T): string[] {
  const values = field.of(document);
  return Array.isArray(values) ? [...new Set(values.map(storable))] : [];
}

/**
 * Validates a value that is compared with a column of this type. Types are never converted, because the engines would convert differently.
 */
export function comparable(name: string, type: ScalarType, value: Scalar): Scalar {
  const expected = type === 'text' ? 'string' : type;
  if (typeof value !== expected) {
    throw new StoreError('BAD_QUERY', `'${name}' is a ${type} field and cannot be compared with a ${typeof value}`);
  }
  if (typeof value === 'number' && Number.isNaN(value))
    throw new StoreError('BAD_QUERY', `'${name}' is compared with NaN`);
  return typeof value === 'string' ? storable(value) : value;
}

const LAST_BEFORE_SURROGATES = 0xd7ff;
const FIRST_AFTER_SURROGATES = 0xe000;
const LAST_CODE_POINT = 0x10ffff;

/** The smallest text, by bytes, that is greater than every text with this prefix; undefined if there is none. */
export function endOfPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0)!);
  while (points.length > 0) {
    const last = points.pop()!;
    if (last === LAST_CODE_POINT) continue;
    points.push(last === LAST_BEFORE_SURROGATES ? FIRST_AFTER_SURROGATES : last + 1);
    return String.fromCodePoint(...points);
  }
  return undefined;
}
