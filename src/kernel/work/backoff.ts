import { MINUTE_MS as MINUTE, SECOND_MS as SECOND } from '../time/units.ts';

/** How long after the first, second, … failure an item is tried again; the last holds for all further ones. */
const DELAYS_MS = [SECOND, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, 60 * MINUTE] as const;

export const MAX_ATTEMPTS = 10;

/** Milliseconds until the next try after `failures` of them (1 or more), or undefined when it has had its chances. */
export function retryDelay(failures: number, maxAttempts = MAX_ATTEMPTS): number | undefined {
  if (failures >= maxAttempts) return undefined;
  return DELAYS_MS[Math.min(failures, DELAYS_MS.length) - 1];
}
