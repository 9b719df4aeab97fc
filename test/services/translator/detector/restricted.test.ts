import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Detector, loadDetector } from '../../../../src/services/translator/detector/index.ts';
import { LIVE_DETECTABLE } from '../../../../src/services/translator/languages/facts.ts';

const FOLDERS = ['sources/everyday', 'sources/written', 'held-out'].map(
  (name) => new URL(`../../../../tools/detector/${name}/`, import.meta.url).pathname,
);
const MOST_LINES = 40;

let detector: Detector;

beforeAll(async () => {
  detector = await loadDetector();
});

/** Texts of the repository in a language. */
const textsIn = (language: string): string[] =>
  FOLDERS.filter((folder) => readdirSync(folder).includes(`${language}.txt`)).flatMap((folder) =>
    readFileSync(`${folder}${language}.txt`, 'utf8')
      .split('\n')
      .filter((line) => /\p{L}/u.test(line))
      .slice(0, MOST_LINES),
  );

const labels = new Set(
  FOLDERS.flatMap((folder) => readdirSync(folder))
    .filter((name) => name.endsWith('.txt'))
    .map((name) => name.replace('.txt', '')),
);
const leftOut = [...labels].filter((label) => !LIVE_DETECTABLE.has(label)).sort();

const expectOffered = (text: string) => {
  const { language, score, alternatives } = detector.detect(text, LIVE_DETECTABLE);
  for (const code of [language, ...alternatives.map((other) => other.language)])
    expect(LIVE_DETECTABLE, text).toContain(code);
  const scores = [score, ...alternatives.map((other) => other.score)];
  expect(score, text).toBeGreaterThanOrEqual(0.01);
  expect(scores).toEqual(scores.toSorted((one, other) => other - one));
  expect(scores.reduce((sum, value) => sum + value, 0)).toBeLessThanOrEqual(1.000001);
  return { language, score };
};

describe('Where only some languages are offered', () => {
  it('there are texts in languages that are left out', () => {
    expect(leftOut.length).toBeGreaterThan(20);
    for (const label of ['be', 'dz', 'eo', 'fil', 'nn', 'sw', 'wo', 'yi']) expect(leftOut).toContain(label);
  });

  it.each(leftOut)('a text in %s gets an offered language and a score above nothing', (label) => {
    for (const text of textsIn(label)) {
      expectOffered(text);
      expectOffered(`${text} 12 345 😀👍🏽`);
      expectOffered(`${text.toUpperCase()} !!!`);
      expectOffered(text.split(/\s+/).find((word) => /\p{L}/u.test(word)) as string);
    }
  });

  it.each(leftOut)('a long text in %s says that it is not surely in the language it gets', (label) => {
    const { score } = detector.detect(textsIn(label).join(' '), LIVE_DETECTABLE);
    // A variety of an offered language is that language, and most texts of Urdu's neighbours are classified as Urdu.
    if (!['fr-ca', 'pt-pt'].includes(label)) expect(score).toBeLessThan(0.5);
    else expect(score).toBeGreaterThan(0.5);
  });

  it.each([
    ['nn', 'nb', 'Eg veit ikkje kvifor ho ikkje kom heim att i går kveld.'],
    ['dz', 'bo', 'རྫོང་ཁ་འདི་ འབྲུག་གི་རྒྱལ་ཡོངས་སྐད་ཡིག་ཨིན།'],
    ['yi', 'he', 'נעכטן זענען מיר געגאנגען אויפן מארק און געקויפט פרוכט.'],
    ['mn-Mong', 'mn-Cyrl', 'ᠮᠣᠩᠭᠣᠯ ᠪᠢᠴᠢᠭ'],
    ['mni', 'bn', 'ꯃꯅꯤꯄꯨꯔ'],
    ['shi', 'ar', 'ⴰⵣⵓⵍ ⴼⵍⵍⴰⵡⵏ'],
    ['ff', 'ha', '𞤀𞤁𞤂𞤢𞤃'],
  ])('%s gets its neighbour %s', (_, nearest, text) => {
    const { language, score } = expectOffered(text);
    expect(language).toBe(nearest);
    expect(score).toBeLessThan(0.2);
  });

  it('an offered language in the same text is the one that is named', () => {
    const { language } = expectOffered('ⴰⵣⵓⵍ ⴼⵍⵍⴰⵡⵏ ⵜⴰⵎⴰⵣⵉⵖⵜ. Wir fahren morgen mit dem Zug nach Hamburg.');
    expect(language).toBe('de');
  });

  it('texts of several left-out languages and scripts get one too', () => {
    const text = `${textsIn('yi')[0]} ${textsIn('be')[0]} ⴰⵣⵓⵍ ᠮᠣᠩᠭᠣᠯ 2026 🙂 ${textsIn('sw')[0]}`;
    expectOffered(text);
  });

  it('letters of a writing system that nobody knows are not said to be surely anything', () => {
    expect(detector.detect('ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ', LIVE_DETECTABLE)).toEqual({ language: 'en', score: 0.01, alternatives: [] });
  });

  it.each(['', ' ', '12 345,67', '😀👍🏽', '!?'])('a text without a letter is en with 0: %j', (text) => {
    expect(detector.detect(text, LIVE_DETECTABLE)).toEqual({ language: 'en', score: 0, alternatives: [] });
  });

  it('a text in an offered language is answered as without the restriction, about as surely', () => {
    for (const label of ['de', 'fr', 'ru', 'ar', 'hi', 'ja', 'ko', 'th', 'zh-Hans', 'el']) {
      const text = textsIn(label).slice(0, 10).join(' ');
      const free = detector.detect(text);
      const restricted = detector.detect(text, LIVE_DETECTABLE);
      expect(restricted.language).toBe(free.language);
      expect(Math.abs(restricted.score - free.score)).toBeLessThan(0.05);
    }
  });

  it('whatever has a letter gets an offered language, by whatever set', () => {
    const sets = [LIVE_DETECTABLE, new Set(['de', 'en']), new Set(['el']), new Set(['ru', 'ja'])];
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), fc.constantFrom(...sets), (text, allowed) => {
        const { language, score } = detector.detect(text, allowed);
        if (score > 0) expect(allowed).toContain(language);
        if (/\p{L}/u.test(text)) expect(score).toBeGreaterThan(0);
      }),
      { numRuns: 400 },
    );
  });
});
