import { MINUTE_MS as MINUTE, SECOND_MS as SECOND } from '../time/units.ts';

/** The delays after the first, second, … failure; the last one is used for all further failures. */
const DELAYS_MS = [SECOND, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, 60 * MINUTE] as const;

export const MAX_ATTEMPTS = 10;

/** Returns the milliseconds until the next attempt after `failures` failures (1 or more), or undefined after the last attempt. */
export function retryDelay(failures: number, maxAttempts = MAX_ATTEMPTS): number | undefined {
  if (failures >= maxAttempts) return undefined;
  return DELAYS_MS[Math.min(failures, DELAYS_MS.length) - 1];
}
