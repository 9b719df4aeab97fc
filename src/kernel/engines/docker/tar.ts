import { createReadStream } from 'node:fs';

export type TarEntry = {
  /** Relative, with slashes as separators. */
  readonly path: string;
  readonly mode: number;
} & (
  | { readonly kind: 'file'; readonly content: Buffer }
  /** A file of this machine, read when it is written to the archive. */
  | { readonly kind: 'copy'; readonly source: string; readonly size: number }
  | { readonly kind: 'folder' }
  | { readonly kind: 'link'; readonly target: string }
);

const BLOCK = 512;
const NAME_BYTES = 100;
/** From this size on, the number does not fit into the eleven octal digits of the header. */
const OCTAL_SIZES = 8 ** 11;
const TYPES = { file: '0', copy: '0', link: '2', folder: '5' } as const;

/** Writes an archive that every engine reads: ustar, with a pax record before each entry whose name or size does not fit. */
export async function* tarStream(entries: Iterable<TarEntry>): AsyncGenerator<Buffer> {
  for (const entry of entries) {
    yield headerOf(entry);
    if (entry.kind === 'file') yield padded(entry.content);
    if (entry.kind === 'copy') yield* copied(entry);
  }
  yield Buffer.alloc(2 * BLOCK);
}

/** Builds a whole archive in memory, for small contents. */
export function tar(entries: Iterable<Exclude<TarEntry, { kind: 'copy' }>>): Buffer {
  const parts: Buffer[] = [];
  for (const entry of entries) {
    parts.push(headerOf(entry));
    if (entry.kind === 'file') parts.push(padded(entry.content));
  }
  parts.push(Buffer.alloc(2 * BLOCK));
  return Buffer.concat(parts);
}

/** Yields exactly `size` bytes, even if the file grows meanwhile. */
async function* copied({ source, size }: { source: string; size: number }): AsyncGenerator<Buffer> {
  let left = size;
  if (size > 0) {
    for await (const part of createReadStream(source, { end: size - 1 })) {
      left -= (part as Buffer).length;
      yield part as Buffer;
    }
  }
  if (left > 0) throw new Error(`${source} has become shorter`);
  const rest = size % BLOCK;
  if (rest > 0) yield Buffer.alloc(BLOCK - rest);
}

function headerOf(entry: TarEntry): Buffer {
  const path = entry.kind === 'folder' && !entry.path.endsWith('/') ? `${entry.path}/` : entry.path;
  const target = entry.kind === 'link' ? entry.target : '';
  const size = entry.kind === 'file' ? entry.content.length : entry.kind === 'copy' ? entry.size : 0;
  const long = {
    ...(Buffer.byteLength(path) > NAME_BYTES && { path }),
    ...(Buffer.byteLength(target) > NAME_BYTES && { linkpath: target }),
    ...(size >= OCTAL_SIZES && { size: String(size) }),
  };
  const own = header(path, TYPES[entry.kind], entry.mode, size, target);
  if (Object.keys(long).length === 0) return own;
  const records = paxRecords(long);
  return Buffer.concat([header('pax', 'x', 0o644, records.length, ''), padded(records), own]);
}

function header(path: string, type: string, mode: number, size: number, target: string): Buffer {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, offset: number, width: number): void => {
    block.write(`${value.toString(8).padStart(width - 1, '0')}\0`, offset, 'latin1');
  };
  write(block, path, 0);
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(Math.min(size, OCTAL_SIZES - 1), 124, 12);
  octal(0, 136, 12);
  block.write(type, 156, 'latin1');
  write(block, target, 157);
  block.write('ustar\x0000', 257, 'latin1');
  // The checksum field counts as spaces in its own sum.
  block.fill(' ', 148, 156);
  let sum = 0;
  for (const byte of block) sum += byte;
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

/** Longer text is cut; the pax record has all of it. */
function write(block: Buffer, text: string, offset: number): void {
  Buffer.from(text).copy(block, offset, 0, NAME_BYTES);
}

function padded(content: Buffer): Buffer {
  const rest = content.length % BLOCK;
  return rest === 0 ? content : Buffer.concat([content, Buffer.alloc(BLOCK - rest)]);
}

/** Each record begins with its own length, which includes the digits of the length. */
function paxRecords(values: Readonly<Record<string, string>>): Buffer {
  const records = Object.entries(values).map(([key, value]) => {
    const rest = ` ${key}=${value}\n`;
    const bytes = Buffer.byteLength(rest);
    let length = bytes + String(bytes).length;
    if (String(length).length > String(bytes).length) length = bytes + String(length).length;
    return `${length}${rest}`;
  });
  return Buffer.from(records.join(''));
}
