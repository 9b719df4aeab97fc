import { brotliDecompressSync } from 'node:zlib';

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
  /** Bits by which a hash is shifted to its place. */
  readonly shift: number;
  /** The weights, each with its language: weight in the high byte (signed), number of the language in the low byte. */
  readonly pairs: Int16Array;
}

const MAGIC = 'CJLD';
const HEADER_AT = 8;
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

export function unpackModel(compressed: Uint8Array): Model {
  const bytes = brotliDecompressSync(compressed);
  if (bytes.subarray(0, 4).toString('latin1') !== MAGIC)
    throw new Error('These are not weights of the language detector.');
  const headerLength = bytes.readUInt32LE(4);
  const header = JSON.parse(bytes.subarray(HEADER_AT, HEADER_AT + headerLength).toString('utf8')) as Header;
  const features = header.systems.reduce((sum, system) => sum + system.features, 0);
  const weights = header.systems.reduce((sum, system) => sum + system.weights, 0);
  if (weights >= MOST_WEIGHTS)
    throw new Error('These are more weights than the table of the language detector can hold.');
  const bits = Math.ceil(Math.log2(features * 1.25 + 2));
  const model: Model = {
    header,
    table: new Uint32Array(2 << bits),
    shift: 32 - bits,
    pairs: new Int16Array(features + weights),
  };
  let at = HEADER_AT + headerLength;
  let pair = 0;
  for (const system of header.systems) {
    const counts = at + system.distances;
    const languages = counts + system.features;
    pair = unpackSystem(
      model,
      system,
      { bytes, distances: at, counts, languages, weights: languages + system.weights },
      pair,
    );
    at = languages + 2 * system.weights;
  }
  return model;
}

interface Places {
  readonly bytes: Uint8Array;
  readonly distances: number;
  readonly counts: number;
  readonly languages: number;
  readonly weights: number;
}

function unpackSystem({ table, shift, pairs }: Model, system: SystemHeader, places: Places, firstPair: number): number {
  const { bytes } = places;
  const mask = table.length - 1;
  let distance = places.distances;
  let language = places.languages;
  let weight = places.weights;
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
    let at = (hash >>> shift) << 1;
    while (table[at] !== 0) at = (at + 2) & mask;
    table[at] = hash;
    const count = bytes[places.counts + feature] as number;
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
