import { type FileHandle, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { logPath, OLDER_LOG_FILE } from './log-file.ts';

const PART_BYTES = 64 * 1024;
const LOOK_EVERY_MS = 200;
const NEWLINE = 0x0a;

export interface LastLines {
  readonly lines: readonly string[];
  /** Where the log ended when it was read. */
  readonly end: LogPlace;
}

export interface LogPlace {
  /** Tells the file from the one that takes its name when it has become too long. */
  readonly inode: bigint;
  readonly bytes: number;
}

/** The last lines of the log; those of the older file come first where the log has fewer. */
export async function lastLines(folder: string, most: number): Promise<LastLines> {
  const { lines, end } = await tailOf(logPath(folder), most);
  if (lines.length >= most) return { lines, end };
  const older = await tailOf(join(folder, OLDER_LOG_FILE), most - lines.length).catch(() => ({ lines: [] }));
  return { lines: [...older.lines, ...lines], end };
}

/** Reads from the end, in parts: a log can be long. */
async function tailOf(path: string, most: number): Promise<LastLines> {
  const file = await open(path);
  try {
    const { size, ino } = await file.stat({ bigint: true });
    const bytes = Number(size);
    const parts: Buffer[] = [];
    let start = bytes;
    let newlines = 0;
    // One more than the lines: the line break before the first of them.
    while (start > 0 && newlines <= most) {
      const length = Math.min(PART_BYTES, start);
      start -= length;
      const part = await readAt(file, start, length);
      newlines += countNewlines(part);
      parts.unshift(part);
    }
    const lines = Buffer.concat(parts).toString('utf8').split('\n');
    // Behind the last line break there is nothing, or a line that is still being written.
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

/** Shows the lines that are written from `from` on, through changes of the file, until the signal. */
export async function followLog(
  folder: string,
  from: LogPlace,
  show: (lines: readonly string[]) => Promise<void>,
  ends: AbortSignal,
): Promise<void> {
  const path = logPath(folder);
  let place = from;
  while (!ends.aborted) {
    // Asked again and again: watching files is not the same on every system and misses network drives.
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

/** Whole lines behind a place; nothing where the file is another one by now. */
async function readRest(path: string, place: LogPlace): Promise<LastLines> {
  const file = await open(path);
  try {
    const { ino } = await file.stat({ bigint: true });
    if (ino !== place.inode) return { lines: [], end: place };
    const part = await readAt(file, place.bytes, PART_BYTES);
    const last = part.lastIndexOf(NEWLINE);
    // A line that is longer than a part is given in pieces rather than waited for.
    const length = last >= 0 ? last + 1 : part.length === PART_BYTES ? PART_BYTES : 0;
    const text = part.toString('utf8', 0, last >= 0 ? last : length);
    return { lines: length === 0 ? [] : text.split('\n'), end: { inode: ino, bytes: place.bytes + length } };
  } finally {
    await file.close();
  }
}
