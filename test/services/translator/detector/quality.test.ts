import { statSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { calibrationError, count, emptyBins } from '../../../../bench/detect/calibration.ts';
import { type Kind, type LanguageTexts, readHeldOut } from '../../../../bench/detect/texts.ts';
import { type Detector, loadDetector } from '../../../../src/services/translator/detector/index.ts';

// The texts of `npm run bench:detect`, which were not used in training. The floors lie slightly below the measured values: they detect
// faulty weights, and code that reads text differently from training.

const HELD_OUT = new URL('../../../../tools/detector/held-out', import.meta.url).pathname;
const WEIGHTS = new URL('../../../../src/services/translator/detector/weights/languages.br', import.meta.url);

let detector: Detector;
let languages: LanguageTexts[];

beforeAll(async () => {
  detector = await loadDetector();
  languages = readHeldOut(HELD_OUT, { quick: process.env.CLOUDJAR_SOAK !== '1' });
});

/** Mean over the languages of the share of right answers, in percent. */
function accuracy(kind: Kind): number {
  const rates = languages
    .filter(({ texts }) => texts[kind].length > 0)
    .map(
      ({ labels, texts }) =>
        texts[kind].filter((text) => labels.includes(detector.detect(text).language)).length / texts[kind].length,
    );
  return (100 * rates.reduce((sum, rate) => sum + rate, 0)) / rates.length;
}

describe('Of texts that no training saw', () => {
  it('nearly all sentences are recognised', () => expect(accuracy('sentences')).toBeGreaterThan(97));
  it('nine in ten pairs of words are recognised', () => expect(accuracy('pairs')).toBeGreaterThan(92));
  it('four in five single words are recognised', () => expect(accuracy('words')).toBeGreaterThan(80));

  it('scores are calibrated', () => {
    const bins = emptyBins();
    for (const { labels, texts } of languages) {
      for (const text of [...texts.words, ...texts.pairs, ...texts.sentences]) {
        const { language, score } = detector.detect(text);
        count(bins, score, labels.includes(language));
      }
    }
    expect(calibrationError(bins)).toBeLessThan(0.04);
  });
});

describe('The weights', () => {
  it('take at most 14 MB', () => expect(statSync(WEIGHTS).size).toBeLessThanOrEqual(14_000_000));
});
