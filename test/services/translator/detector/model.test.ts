import { describe, expect, it } from 'vitest';
import { createDetector } from '../../../../src/services/translator/detector/engine.ts';
import {
  compressModel,
  packModel,
  readModel,
  writeDistance,
} from '../../../../src/services/translator/detector/model.ts';
import { extendHash, hashWord, NGRAM_SEED } from '../../../../src/services/translator/detector/ngrams.ts';

const units = (text: string): Uint16Array => Uint16Array.from(text, (sign) => sign.charCodeAt(0));
const run = (text: string): number => units(text).reduce((hash, unit) => extendHash(hash, unit), NGRAM_SEED) >>> 0;
const word = (text: string): number => hashWord(units(text), 0, text.length) >>> 0;

/** A model of two languages with these features: hash to weights of the first and the second language. */
function modelOf(features: readonly (readonly [hash: number, first: number, second: number])[]) {
  const distances: number[] = [];
  const counts: number[] = [];
  const languages: number[] = [];
  const weights: number[] = [];
  let before = 0;
  for (const [hash, ...ofLanguages] of features.toSorted((one, other) => one[0] - other[0])) {
    writeDistance(hash - before, distances);
    before = hash;
    const speaking = [...ofLanguages.entries()].filter(([, weight]) => weight !== 0);
    counts.push(speaking.length);
    for (const [language, weight] of speaking) {
      languages.push(language);
      weights.push(weight & 255);
    }
  }
  const system = {
    name: 'Latn',
    languages: ['aa', 'bb'],
    priors: [0, 0],
    scale: 0.1,
    features: counts.length,
    weights: weights.length,
    distances: distances.length,
  };
  const packed = packModel(
    { systems: [system], trust: { Latn: [1] } },
    [distances, counts, languages, weights].map((stream) => Uint8Array.from(stream)),
  );
  return readModel(Buffer.from(compressModel(packed, 1)));
}

const shareOf = (logit: number): number => 1 / (1 + Math.exp(-logit));

describe('Weights that were packed', () => {
  it('are found again and added up', async () => {
    const detector = createDetector(
      await modelOf([
        [run(' x'), 20, 0],
        [run('xy'), 0, -10],
        [run('y '), -5, 0],
      ]),
    );
    expect(detector.detect('xy').language).toBe('aa');
    expect(detector.detect('xy').score).toBeCloseTo(shareOf((20 - 5 + 10) * 0.1));
  });

  it('of a run are not looked for behind an unknown shorter run', async () => {
    const detector = createDetector(await modelOf([[run('xyz'), 100, 0]]));
    expect(detector.detect('xyz').score).toBeCloseTo(0.5);
  });

  it('of a whole word count once, and not for a longer word', async () => {
    const detector = createDetector(await modelOf([[word('house'), 0, 30]]));
    expect(detector.detect('house')).toMatchObject({ language: 'bb', score: expect.closeTo(shareOf(3)) });
    expect(detector.detect('houses').score).toBeCloseTo(0.5);
  });

  it('of runs at the edge of a word tell its beginning from its middle', async () => {
    const detector = createDetector(await modelOf([[run(' x'), 30, 0]]));
    expect(detector.detect('xo').score).toBeCloseTo(shareOf(3));
    expect(detector.detect('ox').score).toBeCloseTo(0.5);
  });

  it('take every distance between hashes', () => {
    const bytes: number[] = [];
    for (const value of [0, 1, 127, 128, 16_383, 16_384, 4_294_967_295]) writeDistance(value, bytes);
    expect(bytes.length).toBe(1 + 1 + 1 + 2 + 2 + 3 + 5);
  });

  it('are refused when they are something else', async () => {
    const other = Buffer.from(compressModel(Buffer.from('something else altogether'), 1));
    await expect(readModel(other)).rejects.toThrow('not weights of the language detector');
  });
});
