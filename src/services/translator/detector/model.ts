import { promisify } from 'node:util';
import { brotliCompressSync, brotliDecompress, constants } from 'node:zlib';

/**
 * The weights as they lie in the repository: a header, then for each writing system four streams that compress well
 * apart: distances between the sorted hashes of features, the number of weights of each feature, the languages those
 * weights are for, and the weights themselves. Unpacking makes one table of them that is fast to look things up in.
 */

export interface SystemHeader {
  readonly name: string;
  readonly languages: readonly string[];
  /** How likely each language is before the text is read, as a logarithm: rarely met ones are less so. */
  readonly priors: readonly number[];
  /** What a weight of 1 stands for. */
  readonly scale: number;
  readonly features: number;
  readonly weights: number;
  /** Bytes of the stream of distances. */
  readonly distances: number;
}

export interface Header {
  readonly systems: readonly SystemHeader[];
  /** How much evidence is really worth, by the logarithm of the count of letters (see `calibrate`). */
  readonly trust: Readonly<Record<string, readonly number[]>>;
}

export interface Model {
  readonly header: Header;
  /** Open addressing: at an even place the hash of a feature, behind it where its weights lie: first in `pairs`, times 256, plus count. */
  readonly table: Uint32Array;
  /** What a hash is multiplied with, to get its place. Behind the last place there is room for those that find theirs taken. */
  readonly placeOf: number;
  /** The weights, each with its language: weight in the high byte (signed), number of the language in the low byte. */
  readonly pairs: Int16Array;
}

const decompress = promisify(brotliDecompress);

const MAGIC = 'CJLD';
const HEADER_AT = 8;
const LARGEST_MODEL = 2 ** 26;
/** Places in the table for each feature, so that most find theirs free. */
const ROOM = 1.3;
const SPARE_PLACES = 4096;
/** A place in the table has 24 bits for where weights begin. */
const MOST_WEIGHTS = 2 ** 24;

export function packModel(header: Header, streams: readonly Uint8Array[]): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const size = streams.reduce((sum, stream) => sum + stream.length, HEADER_AT + text.length);
  const packed = new Uint8Array(size);
  packed.set(new TextEncoder().encode(MAGIC));
  new DataView(packed.buffer).setUint32(4, text.length, true);
  packed.set(text, HEADER_AT);
  let at = HEADER_AT + text.length;
  for (const stream of streams) {
    packed.set(stream, at);
    at += stream.length;
  }
  return packed;
}

/** As the weights lie on disk: the length that they have unpacked, then compressed. */
export function compressModel(packed: Uint8Array, quality: number): Uint8Array {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: packed.length,
  };
  const length = Buffer.alloc(4);
  length.writeUInt32LE(packed.length);
  return Buffer.concat([length, brotliCompressSync(packed, { params })]);
}

/** Reads weights as they lie on disk. Most of the work is done beside the main thread. */
export async function readModel(file: Buffer): Promise<Model> {
  // In one piece: many small ones would be joined, and would leave holes in memory behind them.
  const chunkSize = Math.max(64, Math.min(LARGEST_MODEL, file.readUInt32LE(0)));
  return unpackModel(await decompress(file.subarray(4), { chunkSize, maxOutputLength: LARGEST_MODEL }));
}

function unpackModel(bytes: Buffer): Model {
  if (bytes.subarray(0, 4).toString('latin1') !== MAGIC)
    throw new Error('These are not weights of the language detector.');
  const headerLength = bytes.readUInt32LE(4);
  const header = JSON.parse(bytes.subarray(HEADER_AT, HEADER_AT + headerLength).toString('utf8')) as Header;
  const features = header.systems.reduce((sum, system) => sum + system.features, 0);
  const weights = header.systems.reduce((sum, system) => sum + system.weights, 0);
  if (weights >= MOST_WEIGHTS)
    throw new Error('These are more weights than the table of the language detector can point to.');
  const places = Math.ceil(features * ROOM) + 1;
  const model: Model = {
    header,
    table: new Uint32Array(2 * (places + SPARE_PLACES)),
    placeOf: places / 2 ** 32,
    pairs: new Int16Array(weights),
  };
  let at = HEADER_AT + headerLength;
  let pair = 0;
  for (const system of header.systems) {
    const counts = at + system.distances;
    const languages = counts + system.features;
    const streams = { bytes, distances: at, counts, languages, weights: languages + system.weights };
    pair = unpackSystem(model, system, streams, pair);
    at = languages + 2 * system.weights;
  }
  return model;
}

/** Where the streams of a system begin. */
interface Streams {
  readonly bytes: Uint8Array;
  readonly distances: number;
  readonly counts: number;
  readonly languages: number;
  readonly weights: number;
}

function unpackSystem(model: Model, system: SystemHeader, streams: Streams, firstPair: number): number {
  const { table, pairs, placeOf } = model;
  const { bytes } = streams;
  let distance = streams.distances;
  let language = streams.languages;
  let weight = streams.weights;
  let pair = firstPair;
  let hash = 0;
  for (let feature = 0; feature < system.features; feature += 1) {
    let step = 0;
    let scale = 1;
    for (;;) {
      const byte = bytes[distance] as number;
      distance += 1;
      step += (byte & 127) * scale;
      if (byte < 128) break;
      scale *= 128;
    }
    hash += step;
    // Hashes come in rising order, and so do their places: the table is filled from its beginning to its end.
    let at = Math.trunc(hash * placeOf) << 1;
    while (table[at] !== 0) at += 2;
    table[at] = hash;
    const count = bytes[streams.counts + feature] as number;
    table[at + 1] = pair * 256 + count;
    for (let index = 0; index < count; index += 1) {
      pairs[pair] = ((bytes[weight] as number) << 8) | (bytes[language] as number);
      pair += 1;
      weight += 1;
      language += 1;
    }
  }
  return pair;
}

/** One number in as few bytes as it needs, seven bits in each. */
export function writeDistance(value: number, into: number[]): void {
  let left = value;
  while (left >= 128) {
    into.push((left % 128) | 128);
    left = Math.floor(left / 128);
  }
  into.push(left);
}
