import { createInflate } from 'node:zlib';

/**
 * Looks at a pack before the library unpacks it: a few kilobytes can stand for gigabytes, which the library would have in memory at once. What is asked
 * here is only how large objects get, from their heads and by native code.
 */

export interface PackBounds {
  /** Bytes of one file. */
  readonly file: number;
  /** Bytes of everything together. */
  readonly total: number;
  readonly objects: number;
}

/** The pack says that it has more than it may. */
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

/** The pack in an answer to a fetch: lines with their length in front, of which those of the first band carry it. */
export function packIn(answer: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at + 4 <= answer.length; ) {
    const length = Number.parseInt(answer.toString('latin1', at, at + 4), 16);
    // Where lines end, the rest is the pack itself: the server has no bands.
    if (Number.isNaN(length)) return Buffer.concat([...parts, answer.subarray(at)]);
    if (length > 4 && answer[at + 4] === 1) parts.push(answer.subarray(at + 5, at + length));
    at += Math.max(4, length);
  }
  return Buffer.concat(parts);
}

/** As much of a delta as has the two sizes in front of it. */
const DELTA_HEAD_BYTES = 20;

/** Unpacks what begins there without keeping it: its first bytes, and how many bytes it takes in the pack. */
async function passOver(pack: Buffer, start: number, size: number): Promise<{ first: Buffer; packed: number }> {
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
  if (seen !== size) throw new Error('an object of the pack has another size than it says');
  return { first, packed: engine.bytesWritten };
}

/** Throws where a pack has more than it may, or is none. */
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
    const { first, packed } = await passOver(pack, head.end, head.size);
    const isDelta = head.type === OFFSET_DELTA || head.type === REFERENCE_DELTA;
    const size = isDelta ? deltaTarget(first) : head.size;
    total += size;
    if (size > most || total > bounds.total) throw new PackTooLarge(Math.max(size, total));
    at = head.end + packed;
  }
}

/** Type and size, in seven bits a byte after the first, which has four. A delta then names its base. */
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

/** A delta begins with the size of its base and that of what it makes. */
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
  if (byte === undefined) throw new Error('the pack is cut');
  return byte;
}
