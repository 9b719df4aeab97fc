import { closeSync, openSync, readSync } from 'node:fs';
import { endianness } from 'node:os';

/** The state of SQLite's write-ahead log according to its index; see "WAL-Index Format" in SQLite's documentation. */
export interface LogIndex {
  /** Identifies the log that this index belongs to; a restarted log gets new salts. */
  readonly salts: string;
  /** The number of pages in the log after the last commit. */
  readonly pages: number;
  /** How many of these pages have been copied to the database file. */
  readonly kept: number;
}

// Two copies of a 48-byte header, followed by the checkpoint information.
const HEADER_BYTES = 136;
const IS_INITIALISED = 12;
const PAGES = 16;
const SALTS = 32;
const SECOND_COPY = 48;
const KEPT = 96;

/**
 * Reads the log's index as the last process has left it. It survives a killed process and records how much that process had committed: the
 * log itself cannot show that its end is missing. Returns undefined if there is no complete index.
 */
export function readLogIndex(file: string): LogIndex | undefined {
  const bytes = Buffer.alloc(HEADER_BYTES);
  try {
    const handle = openSync(`${file}-shm`, 'r');
    try {
      if (readSync(handle, bytes, 0, HEADER_BYTES, 0) < HEADER_BYTES) return undefined;
    } finally {
      closeSync(handle);
    }
  } catch {
    return undefined;
  }
  if (bytes[IS_INITIALISED] !== 1 || !bytes.subarray(0, SECOND_COPY).equals(bytes.subarray(SECOND_COPY, KEPT))) {
    return undefined;
  }
  // In the machine's byte order, because only this machine shares the memory.
  const number = (at: number): number => (endianness() === 'LE' ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  return { salts: bytes.toString('hex', SALTS, SALTS + 8), pages: number(PAGES), kept: number(KEPT) };
}

/** Describes the difference between what was committed and what could be read of the log; undefined if nothing is lost. */
export function lossOf(before: LogIndex | undefined, after: LogIndex | undefined): string | undefined {
  if (!before || before.pages === 0) return undefined;
  const isSameLog = after !== undefined && after.pages > 0;
  // All pages are in the database file, and the log was removed or restarted.
  if (!isSameLog && before.kept >= before.pages) return undefined;
  if (isSameLog && (after.salts !== before.salts || after.pages >= before.pages)) return undefined;
  const found = isSameLog ? after.pages : 0;
  return `its log ends after ${found} of the ${before.pages} pages that were committed: the latest changes are lost`;
}
