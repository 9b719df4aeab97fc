import { parseInstant } from '../../../kernel/odata/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import { invalid } from './body.ts';

/** The range that responses can show with a four-digit year; a time-zone offset can exceed it. */
const FIRST = Date.parse('0001-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** Parses a text that the body reader has accepted as a time. */
export function instantOf(time: string, target: string): number {
  const instant = parseInstant(time);
  if (instant === undefined || instant < FIRST || instant > LAST)
    throw invalid(target, 'it must be within the years 1 to 9999 in UTC');
  return instant;
}

const EXPIRY = 'properties.expirationDate';

/** A requested expiry; a time in the past is rejected. */
export function expiryOf(time: string | undefined, now: number): { readonly expirationDate?: number } {
  if (time === undefined) return {};
  const expirationDate = instantOf(time, EXPIRY);
  if (expirationDate <= now) throw invalid(EXPIRY, `it is '${isoTime(now)}' already`);
  return { expirationDate };
}

/** Representation in responses. */
export const shownExpiry = (at: number | undefined) => ({ ...(at !== undefined && { expirationDate: isoTime(at) }) });
