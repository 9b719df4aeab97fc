import { parseInstant } from '../../../kernel/odata/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import { invalid } from './body.ts';

/** Of a text that the reader of bodies has taken for a time. */
export const instantOf = (time: string): number => parseInstant(time) ?? Number.NaN;

/** An expiry that was asked for; one in the past is refused. */
export function expiryOf(time: string | undefined, now: number): { readonly expirationDate?: number } {
  if (time === undefined) return {};
  const expirationDate = instantOf(time);
  if (expirationDate <= now) throw invalid('properties.expirationDate', `it is '${isoTime(now)}' already`);
  return { expirationDate };
}

/** As answers show it. */
export const shownExpiry = (at: number | undefined) => ({ ...(at !== undefined && { expirationDate: isoTime(at) }) });
