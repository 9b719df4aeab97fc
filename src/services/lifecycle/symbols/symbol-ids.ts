import { promisify } from 'node:util';
import { constants, inflateRaw } from 'node:zlib';

/** Finds out which binaries symbols are of: the same ids that reports of native crashes name. */

const MOST_IDS = 1000;
const MOST_FILES = 1000;
const LARGEST_FILE_BYTES = 256 * 1024 * 1024;
const MOST_UNPACKED_BYTES = 512 * 1024 * 1024;
/** Packed bytes that are enough to tell what a file is. */
const TELLING_BYTES = 512;

/** Beside the event loop, however much it is. */
const unpack = promisify(inflateRaw);

/** None where the file is not one that is known here. */
export async function symbolIdsIn(file: Buffer): Promise<string[]> {
  const ids = new Set<string>();
  try {
    for await (const each of filesIn(file)) for (const id of machIds(each)) ids.add(id);
  } catch {
    // What is cut off or not what it says it is has what was found up to there.
  }
  return [...ids].slice(0, MOST_IDS);
}

const END_OF_ZIP = 0x06054b50;
const ZIP_ENTRY = 0x02014b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 0xffff;

/** The files of a zip archive that may have ids, or the file itself where it is none. */
async function* filesIn(file: Buffer): AsyncIterable<Buffer> {
  const end = endOfZip(file);
  if (end === undefined) {
    yield file;
    return;
  }
  let at = file.readUInt32LE(end + 16);
  let left = MOST_UNPACKED_BYTES;
  const count = Math.min(file.readUInt16LE(end + 10), MOST_FILES);
  const seen = new Set<number>();
  for (let index = 0; index < count && left > 0 && file.readUInt32LE(at) === ZIP_ENTRY; index++) {
    const local = file.readUInt32LE(at + 42);
    const bytes = seen.has(local) ? undefined : await binaryIn(packedAt(file, at, local), left);
    seen.add(local);
    if (bytes) {
      left -= bytes.length;
      yield bytes;
    }
    at += 46 + file.readUInt16LE(at + 28) + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
}

interface Packed {
  readonly isPacked: boolean;
  readonly bytes: Buffer;
}

/** What an entry of the directory at the end of an archive points to. */
function packedAt(file: Buffer, entry: number, local: number): Packed {
  const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
  return {
    isPacked: file.readUInt16LE(entry + 10) !== 0,
    bytes: file.subarray(start, start + file.readUInt32LE(entry + 20)),
  };
}

/** Unpacked only where it begins like a program: archives can claim to hold any amount of anything. */
async function binaryIn({ isPacked, bytes }: Packed, most: number): Promise<Buffer | undefined> {
  if (!isPacked) return isBinary(bytes) ? bytes : undefined;
  const beginning = await unpack(bytes.subarray(0, TELLING_BYTES), { finishFlush: constants.Z_SYNC_FLUSH });
  if (!isBinary(beginning)) return undefined;
  return unpack(bytes, { maxOutputLength: Math.min(most, LARGEST_FILE_BYTES) });
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

const isBinary = (file: Buffer): boolean =>
  file.length >= 4 && (file.readUInt32BE(0) === FAT || [MACH_64, MACH_32].includes(file.readUInt32LE(0)));

/** The ids in a Mach-O file; one for each architecture. */
function* machIds(file: Buffer): Iterable<string> {
  if (file.length < 32) return;
  if (file.readUInt32BE(0) !== FAT) {
    yield* idsOfOne(file);
    return;
  }
  const count = Math.min(file.readUInt32BE(4), 32);
  for (let index = 0; index < count; index++) {
    const part = 8 + index * 20;
    const offset = file.readUInt32BE(part + 8);
    yield* idsOfOne(file.subarray(offset, offset + file.readUInt32BE(part + 12)));
  }
}

function* idsOfOne(file: Buffer): Iterable<string> {
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
