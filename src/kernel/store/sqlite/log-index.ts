import { closeSync, openSync, readSync } from 'node:fs';
import { endianness } from 'node:os';

/** What the index of SQLite's write-ahead log says of it; see "WAL-Index Format" in the documentation of SQLite. */
export interface LogIndex {
  /** Of the log that it is the index of: a log that was begun anew has others. */
  readonly salts: string;
  /** How many pages the last commit has left in the log. */
  readonly pages: number;
  /** How many of them are in the database itself by now. */
  readonly kept: number;
}

// Two copies of a header of 48 bytes, then what is known of checkpoints.
const HEADER_BYTES = 136;
const IS_INITIALISED = 12;
const PAGES = 16;
const SALTS = 32;
const SECOND_COPY = 48;
const KEPT = 96;

/**
 * Reads the index of a log as the last process has left it. It outlives a process that was killed, and says how much that one had committed: the log
 * itself cannot tell whether something is missing at its end. Undefined where there is none, or none that is whole.
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
  // In the order of bytes of the machine, since no other one shares the memory.
  const number = (at: number): number => (endianness() === 'LE' ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  return { salts: bytes.toString('hex', SALTS, SALTS + 8), pages: number(PAGES), kept: number(KEPT) };
}

/** What is lost between what was committed and what could be read of the log; undefined where nothing is. */
export function lossOf(before: LogIndex | undefined, after: LogIndex | undefined): string | undefined {
  if (!before || before.pages === 0) return undefined;
  const isSameLog = after !== undefined && after.pages > 0;
  // Everything is in the database, and the log was removed or begun anew.
  if (!isSameLog && before.kept >= before.pages) return undefined;
  if (isSameLog && (after.salts !== before.salts || after.pages >= before.pages)) return undefined;
  const found = isSameLog ? after.pages : 0;
  return `its log ends after ${found} of the ${before.pages} pages that were committed: what was stored last is lost`;
}
