import { StoreError } from './errors.ts';
import type { Field, Scalar, ScalarType } from './types.ts';

const NUL = '\u0000';
const REPLACEMENT = '\ufffd';

/**
 * Text as both engines can keep and compare it: PostgreSQL takes no NUL in a text, and half a surrogate pair has no UTF-8.
 * The document itself is JSON, where both are escaped, so only keys and columns pass through here.
 */
export function storable(text: string): string {
  if (text.includes(NUL)) text = text.replaceAll(NUL, REPLACEMENT);
  return text.isWellFormed() ? text : text.toWellFormed();
}

/** What a document has in a column. Numbers that JSON does not know count as absent. */
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

/** A value that a column of this type is to be compared with. Types are never converted: the engines would do it differently. */
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

/** The least text greater than everything that begins with `prefix`, by bytes; undefined when there is none. */
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
