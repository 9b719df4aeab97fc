import { inflateRawSync } from 'node:zlib';
import type { SymbolType } from './collections.ts';

/** Finds out which binaries symbols are of: the same ids that reports of native crashes name. */

const MOST_IDS = 1000;
const MOST_ENTRY_BYTES = 256 * 1024 * 1024;

/** None where the format is not one that is known here. */
export function symbolIdsIn(type: SymbolType, file: Buffer): string[] {
  if (type !== 'Apple') return [];
  const ids = new Set<string>();
  try {
    for (const entry of filesIn(file)) for (const id of machIds(entry)) ids.add(id);
  } catch {
    // What is cut off or not what it says it is has what was found up to there.
  }
  return [...ids].slice(0, MOST_IDS);
}

const END_OF_ZIP = 0x06054b50;
const ZIP_ENTRY = 0x02014b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 0xffff;

/** The files of a zip archive, or the file itself where it is none. */
function* filesIn(file: Buffer): Iterable<Buffer> {
  const end = endOfZip(file);
  if (end === undefined) {
    yield file;
    return;
  }
  let at = file.readUInt32LE(end + 16);
  for (let left = file.readUInt16LE(end + 10); left > 0 && file.readUInt32LE(at) === ZIP_ENTRY; left--) {
    const method = file.readUInt16LE(at + 10);
    const packed = file.readUInt32LE(at + 20);
    const local = file.readUInt32LE(at + 42);
    const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
    const bytes = file.subarray(start, start + packed);
    yield method === 0 ? bytes : inflateRawSync(bytes, { maxOutputLength: MOST_ENTRY_BYTES });
    at += 46 + file.readUInt16LE(at + 28) + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
}

function endOfZip(file: Buffer): number | undefined {
  for (let at = file.length - END_BYTES; at >= Math.max(0, file.length - END_BYTES - LONGEST_COMMENT); at--) {
    if (file.readUInt32LE(at) === END_OF_ZIP) return at;
  }
  return undefined;
}

const MACH_64 = 0xfeedfacf;
const MACH_32 = 0xfeedface;
const FAT = 0xcafebabe;
const UUID_COMMAND = 0x1b;
const MOST_COMMANDS = 10_000;

/** The ids in a Mach-O file; one for each architecture. */
function* machIds(file: Buffer): Iterable<string> {
  if (file.length < 32) return;
  if (file.readUInt32BE(0) === FAT) {
    const count = Math.min(file.readUInt32BE(4), 32);
    for (let index = 0; index < count; index++) {
      const part = 8 + index * 20;
      const offset = file.readUInt32BE(part + 8);
      yield* machIds(file.subarray(offset, offset + file.readUInt32BE(part + 12)));
    }
    return;
  }
  const magic = file.readUInt32LE(0);
  if (magic !== MACH_64 && magic !== MACH_32) return;
  let at = magic === MACH_64 ? 32 : 28;
  for (let left = Math.min(file.readUInt32LE(16), MOST_COMMANDS); left > 0; left--) {
    const size = file.readUInt32LE(at + 4);
    if (file.readUInt32LE(at) === UUID_COMMAND) yield uuidText(file.subarray(at + 8, at + 24));
    if (size < 8) return;
    at += size;
  }
}

const uuidText = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
