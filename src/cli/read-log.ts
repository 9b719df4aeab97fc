import { type FileHandle, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { logPath, OLDER_LOG_FILE } from './log-file.ts';

const PART_BYTES = 64 * 1024;
const LOOK_EVERY_MS = 200;
const NEWLINE = 0x0a;

export interface LastLines {
  readonly lines: readonly string[];
  /** End of the log at the time of reading. */
  readonly end: LogPlace;
}

export interface LogPlace {
  /** Distinguishes the file from the file that replaces it on rotation. */
  readonly inode: bigint;
  readonly bytes: number;
}

/** The last lines of the log; if it has too few, preceded by lines of the previous file. */
export async function lastLines(folder: string, most: number): Promise<LastLines> {
  const { lines, end } = await tailOf(logPath(folder), most);
  if (lines.length >= most) return { lines, end };
  const older = await tailOf(join(folder, OLDER_LOG_FILE), most - lines.length).catch(() => ({ lines: [] }));
  return { lines: [...older.lines, ...lines], end };
}

/** Reads backwards in parts, because a log can be long. */
async function tailOf(path: string, most: number): Promise<LastLines> {
  const file = await open(path);
  try {
    const { size, ino } = await file.stat({ bigint: true });
    const bytes = Number(size);
    const parts: Buffer[] = [];
    let start = bytes;
    let newlines = 0;
    // One more line break than lines: the one before the first line.
    while (start > 0 && newlines <= most) {
      const length = Math.min(PART_BYTES, start);
      start -= length;
      const part = await readAt(file, start, length);
      newlines += countNewlines(part);
      parts.unshift(part);
    }
    const lines = Buffer.concat(parts).toString('utf8').split('\n');
    // After the last line break there is nothing, or an incomplete line.
    const rest = lines.pop() ?? '';
    if (start > 0) lines.shift();
    return { lines: most === 0 ? [] : lines.slice(-most), end: { inode: ino, bytes: bytes - Buffer.byteLength(rest) } };
  } finally {
    await file.close();
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position, length });
  return buffer.subarray(0, bytesRead);
}

function countNewlines(part: Buffer): number {
  let found = 0;
  for (const byte of part) if (byte === NEWLINE) found++;
  return found;
}

/** Shows new lines from `from` on, across rotations, until the signal aborts. */
export async function followLog(
  folder: string,
  from: LogPlace,
  show: (lines: readonly string[]) => Promise<void>,
  ends: AbortSignal,
): Promise<void> {
  const path = logPath(folder);
  let place = from;
  while (!ends.aborted) {
    // Polls, because file watching differs between systems and misses network drives.
    const found = await stat(path, { bigint: true }).catch(() => undefined);
    if (found && (found.ino !== place.inode || Number(found.size) < place.bytes)) {
      const rest =
        found.ino === place.inode
          ? undefined
          : await readRest(join(folder, OLDER_LOG_FILE), place).catch(() => undefined);
      await show(rest?.lines ?? []);
      place = { inode: found.ino, bytes: 0 };
    }
    if (found && Number(found.size) > place.bytes) {
      const { lines, end } = await readRest(path, place);
      await show(lines);
      place = end;
    } else await pause(LOOK_EVERY_MS, undefined, { signal: ends });
  }
}

/** Complete lines after a position; none if the file was replaced. */
async function readRest(path: string, place: LogPlace): Promise<LastLines> {
  const file = await open(path);
  try {
    const { ino } = await file.stat({ bigint: true });
    if (ino !== place.inode) return { lines: [], end: place };
    const part = await readAt(file, place.bytes, PART_BYTES);
    const last = part.lastIndexOf(NEWLINE);
    // A line longer than a part is returned in pieces.
    const length = last >= 0 ? last + 1 : part.length === PART_BYTES ? PART_BYTES : 0;
    const text = part.toString('utf8', 0, last >= 0 ? last : length);
    return { lines: length === 0 ? [] : text.split('\n'), end: { inode: ino, bytes: place.bytes + length } };
  } finally {
    await file.close();
  }
}
