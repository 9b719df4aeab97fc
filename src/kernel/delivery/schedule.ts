import { createHash } from 'node:crypto';
import { SECOND_MS } from '../time/units.ts';
import type { BoundPolicy } from './bound-policy.ts';

/** Delay in milliseconds after `tries` failed attempts (1 or more), at least `minDelayMs`. Deterministic for a delivery. */
export function delayAfter(
  { schedule, jitter = 0 }: Pick<BoundPolicy, 'schedule' | 'jitter'>,
  id: string,
  tries: number,
  minDelayMs = 0,
): number {
  const delay = Math.max(schedule[Math.min(tries, schedule.length) - 1] ?? 0, minDelayMs);
  return jitter === 0 ? delay : Math.round(delay * (1 + jitter * chance(id, tries)));
}

/** Evenly distributed, from 0 up to but not including 1. */
function chance(id: string, tries: number): number {
  const digest = createHash('sha256').update(`${id} ${tries}`).digest();
  return digest.readUIntBE(0, 6) / 2 ** 48;
}

/** The delay that a `Retry-After` header requests, in seconds or as a date; returns milliseconds. */
export function retryAfterMs(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * SECOND_MS;
  const at = Date.parse(header);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}
