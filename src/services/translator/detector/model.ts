import { promisify } from 'node:util';
import { brotliCompressSync, brotliDecompress, constants } from 'node:zlib';

/**
 * The file format of the weights: a header, then for each writing system four streams that compress well separately: distances between the
 * sorted hashes of features, the number of weights per feature, the languages of these weights, and the weights themselves. Unpacking
 * builds one hash table of them.
 */

export interface SystemHeader {
  readonly name: string;
  readonly languages: readonly string[];
  /** Logarithm of each language's prior probability: rare languages are less likely. */
  readonly priors: readonly number[];
  /** Value of a weight of 1. */
  readonly scale: number;
  readonly features: number;
  readonly weights: number;
  /** Bytes of the stream of distances. */
  readonly distances: number;
}

export interface Header {
  readonly systems: readonly SystemHeader[];
  /** Actual worth of evidence, by the logarithm of the number of letters (see `calibrate`). */
  readonly trust: Readonly<Record<string, readonly number[]>>;
}

export interface Model {
  readonly header: Header;
  /**
   * Open addressing. Even index: hash of a feature; next index: position of its weights, as the first index in `pairs` times 256 plus their
   * count.
   */
  readonly table: Uint32Array;
  /** Factor that maps a hash to its place. Spare places after the last one hold entries that overflow. */
  readonly placeOf: number;
  /** Weights with their languages: weight in the high byte (signed), number of the language in the low byte. */
  readonly pairs: Int16Array;
}

const decompress = promisify(brotliDecompress);

const MAGIC = 'CJLD';
const HEADER_AT = 8;
const LARGEST_MODEL = 2 ** 26;
/** Places per feature, so that most features find their place free. */
const ROOM = 1.3;
const SPARE_PLACES = 4096;
/** An entry has 24 bits for the position of its weights. */
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

/** The form on disk: the unpacked length, then the compressed data. */
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

/** Reads weights from their form on disk. Most of the work runs off the main thread. */
export async function readModel(file: Buffer): Promise<Model> {
  // In one chunk: many small ones would have to be joined and would fragment memory.
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
    throw new Error('There are more weights than the table of the language detector can address.');
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

/** Positions of the streams of a writing system. */
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
    // Hashes are sorted, and so are their places: the table is filled from beginning to end.
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

/** Variable-length number, seven bits per byte. */
export function writeDistance(value: number, into: number[]): void {
  let left = value;
  while (left >= 128) {
    into.push((left % 128) | 128);
    left = Math.floor(left / 128);
  }
  into.push(left);
}
