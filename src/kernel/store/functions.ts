import { DAY_MS } from '../time/units.ts';
import { isLike } from './like.ts';
import type { Scalar, ScalarType } from './types.ts';

/**
 * The functions that a filter may use, and their semantics. SQLite calls these implementations; PostgreSQL has its own, in
 * `postgres/functions.ts`, that return the same results for every value that a column can hold.
 *
 * All are total: an absent argument makes the result absent, and so does a result that is not a finite number (a division by zero, an
 * overflow). Text is counted in code points, as both engines do. A point in time is a number, milliseconds since 1970 (UTC); a date is the
 * text `2024-01-31`, a time of day the text `23:59:59.999`.
 */
export type FunctionName = keyof typeof FUNCTIONS;

type Parameter = ScalarType | 'text or number';

export interface StoreFunction {
  readonly parameters: readonly Parameter[];
  /** The number of trailing parameters that are optional. */
  readonly optional?: number;
  readonly result: ScalarType;
  of(...values: never[]): Scalar | null;
}

const FIRST_INSTANT = -62_135_596_800_000; // 0001-01-01
const LAST_INSTANT = 253_402_300_799_999; // 9999-12-31
/** Longer than any text, and far below the largest position that a database accepts. */
const LONGEST = 1_000_000_000;

const text = (...parameters: Parameter[]) => ({ parameters, result: 'text' }) as const;
const number = (...parameters: Parameter[]) => ({ parameters, result: 'number' }) as const;
const boolean = (...parameters: Parameter[]) => ({ parameters, result: 'boolean' }) as const;

export const FUNCTIONS = {
  tolower: { ...text('text'), of: (it: string) => it.toLowerCase() },
  toupper: { ...text('text'), of: (it: string) => it.toUpperCase() },
  trim: { ...text('text'), of: (it: string) => it.trim() },
  concat: { ...text('text', 'text'), of: (a: string, b: string) => a + b },
  substring: { ...text('text', 'number', 'number'), optional: 1, of: substring },
  length: { ...number('text'), of: codePoints },
  indexof: { ...number('text', 'text'), of: indexOf },
  startswith: { ...boolean('text', 'text'), of: (it: string, start: string) => it.startsWith(start) },
  endswith: { ...boolean('text', 'text'), of: (it: string, end: string) => it.endsWith(end) },
  contains: { ...boolean('text', 'text'), of: (it: string, part: string) => it.includes(part) },
  /** See `like.ts` for the pattern syntax. */
  like: { ...boolean('text', 'text'), of: isLike },

  add: { ...number('number', 'number'), of: (a: number, b: number) => finite(a + b) },
  sub: { ...number('number', 'number'), of: (a: number, b: number) => finite(a - b) },
  mul: { ...number('number', 'number'), of: (a: number, b: number) => finite(a * b) },
  divby: { ...number('number', 'number'), of: (a: number, b: number) => finite(a / b) },
  /** For whole numbers: drops the remainder. */
  div: { ...number('number', 'number'), of: (a: number, b: number) => finite(Math.trunc(a / b)) },
  /** Computed with IEEE double operations that every engine has, because the engines' own remainders differ. */
  mod: { ...number('number', 'number'), of: (a: number, b: number) => finite(a - b * Math.trunc(a / b)) },
  negate: { ...number('number'), of: (it: number) => -it },
  floor: { ...number('number'), of: (it: number) => Math.floor(it) },
  ceiling: { ...number('number'), of: (it: number) => Math.ceil(it) },
  /** A half is rounded away from zero. */
  round: { ...number('number'), of: round },

  year: { ...number('text or number'), of: (it: Scalar) => datePart(it, 0, 4) },
  month: { ...number('text or number'), of: (it: Scalar) => datePart(it, 5, 7) },
  day: { ...number('text or number'), of: (it: Scalar) => datePart(it, 8, 10) },
  hour: { ...number('text or number'), of: (it: Scalar) => timePart(it, 0, 2) },
  minute: { ...number('text or number'), of: (it: Scalar) => timePart(it, 3, 5) },
  second: { ...number('text or number'), of: (it: Scalar) => timePart(it, 6, 8) },
  fractionalseconds: { ...number('text or number'), of: fractionalSeconds },
  date: { ...text('number'), of: (it: number) => isoOf(it)?.slice(0, 10) ?? null },
  time: { ...text('number'), of: (it: number) => isoOf(it)?.slice(11, 23) ?? null },
} as const satisfies Readonly<Record<string, StoreFunction>>;

/** Calls a function with these values. Returns null if one of them is null. */
export function callFunction(name: FunctionName, values: readonly (Scalar | null)[]): Scalar | null {
  for (const value of values) if (value === null) return null;
  const of = FUNCTIONS[name].of as (...values: readonly (Scalar | null)[]) => Scalar | null;
  return of(...values);
}

/**
 * Compares texts by their UTF-8 bytes, as both engines order them. Comparing UTF-16 units would sort characters beyond U+FFFF too early.
 */
export function compareText(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** A surrogate is half of a character beyond U+FFFF. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Both values have the same type and are not absent. */
export function compareScalars(a: Scalar, b: Scalar): number {
  return typeof a === 'string' && typeof b === 'string' ? compareText(a, b) : Number(a) - Number(b);
}

const SURROGATE = /[\ud800-\udbff]/;

function codePoints(it: string): number {
  if (!SURROGATE.test(it)) return it.length;
  let count = 0;
  for (const _ of it) count++;
  return count;
}

function indexOf(it: string, part: string): number {
  const unit = it.indexOf(part);
  return unit <= 0 ? unit : codePoints(it.slice(0, unit));
}

function substring(it: string, start: number, length = LONGEST): string {
  const from = position(start);
  const to = from + position(length);
  return SURROGATE.test(it) ? Array.from(it).slice(from, to).join('') : it.slice(from, to);
}

const position = (value: number): number => Math.min(Math.max(Math.trunc(value), 0), LONGEST);

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

function round(it: number): number {
  const whole = Math.trunc(it);
  return Math.abs(it - whole) >= 0.5 ? whole + Math.sign(it) : whole;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{2}:\d{2}:\d{2}\.\d{3}$/;

function datePart(it: Scalar, from: number, to: number): number | null {
  const iso = typeof it === 'number' ? isoOf(it) : DATE.test(String(it)) ? String(it) : undefined;
  return iso === undefined ? null : Number(iso.slice(from, to));
}

function timePart(it: Scalar, from: number, to: number): number | null {
  const time = typeof it === 'number' ? isoOf(it)?.slice(11) : TIME.test(String(it)) ? String(it) : undefined;
  return time === undefined ? null : Number(time.slice(from, to));
}

function fractionalSeconds(it: Scalar): number | null {
  const milliseconds = timePart(it, 9, 12);
  return milliseconds === null ? null : milliseconds / 1000;
}

/** Returns undefined outside of the years with four digits. */
function isoOf(instant: number): string | undefined {
  const whole = Math.floor(instant);
  return whole >= FIRST_INSTANT && whole <= LAST_INSTANT ? new Date(whole).toISOString() : undefined;
}

/** Shared with PostgreSQL's functions, so that both use the same bounds. */
export const BOUNDS = { DAY_MS, FIRST_INSTANT, LAST_INSTANT, LONGEST } as const;
