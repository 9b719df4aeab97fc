import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  compressModel,
  type Header,
  packModel,
  type SystemHeader,
  writeDistance,
} from '../../src/services/translator/detector/model.ts';
import { LANGUAGES_OF_SYSTEM } from './languages.ts';
import { priorOf } from './priors.ts';

// Usage: node tools/detector/pack.ts <folder of trained systems> <file for the weights> [calibration.json]
const [folder = '', file = '', calibration = ''] = process.argv.slice(2);
/** A draft, without calibration, need not be small. */
const quality = calibration === '' ? 4 : 11;

/** Larger weights are clamped: no single feature needs more influence. */
const LARGEST_WEIGHT = 6;
/** Quantisation steps from zero to the largest weight: finer ones make the file larger without better answers. */
const STEPS = 42;
/** In the one large model, smaller weights are dropped: a quarter of all, which affect 0.3 % of single words. */
const LEAST_WEIGHTS: Readonly<Record<string, number>> = { Latn: 0.34 };

const systems: SystemHeader[] = [];
const streams: Uint8Array[] = [];
for (const name of Object.keys(LANGUAGES_OF_SYSTEM)) {
  if (!existsSync(join(folder, `${name}.json`))) continue;
  const { languages } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as { languages: string[] };
  const keys = arrayOf(Uint32Array, readFileSync(join(folder, `${name}.keys`)));
  const weights = arrayOf(Float32Array, readFileSync(join(folder, `${name}.weights`)));
  const least = LEAST_WEIGHTS[name] ?? 0;
  let largest = 0;
  for (const weight of weights) largest = Math.max(largest, Math.abs(weight));
  const scale = Math.min(largest, LARGEST_WEIGHT) / STEPS;
  const distances: number[] = [];
  const counts = new Uint8Array(keys.length);
  const ofLanguages: number[] = [];
  const values: number[] = [];
  let before = 0;
  for (const [row, key] of keys.entries()) {
    writeDistance(key - before, distances);
    before = key;
    for (let column = 0; column < languages.length; column += 1) {
      const weight = weights[row * languages.length + column] as number;
      const value = Math.abs(weight) < least ? 0 : Math.max(-127, Math.min(127, Math.round(weight / scale)));
      if (value === 0) continue;
      counts[row] = (counts[row] as number) + 1;
      ofLanguages.push(column);
      values.push(value & 255);
    }
  }
  systems.push({
    name,
    languages,
    priors: languages.map(priorOf),
    scale,
    features: keys.length,
    weights: values.length,
    distances: distances.length,
  });
  streams.push(Uint8Array.from(distances), counts, Uint8Array.from(ofLanguages), Uint8Array.from(values));
  console.log(
    name,
    `${languages.length} languages, ${keys.length} features, ${values.length} weights, largest ${largest.toFixed(2)}`,
  );
}
const trust = calibration === '' ? {} : (JSON.parse(readFileSync(calibration, 'utf8')) as Header['trust']);
const packed = packModel({ systems, trust }, streams);
const compressed = compressModel(packed, quality);
writeFileSync(file, compressed);
console.log(`${packed.length} bytes, ${compressed.length} compressed`);

function arrayOf<T>(type: new (buffer: ArrayBuffer) => T, bytes: Buffer): T {
  return new type(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer);
}
