import type { BigIntStats } from 'node:fs';
import type { StoredFile } from '../types.ts';

/**
 * Writing, replacing or touching a file changes at least one of these. The change time of the inode cannot be set back, so programs that
 * restore the modification time, such as archivers, are detected as well.
 */
export function fileOf(name: string, { size, mtimeNs, ctimeNs, ino }: BigIntStats): StoredFile {
  const version = [size, mtimeNs, ctimeNs, ino].map((part) => part.toString(36)).join('-');
  return { name, size: Number(size), version };
}

/** The kernel stamps files with the time of its last tick, at most 10 ms long. Two writes within one tick give the same version. */
const TICK_MS = 20;

/** Milliseconds until a further write would get a different time stamp; 0 if the file was not written recently. */
export function unsettledMs({ ctimeNs }: BigIntStats, now: number): number {
  const age = now - Number(ctimeNs / 1_000_000n);
  return age >= TICK_MS ? 0 : Math.min(TICK_MS, TICK_MS - age);
}
