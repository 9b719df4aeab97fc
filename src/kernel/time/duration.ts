import { ClockError } from './errors.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './units.ts';

const UNIT_MS = { d: DAY_MS, h: HOUR_MS, m: MINUTE_MS, s: SECOND_MS, ms: 1 } as const;

/** 100 years. */
export const LONGEST_DURATION_MS = 36_525 * UNIT_MS.d;

const NUMBER = String.raw`(\d+(?:\.\d+)?)`;
/** Units in descending order, each at most once: `1h30m`, `500ms`. */
const SHORT = new RegExp(`^(?:${NUMBER}d)?(?:${NUMBER}h)?(?:${NUMBER}m(?!s))?(?:${NUMBER}s)?(?:${NUMBER}ms)?$`, 'i');
/** ISO 8601 without years and months, which have no fixed length. */
const ISO = new RegExp(
  `^P(?:${NUMBER}W)?(?:${NUMBER}D)?(T(?=\\d)(?:${NUMBER}H)?(?:${NUMBER}M)?(?:${NUMBER}S)?)?$`,
  'i',
);

const FORMS = `a number of milliseconds, '500ms', '90s', '1h30m', '36h', '3d', or ISO 8601 such as 'PT36H' and 'P1DT2H'`;

/** Parses a duration in any accepted form to milliseconds. */
export function parseDuration(value: string | number): number {
  const ms = typeof value === 'number' ? value : millisecondsOf(textOf(value));
  if (ms === undefined || Number.isNaN(ms)) refuse(value, `is not a duration; give ${FORMS}`);
  if (ms < 0) refuse(value, 'is negative; time goes forward only');
  if (ms > LONGEST_DURATION_MS) refuse(value, 'is more than 100 years');
  return Math.round(ms);
}

/** Returns the shortest form that `parseDuration` parses to the same number: `1d12h`, `90ms`, `0s`. */
export function formatDuration(ms: number): string {
  let left = Math.round(ms);
  if (!(left > 0)) return '0s';
  let text = '';
  for (const [unit, size] of Object.entries(UNIT_MS)) {
    const whole = Math.floor(left / size);
    if (whole > 0) text += `${whole}${unit}`;
    left -= whole * size;
  }
  return text;
}

/** Untyped callers may pass any value. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

function millisecondsOf(text: string): number | undefined {
  const short = text === '' ? null : SHORT.exec(text);
  if (short) return sum(short.slice(1), [UNIT_MS.d, UNIT_MS.h, UNIT_MS.m, UNIT_MS.s, UNIT_MS.ms]);
  const iso = ISO.exec(text);
  if (!iso || iso[0].length < 2) return undefined;
  const [, weeks, days, , hours, minutes, seconds] = iso;
  const sizes = [7 * UNIT_MS.d, UNIT_MS.d, UNIT_MS.h, UNIT_MS.m, UNIT_MS.s];
  return sum([weeks, days, hours, minutes, seconds], sizes);
}

function sum(amounts: readonly (string | undefined)[], sizes: readonly number[]): number {
  return amounts.reduce((total, amount, i) => total + Number(amount ?? 0) * (sizes[i] ?? 0), 0);
}

function refuse(value: string | number, why: string): never {
  throw new ClockError('BAD_DURATION', `${typeof value === 'number' ? value : `'${value}'`} ${why}`);
}
