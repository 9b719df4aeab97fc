import { PackedFile, type Source, sourceOf } from './packed-file.ts';

/** Extracts the ids of the binaries that symbols describe; reports of native crashes name the same ids. */

const MOST_IDS = 1000;
const MOST_FILES = 1000;
const LARGEST_FILE_BYTES = 256 * 1024 * 1024;
/** Limit of unpacked bytes over all files of an archive. */
const MOST_UNPACKED_BYTES = 512 * 1024 * 1024;
/** The head of a binary, with room for its load commands. */
const HEAD_BYTES = 1024 * 1024;

/** Returns an empty array if the file format is unknown. */
export async function symbolIdsIn(file: Buffer): Promise<string[]> {
  const ids = new Set<string>();
  try {
    const end = endOfZip(file);
    if (end === undefined) await addIds(sourceOf(file), ids);
    else await addIdsOfArchive(file, end, ids);
  } catch {
    // A truncated or malformed file yields the ids found so far.
  }
  return [...ids].slice(0, MOST_IDS);
}

const END_OF_ZIP = 0x06054b50;
const ZIP_ENTRY = 0x02014b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 0xffff;

async function addIdsOfArchive(file: Buffer, end: number, ids: Set<string>): Promise<void> {
  let at = file.readUInt32LE(end + 16);
  let left = MOST_UNPACKED_BYTES;
  const count = Math.min(file.readUInt16LE(end + 10), MOST_FILES);
  const seen = new Set<number>();
  for (let index = 0; index < count && left > 0 && file.readUInt32LE(at) === ZIP_ENTRY; index++) {
    const local = file.readUInt32LE(at + 42);
    if (!seen.has(local)) left -= await addIdsOfEntry(packedAt(file, at, local), left, ids);
    seen.add(local);
    at += 46 + file.readUInt16LE(at + 28) + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
}

/** Returns the number of unpacked bytes. Of a file that does not begin like a binary, only the beginning is unpacked. */
async function addIdsOfEntry({ isPacked, bytes }: Packed, most: number, ids: Set<string>): Promise<number> {
  if (!isPacked) {
    await addIds(sourceOf(bytes), ids);
    return 0;
  }
  const file = new PackedFile(bytes, Math.min(most, LARGEST_FILE_BYTES));
  try {
    await addIds(file, ids);
    return file.unpackedBytes;
  } finally {
    file.close();
  }
}

interface Packed {
  readonly isPacked: boolean;
  readonly bytes: Buffer;
}

/** The data of an entry in the archive's central directory. */
function packedAt(file: Buffer, entry: number, local: number): Packed {
  const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
  return {
    isPacked: file.readUInt16LE(entry + 10) !== 0,
    bytes: file.subarray(start, start + file.readUInt32LE(entry + 20)),
  };
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
const SHORTEST_BYTES = 28;
const MOST_PARTS = 32;
const PART_BYTES = 20;
const FAT_HEAD_BYTES = 8 + MOST_PARTS * PART_BYTES;

const isBinary = (file: Buffer): boolean =>
  file.readUInt32BE(0) === FAT || [MACH_64, MACH_32].includes(file.readUInt32LE(0));

/** Adds the ids of a Mach-O file, one per architecture. Other files have none. */
async function addIds(file: Source, ids: Set<string>): Promise<void> {
  const head = await file.read(0, FAT_HEAD_BYTES);
  if (head.length < SHORTEST_BYTES || !isBinary(head)) return;
  if (head.readUInt32BE(0) !== FAT) {
    for (const id of idsOfOne(await file.read(0, HEAD_BYTES))) ids.add(id);
    return;
  }
  for (const { offset, size } of partsIn(head)) {
    for (const id of idsOfOne(await file.read(offset, Math.min(size, HEAD_BYTES)))) ids.add(id);
  }
}

interface Part {
  readonly offset: number;
  readonly size: number;
}

/** In file order, without duplicates. */
function partsIn(head: Buffer): Part[] {
  const parts = new Map<number, Part>();
  const count = Math.min(head.readUInt32BE(4), MOST_PARTS);
  for (let index = 0; index < count; index++) {
    const at = 8 + index * PART_BYTES;
    const offset = head.readUInt32BE(at + 8);
    parts.set(offset, { offset, size: head.readUInt32BE(at + 12) });
  }
  return [...parts.values()].sort((a, b) => a.offset - b.offset);
}

function* idsOfOne(file: Buffer): Iterable<string> {
  if (file.length < 32) return;
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
