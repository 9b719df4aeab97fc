import type { BigIntStats } from 'node:fs';
import type { StoredFile } from '../types.ts';

/**
 * Whatever writes to a file, replaces it or sets its times changes one of these. The time of the last change of the inode cannot be set back, so
 * that a program which restores the modification time, as archivers do, is noticed, too.
 */
export function fileOf(name: string, { size, mtimeNs, ctimeNs, ino }: BigIntStats): StoredFile {
  const version = [size, mtimeNs, ctimeNs, ino].map((part) => part.toString(36)).join('-');
  return { name, size: Number(size), version };
}

/** The kernel stamps files with the time of its last tick, of which the slowest has 10 ms. Two writes within one give one version. */
const TICK_MS = 20;

/** Milliseconds until a further write would have another time stamp; 0 for a file that was not written a moment ago. */
export function unsettledMs({ ctimeNs }: BigIntStats, now: number): number {
  const age = now - Number(ctimeNs / 1_000_000n);
  return age >= TICK_MS ? 0 : Math.min(TICK_MS, TICK_MS - age);
}
