import { describe, expect, test } from 'vitest';
import { claimsOf, meaningOf } from '../../bench/detect/detectors/detector.ts';
import { CONTENDERS } from '../../bench/detect/detectors/index.ts';
import { LABELS, labelsOf, labelsOfFile } from '../../bench/detect/labels.ts';
import { DETECTED_ONLY, TRANSLATED } from '../../src/services/translator/languages/table.ts';

/** The language of a code without script and region, as in Unicode: `cmn` and `zh-Hans` are both `zh`. */
const languageOf = (code: string): string => new Intl.Locale(code).language;

/** Groups of languages, and old or wider codes, that Unicode does not map to their label. */
const WIDER_CODES: Readonly<Record<string, readonly string[]>> = {
  no: ['nb'],
  fa: ['prs'],
  sh: ['bs', 'hr'],
  ckb: ['ku', 'kmr'],
  hmn: ['mww'],
  ber: ['shi'],
  fuf: ['ff'],
  fuv: ['ff'],
  zlm: ['ms'],
};

test('the labels are the codes of the languages that the service tells apart', () => {
  const known = [...TRANSLATED, ...DETECTED_ONLY].map(({ code }) => code);
  expect(LABELS.toSorted()).toEqual(known.toSorted());
});

test('every label is the meaning of some code, and of its own name as a file', () => {
  for (const label of LABELS) {
    expect(labelsOfFile(label)).toEqual([label]);
    expect(labelsOf(label.split('-')[0]!), label).toContain(label);
  }
});

test.each([
  ['zh', ['zh-Hans', 'zh-Hant']],
  ['sr', ['sr-Cyrl', 'sr-Latn']],
  ['fr', ['fr', 'fr-ca']],
  ['pt', ['pt', 'pt-pt']],
  ['mn', ['mn-Cyrl', 'mn-Mong']],
  ['ku', ['ku', 'kmr']],
  ['no', ['nb']],
  ['nn', ['nn']],
  ['iw', ['he']],
  ['tgl', ['fil']],
  ['ceb', []],
])('the code %s stands for %j', (code, labels) => {
  expect(labelsOf(code)).toEqual(labels);
});

describe.each(CONTENDERS)('the codes of $name', (contender) => {
  test('are each listed once, and most mean a label of ours', () => {
    expect(new Set(contender.codes).size).toBe(contender.codes.length);
    expect(claimsOf(contender).size).toBeGreaterThan(50);
    for (const label of claimsOf(contender)) expect(LABELS).toContain(label);
  });

  test('that mean nothing to us name no language of ours', () => {
    const ours = new Set(LABELS.map(languageOf));
    const missed = contender.codes.filter(
      (code) => !contender.exceptions?.[code] && labelsOf(code).length === 0 && ours.has(languageOf(code)),
    );
    // Languages in Latin letters have other codes.
    expect(missed.filter((code) => !code.endsWith('-Latn'))).toEqual([]);
  });

  test('mean the same language as the labels they stand for', () => {
    for (const code of contender.codes) {
      for (const label of meaningOf(contender, code)) {
        const same = languageOf(code) === languageOf(label) || WIDER_CODES[code]?.includes(label);
        expect(same, `${code} as ${label}`).toBe(true);
      }
    }
  });
});
