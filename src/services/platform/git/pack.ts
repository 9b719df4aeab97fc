import { createInflate } from 'node:zlib';

/**
 * Checks a pack before the library unpacks it: a few kilobytes can expand to gigabytes, which the library would hold in memory at once.
 * Only the sizes of objects are determined, from their headers and with native code.
 */

export interface PackBounds {
  /** Bytes of one file. */
  readonly file: number;
  /** Bytes of all objects. */
  readonly total: number;
  readonly objects: number;
}

/** The pack declares sizes beyond the limits. */
export class PackTooLarge extends Error {
  readonly bytes: number;

  constructor(bytes: number) {
    super(`a pack has ${bytes} bytes`);
    this.bytes = bytes;
  }
}

const PACK = Buffer.from('PACK');
const HEAD_BYTES = 12;
const ID_BYTES = 20;
const BLOB = 3;
const OFFSET_DELTA = 6;
const REFERENCE_DELTA = 7;

/** The pack in the answer to a fetch: lines prefixed by their length; those of the first band contain the pack. */
export function packIn(answer: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at + 4 <= answer.length; ) {
    const length = Number.parseInt(answer.toString('latin1', at, at + 4), 16);
    // After the lines, the rest is the pack itself: the server does not use bands.
    if (Number.isNaN(length)) return Buffer.concat([...parts, answer.subarray(at)]);
    if (length > 4 && answer[at + 4] === 1) parts.push(answer.subarray(at + 5, at + length));
    at += Math.max(4, length);
  }
  return Buffer.concat(parts);
}

/** Enough of a delta for the two sizes at its start. */
const DELTA_HEAD_BYTES = 20;

/** Decompresses an object without keeping it. Returns its first bytes and its compressed size. */
async function skipObject(pack: Buffer, start: number, size: number): Promise<{ first: Buffer; packed: number }> {
  const engine = createInflate();
  engine.end(pack.subarray(start));
  let first = Buffer.alloc(0);
  let seen = 0;
  for await (const part of engine) {
    if (!Buffer.isBuffer(part)) continue;
    if (first.length < DELTA_HEAD_BYTES) first = Buffer.concat([first, part.subarray(0, DELTA_HEAD_BYTES)]);
    seen += part.length;
    if (seen > size) break;
  }
  if (seen !== size) throw new Error('an object of the pack does not have its declared size');
  return { first, packed: engine.bytesWritten };
}

/** Throws if a pack exceeds the limits or is invalid. */
export async function checkPack(pack: Buffer, bounds: PackBounds): Promise<void> {
  if (pack.length < HEAD_BYTES || !pack.subarray(0, 4).equals(PACK)) throw new Error('the answer has no pack');
  const count = pack.readUInt32BE(8);
  if (count > bounds.objects) throw new Error(`the pack has more than ${bounds.objects} objects`);
  let at = HEAD_BYTES;
  let total = 0;
  for (let index = 0; index < count; index++) {
    const head = objectHead(pack, at);
    const most = head.type === BLOB ? bounds.file : bounds.total;
    if (head.size > most) throw new PackTooLarge(head.size);
    const { first, packed } = await skipObject(pack, head.end, head.size);
    const isDelta = head.type === OFFSET_DELTA || head.type === REFERENCE_DELTA;
    const size = isDelta ? deltaTarget(first) : head.size;
    total += size;
    if (size > most || total > bounds.total) throw new PackTooLarge(Math.max(size, total));
    at = head.end + packed;
  }
}

/** Type and size: the first byte has four bits of the size, each further byte seven. For a delta, the reference to its base follows. */
function objectHead(
  pack: Buffer,
  start: number,
): { readonly type: number; readonly size: number; readonly end: number } {
  let at = start;
  let byte = byteAt(pack, at++);
  const type = (byte >> 4) & 7;
  let size = byte & 15;
  for (let scale = 16; byte & 128; scale *= 128) {
    byte = byteAt(pack, at++);
    size += (byte & 127) * scale;
  }
  if (type === REFERENCE_DELTA) at += ID_BYTES;
  if (type === OFFSET_DELTA) while (byteAt(pack, at++) & 128);
  return { type, size, end: at };
}

/** A delta starts with the size of its base and the size of its result. */
function deltaTarget(delta: Buffer): number {
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = byteAt(delta, at++);
      value += (byte & 127) * scale;
      if ((byte & 128) === 0) return value;
    }
  };
  number();
  return number();
}

function byteAt(bytes: Buffer, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new Error('the pack is truncated');
  return byte;
}
