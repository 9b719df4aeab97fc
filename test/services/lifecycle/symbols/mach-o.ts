import { deflateRawSync } from 'node:zlib';

export const PROGRAM = '3f2b9a4e-1c5d-4e6f-8a7b-9c0d1e2f3a4b';

/** A binary for one architecture that contains only its id. */
export function program(): Buffer {
  const file = Buffer.alloc(56);
  file.writeUInt32LE(0xfeedfacf, 0);
  file.writeUInt32LE(1, 16);
  file.writeUInt32LE(0x1b, 32);
  file.writeUInt32LE(24, 36);
  Buffer.from(PROGRAM.replaceAll('-', ''), 'hex').copy(file, 40);
  return file;
}

/** A binary for several architectures, each at the given place. */
export function universal(
  places: readonly (readonly [offset: number, size: number])[],
  content: Buffer = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(8 + places.length * 20);
  head.writeUInt32BE(0xcafebabe, 0);
  head.writeUInt32BE(places.length, 4);
  for (const [index, [offset, size]] of places.entries()) {
    head.writeUInt32BE(offset, 8 + index * 20 + 8);
    head.writeUInt32BE(size, 8 + index * 20 + 12);
  }
  return Buffer.concat([head, content]);
}

/** An archive in which many entries share one file. */
export function zipOf(content: Buffer, entries = 1): Buffer {
  const packed = deflateRawSync(content);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(packed.length, 20);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries, 10);
  end.writeUInt32LE(local.length + packed.length, 16);
  return Buffer.concat([local, packed, ...Array.from({ length: entries }, () => entry), end]);
}
