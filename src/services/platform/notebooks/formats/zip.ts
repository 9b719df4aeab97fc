import { promisify } from 'node:util';
import { crc32, deflateRaw, inflateRaw } from 'node:zlib';
import { errors } from '../../errors.ts';

/** Zip archives (APPNOTE 6.3) of a few megabytes, in memory: stored or deflated entries, no encryption, no ZIP64. */

export interface ZipEntry {
  readonly name: string;
  readonly bytes: Buffer;
}

export interface ZipBounds {
  readonly entries: number;
  /** Total uncompressed size of all entries. */
  readonly bytes: number;
}

const deflate = promisify<Buffer, Buffer>(deflateRaw);
const inflate = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw);

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
const END_BYTES = 22;
const LONGEST_COMMENT = 65_535;
/** Flag: names are UTF-8. */
const UTF8 = 0x800;
const ENCRYPTED = 1;
const DEFLATED = 8;
const VERSION = 20;
/** The first day of the format, 1980-01-01, so that archives of the same content are identical. */
const FIRST_DAY = 0x21;

export const isZip = (bytes: Buffer): boolean =>
  bytes.length >= END_BYTES && (bytes.readUInt32LE(0) === LOCAL || bytes.readUInt32LE(0) === END);

export async function writeZip(entries: readonly ZipEntry[]): Promise<Buffer> {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of entries) {
    const packed = await deflate(bytes);
    const named = Buffer.from(name, 'utf8');
    const shared = sharedHead(bytes, packed, named);
    const local = Buffer.alloc(4);
    local.writeUInt32LE(LOCAL);
    const central = Buffer.alloc(CENTRAL_BYTES);
    central.writeUInt32LE(CENTRAL, 0);
    central.writeUInt16LE(VERSION, 4);
    shared.copy(central, 6);
    central.writeUInt32LE(offset, 42);
    parts.push(local, shared, named, packed);
    directory.push(central, named);
    offset += LOCAL_BYTES + named.length + packed.length;
  }
  const end = Buffer.alloc(END_BYTES);
  const directoryBytes = directory.reduce((sum, { length }) => sum + length, 0);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directoryBytes, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

/** The fields shared by an entry's header and its directory record. */
function sharedHead(bytes: Buffer, packed: Buffer, named: Buffer): Buffer {
  const head = Buffer.alloc(LOCAL_BYTES - 4);
  head.writeUInt16LE(VERSION, 0);
  head.writeUInt16LE(UTF8, 2);
  head.writeUInt16LE(DEFLATED, 4);
  head.writeUInt16LE(FIRST_DAY, 8);
  head.writeUInt32LE(crc32(bytes), 10);
  head.writeUInt32LE(packed.length, 14);
  head.writeUInt32LE(bytes.length, 18);
  head.writeUInt16LE(named.length, 22);
  return head;
}

/** The files in an archive, without directories. */
export async function readZip(archive: Buffer, bounds: ZipBounds): Promise<readonly ZipEntry[]> {
  const end = findEnd(archive);
  const count = archive.readUInt16LE(end + 10);
  if (count > bounds.entries) throw invalid(`it has more than ${bounds.entries} entries`);
  const entries: ZipEntry[] = [];
  let left = bounds.bytes;
  let at = archive.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    if (at + CENTRAL_BYTES > archive.length || archive.readUInt32LE(at) !== CENTRAL)
      throw invalid('its directory is truncated');
    const nameLength = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameLength);
    if (!name.endsWith('/')) {
      const bytes = await unpack(archive, at, name, left);
      left -= bytes.length;
      entries.push({ name, bytes });
    }
    at += CENTRAL_BYTES + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return entries;
}

function findEnd(archive: Buffer): number {
  const least = Math.max(0, archive.length - END_BYTES - LONGEST_COMMENT);
  for (let at = archive.length - END_BYTES; at >= least; at--) if (archive.readUInt32LE(at) === END) return at;
  throw invalid('it is not a zip archive');
}

async function unpack(archive: Buffer, central: number, name: string, most: number): Promise<Buffer> {
  const flags = archive.readUInt16LE(central + 8);
  const method = archive.readUInt16LE(central + 10);
  const packedBytes = archive.readUInt32LE(central + 20);
  const local = archive.readUInt32LE(central + 42);
  if ((flags & ENCRYPTED) !== 0) throw invalid(`'${name.slice(0, 200)}' is encrypted`);
  if (local + LOCAL_BYTES > archive.length || archive.readUInt32LE(local) !== LOCAL)
    throw invalid('an entry is truncated');
  const start = local + LOCAL_BYTES + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const packed = archive.subarray(start, start + packedBytes);
  if (packed.length < packedBytes) throw invalid('an entry is truncated');
  if (method === 0) {
    if (packed.length > most) throw invalid(`'${name.slice(0, 200)}' is too large`);
    return packed;
  }
  if (method !== DEFLATED) throw invalid(`'${name.slice(0, 200)}' is compressed by an unknown method`);
  try {
    return await inflate(packed, { maxOutputLength: Math.max(1, most) });
  } catch {
    throw invalid(`'${name.slice(0, 200)}' cannot be decompressed, or is too large`);
  }
}

const invalid = (reason: string) =>
  errors.INVALID_PARAMETER_VALUE({ reason: `The archive cannot be read: ${reason}.` });
