import { createHash } from 'node:crypto';
import { SECOND_MS } from '../time/units.ts';
import type { BoundPolicy } from './bound-policy.ts';

/** Milliseconds to wait after `tries` failed attempts (1 or more), at least `minDelayMs`. The same for the same delivery, always. */
export function delayAfter(
  { schedule, jitter = 0 }: Pick<BoundPolicy, 'schedule' | 'jitter'>,
  id: string,
  tries: number,
  minDelayMs = 0,
): number {
  const delay = Math.max(schedule[Math.min(tries, schedule.length) - 1] ?? 0, minDelayMs);
  return jitter === 0 ? delay : Math.round(delay * (1 + jitter * chance(id, tries)));
}

/** At least 0 and less than 1, spread evenly. */
function chance(id: string, tries: number): number {
  const digest = createHash('sha256').update(`${id} ${tries}`).digest();
  return digest.readUIntBE(0, 6) / 2 ** 48;
}

/** Milliseconds that a `Retry-After` asks for: seconds, or a date. */
export function retryAfterMs(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * SECOND_MS;
  const at = Date.parse(header);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}
