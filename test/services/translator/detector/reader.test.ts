import { describe, expect, it } from 'vitest';
import { WordReader } from '../../../../src/services/translator/detector/reader.ts';
import { WRITING_SYSTEMS } from '../../../../src/services/translator/detector/scripts.ts';

/** The words of a text, each with the name of its writing system. */
function wordsOf(text: string, capacity = 1000): string[] {
  const reader = new WordReader(capacity);
  reader.read(text);
  return Array.from({ length: reader.words }, (_, word) => {
    const units = reader.units.subarray((reader.starts[word] ?? 0) + 1, reader.starts[word + 1]);
    return `${WRITING_SYSTEMS[reader.systems[word] ?? 0]?.name} ${String.fromCharCode(...units)}`;
  });
}

describe('A text is read as words', () => {
  it.each([
    ['in lower case', 'Über Łódź', ['Latn über', 'Latn łódź']],
    ['of one writing system each', 'abcгде漢字', ['Latn abc', 'Cyrl где', 'Hani 漢字']],
    ['without digits and signs', 'v2.0: 3 cats!', ['Latn v', 'Latn cats']],
    [
      'with the apostrophe that ends them',
      "l'eau d’été oʻzbek",
      ["Latn l'", 'Latn eau', "Latn d'", 'Latn été', "Latn o'", 'Latn zbek'],
    ],
    ['with marks that belong to a letter', 'क़िताब', ['Deva क़िताब']],
    ['without soft hyphens', 'Donau\u00addampf', ['Latn donaudampf']],
    ['without the dot of the Turkish capital', 'İstanbul', ['Latn istanbul']],
    ['across Han and kana', '漢字かなカナ', ['Hani 漢字かなカナ']],
    ['and nothing else', '😀 123 \ud800', []],
  ])('%s', (_, text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it('reads a very long word in pieces', () => {
    const words = wordsOf('a'.repeat(150));
    expect(words.length).toBe(3);
    expect(words.join('').replaceAll('Latn ', '')).toBe('a'.repeat(150));
  });

  it('stops where there is no more room', () => {
    expect(wordsOf('aб'.repeat(100), 10)).toHaveLength(10);
  });

  it('counts letters', () => {
    const reader = new WordReader(100);
    reader.read('two words');
    expect(reader.letters()).toBe(8);
    reader.read('');
    expect(reader.letters()).toBe(0);
  });
});
