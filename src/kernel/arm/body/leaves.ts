import { Type } from 'typebox';
import { parseInstant } from '../../odata/literals.ts';
import type { Json } from '../../store/types.ts';
import { isObject } from '../../values/objects.ts';
import { type Field, type FieldOptions, LEAF, type PresenceOf, TEXT } from './field.ts';
import type { Complaint, Place } from './place.ts';
import type { Expected } from './wording.ts';

export interface LeafOptions<Context, T> extends FieldOptions {
  readonly default?: T;
  /** Replaces the default error for an invalid value of the right type. */
  readonly wrong?: Complaint;
  /** An additional rule, checked only if the value is valid otherwise. */
  readonly check?: (value: T, at: Place<Context>) => void;
}

export interface TextOptions<Context> extends LeafOptions<Context, string> {
  readonly pattern?: RegExp;
  /** Describes the pattern in a message. */
  readonly rule?: string;
  /** An empty text is valid, whatever the pattern. */
  readonly mayBeEmpty?: boolean;
}

export function text<Context, const O extends TextOptions<Context>>(
  options: O,
): Field<string, string, Context, PresenceOf<O>> {
  const { pattern, rule, mayBeEmpty = false, wrong, check } = options;
  return {
    options,
    shape: TEXT,
    schema: () => Type.String(),
    read(given, at) {
      if (typeof given !== 'string') return wrongType(at, { type: 'string' });
      if (given === '' && mayBeEmpty) return given;
      if (pattern && !pattern.test(given)) complain(at, 'form', { type: 'string', rule }, wrong);
      else check?.(given, at);
      return given;
    },
  };
}

export interface TimeOptions<Context> extends LeafOptions<Context, string> {
  /** Returns milliseconds since 1970, or NaN if the text is not a time. RFC 3339 by default. */
  readonly parse?: (text: string) => number;
}

/** A time, kept as sent. */
export function time<Context, const O extends TimeOptions<Context>>(
  options: O,
): Field<string, string, Context, PresenceOf<O>> {
  const { parse = (given: string) => parseInstant(given) ?? Number.NaN, wrong, check } = options;
  return {
    options,
    shape: TEXT,
    schema: () => Type.String({ format: 'date-time' }),
    read(given, at) {
      if (typeof given !== 'string') return wrongType(at, { type: 'string' });
      if (Number.isNaN(parse(given)))
        complain(at, 'form', { type: 'string', rule: 'it must be a time such as 2030-01-31T12:00:00Z' }, wrong);
      else check?.(given, at);
      return given;
    },
  };
}

export interface NumberOptions<Context> extends LeafOptions<Context, number> {
  readonly min?: number;
  readonly max?: number;
}

export const number = <Context, const O extends NumberOptions<Context>>(
  options: O,
): Field<number, number, Context, PresenceOf<O>> => numeric(options, 'number', Number.isFinite);

export const integer = <Context, const O extends NumberOptions<Context>>(
  options: O,
): Field<number, number, Context, PresenceOf<O>> => numeric(options, 'integer', Number.isSafeInteger);

const INT32_MIN = -(2 ** 31);
const INT32_MAX = 2 ** 31 - 1;

/** A 32-bit integer; a number outside the range counts as a wrong type. */
export const int32 = <Context, const O extends NumberOptions<Context>>(
  options: O,
): Field<number, number, Context, PresenceOf<O>> =>
  numeric(options, 'integer', Number.isInteger, { min: INT32_MIN, max: INT32_MAX });

function numeric<Context, O extends NumberOptions<Context>>(
  options: O,
  type: 'number' | 'integer',
  isOne: (value: unknown) => boolean,
  width: { readonly min?: number; readonly max?: number } = {},
): Field<number, number, Context, PresenceOf<O>> {
  const { min, max, wrong, check } = options;
  const { min: least = Number.NEGATIVE_INFINITY, max: most = Number.POSITIVE_INFINITY } = width;
  return {
    options,
    shape: LEAF,
    schema: () =>
      type === 'number'
        ? Type.Number()
        : Type.Integer({ ...(width.min !== undefined && { minimum: least, maximum: most }) }),
    read(given, at) {
      if (typeof given !== 'number' || !isOne(given) || given < least || given > most)
        return wrongType(at, { type, min: min ?? width.min, max: max ?? width.max });
      if ((min !== undefined && given < min) || (max !== undefined && given > max))
        complain(at, 'range', { type, min, max }, wrong);
      else check?.(given, at);
      return given;
    },
  };
}

export function boolean<Context, const O extends LeafOptions<Context, boolean>>(
  options: O,
): Field<boolean, boolean, Context, PresenceOf<O>> {
  return {
    options,
    shape: LEAF,
    schema: () => Type.Boolean(),
    read(given, at) {
      if (typeof given !== 'boolean') return wrongType(at, { type: 'boolean' });
      options.check?.(given, at);
      return given;
    },
  };
}

export type JsonObject = { readonly [name: string]: Json | undefined };

/** Any JSON object, kept as sent. */
export function json<Context, const O extends LeafOptions<Context, JsonObject>>(
  options: O,
): Field<JsonObject, JsonObject, Context, PresenceOf<O>> {
  return {
    options,
    shape: LEAF,
    schema: () => Type.Object({}),
    read(given, at) {
      if (!isJsonObject(given)) return wrongType(at, { type: 'object' });
      options.check?.(given, at);
      return given;
    },
  };
}

/** Bodies are parsed JSON, so an object contains only JSON. */
const isJsonObject = (value: unknown): value is JsonObject => isObject(value);

/** A field with its own parser, which reports mistakes at the given place. */
export function custom<Context, T, const O extends FieldOptions & { readonly default?: T }>(
  parse: (given: unknown, at: Place<Context>) => T | undefined,
  options: O,
): Field<T, T, Context, PresenceOf<O>> {
  return { options, shape: LEAF, schema: () => Type.Unknown(), read: parse };
}

export function complain(
  at: Place,
  kind: 'missing' | 'word' | 'form' | 'range' | 'count',
  expected: Expected,
  own: Complaint | undefined,
): void {
  at.wrong((spot) => own?.(spot, expected) ?? at.reading.wording(kind, spot, expected), kind);
}

export function wrongType(at: Place, expected: Expected): undefined {
  at.wrong((spot) => at.reading.wording('type', spot, expected), 'type');
  return undefined;
}
