import { describe, expect, it } from 'vitest';
import {
  findLanguage,
  isTranslated,
  isTransliterated,
  LIVE_DETECTABLE,
  languageOf,
} from '../../../../src/services/translator/languages/facts.ts';
import * as table from '../../../../src/services/translator/languages/table.ts';
import { DETECTED_ONLY, NEVER_DETECTED, TRANSLATION, TRANSLITERATION } from './documented.ts';

describe('the table of languages', () => {
  it('has every code once', () => {
    const codes = [...table.TRANSLATED, ...table.DETECTED_ONLY, ...table.TRANSLITERATED_ONLY].map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('has the languages beyond translation that the detector tells apart', () => {
    expect(table.DETECTED_ONLY.map(({ code }) => code).sort()).toEqual([...DETECTED_ONLY].sort());
  });

  it('knows which languages the real service never returns', () => {
    const expected = TRANSLATION.filter((code) => !NEVER_DETECTED.includes(code));
    expect([...LIVE_DETECTABLE].sort()).toEqual(expected.sort());
    expect(LIVE_DETECTABLE.size).toBe(110);
  });

  it.each([
    ['de', true, false],
    ['ru', true, true],
    ['zh-Hans', true, true],
    ['be', false, true],
    ['tg', false, true],
    ['eo', false, false],
    ['la', false, false],
    ['xx', false, false],
  ])('%s is translated: %s, transliterated: %s', (code, translated, transliterated) => {
    expect([isTranslated(code), isTransliterated(code)]).toEqual([translated, transliterated]);
  });

  it('has a language for everything that is transliterated', () => {
    for (const [code] of TRANSLITERATION) expect(languageOf(code).code).toBe(code);
  });

  it('finds languages in any case, and says when there is none', () => {
    expect(findLanguage('ZH-hans')?.code).toBe('zh-Hans');
    expect(findLanguage('xx')).toBeUndefined();
    expect(() => languageOf('xx')).toThrow("no language has the code 'xx'");
  });
});
