import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Detector, loadDetector } from '../../../../src/services/translator/detector/index.ts';

let detector: Detector;
let known: Set<string>;

beforeAll(async () => {
  detector = await loadDetector();
  known = new Set(detector.languages);
});

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  // Random code units, including lone surrogates.
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 300 }).map((units) => String.fromCharCode(...units)),
  fc.string({ unit: fc.constantFrom('a', 'б', 'ا', '漢', "'", ' ', '́', '@', '://', 'www.'), maxLength: 400 }),
);

describe('Whatever the text is', () => {
  it('the answer is a known language, its scores are shares, and runners-up come in order', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { language, score, alternatives } = detector.detect(text);
        expect(known).toContain(language);
        const scores = [score, ...alternatives.map((other) => other.score)];
        for (const value of scores) expect(value).toBeGreaterThanOrEqual(0);
        expect(scores).toEqual(scores.toSorted((one, other) => other - one));
        expect(scores.reduce((sum, value) => sum + value, 0)).toBeLessThanOrEqual(1.000001);
        expect(new Set([language, ...alternatives.map((other) => other.language)]).size).toBe(alternatives.length + 1);
      }),
      { numRuns: 500 },
    );
  });

  it('the same text gets the same answer, whatever was asked in between', () => {
    fc.assert(
      fc.property(anyText, anyText, (text, other) => {
        const before = detector.detect(text);
        detector.detect(other);
        expect(detector.detect(text)).toEqual(before);
      }),
      { numRuns: 200 },
    );
  });
});
