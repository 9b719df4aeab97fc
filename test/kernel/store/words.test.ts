import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { collection, number, text } from '../../../src/kernel/store/collection.ts';
import { indexedWords, searchableOf } from '../../../src/kernel/store/search/indexed.ts';
import { wordsOf } from '../../../src/kernel/store/search/words.ts';

describe('the words of a text', () => {
  it.each([
    ['Quarterly REPORT, v2.1', ['quarterly', 'report', 'v2', '1']],
    ['ada@vendor.example', ['ada', 'vendor', 'example']],
    ["o'clock co-operate snake_case", ['o', 'clock', 'co', 'operate', 'snake', 'case']],
    ['Ärger façade naïve Œuvre', ['arger', 'facade', 'naive', 'œuvre']],
    ['STRASSE straße Straẞe', ['strasse', 'strasse', 'strasse']],
    ['ΟΔΟΣ οδός Οδοσ', ['οδοσ', 'οδοσ', 'οδοσ']],
    ['Iİıi', ['iiii']],
    ['ｗｉｄｅ ﬁne ①②', ['wide', 'fine', '12']],
    ['soft\u00adhyphen zero\u200djoiner', ['softhyphen', 'zerojoiner']],
    ['東京タワー', ['東', '京', 'タ', 'ワ', 'ー']],
    ['ガラス ｶﾞﾗｽ カラス', ['カ\u3099', 'ラ', 'ス', 'カ\u3099', 'ラ', 'ス', 'カ', 'ラ', 'ス']],
    ['Tokyo東京2020年', ['tokyo', '東', '京', '2020', '年']],
    ['ที่นี่', ['ที่', 'นี่']],
    ['हिन्दी में', ['हिन्दी', 'में']],
    ['كِتَاب كتاب', ['كتاب', 'كتاب']],
    ['한국어', ['한국어'.normalize('NFKD')]],
    ['🫙 👩‍👩‍👧 … — “quoted”', ['quoted']],
    ['a\u0000b\ud800c\udc00d', ['a', 'b', 'c', 'd']],
    ['', []],
    ['!!! ???', []],
  ])('of %j are %j', (given, expected) => {
    expect(wordsOf(given)).toEqual(expected);
  });

  test('are cut to 64 characters, however they are coded', () => {
    expect(wordsOf('x'.repeat(1_000_000))).toEqual(['x'.repeat(64)]);
    const clef = '\u{10400}';
    expect(wordsOf(clef.repeat(70))).toEqual(['\u{10428}'.repeat(64)]);
    expect(wordsOf(`a${clef.repeat(70)}`)).toEqual([`a${'\u{10428}'.repeat(63)}`]);
  });

  test('contain no character with a special meaning for an engine', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (given) => {
        for (const word of wordsOf(given)) {
          expect(word).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
          expect(word.isWellFormed()).toBe(true);
          expect(word).not.toMatch(/[A-Z]/);
          expect([...word].length).toBeLessThanOrEqual(64);
        }
      }),
    );
  });
});

describe('the index entry of a document', () => {
  const search = { parts: ['a', 'b'], of: (it: Two) => it };
  interface Two {
    readonly a?: string | readonly string[];
    readonly b?: string;
    readonly [part: string]: string | readonly string[] | undefined;
  }
  const two = collection<Two>('test.two', { search });
  const indexed = (document: Two): string[] => {
    const searchable = searchableOf(two, document);
    return searchable ? indexedWords(searchable) : [];
  };

  test('has the letter of its part before each word and a gap between texts', () => {
    expect(indexed({ a: ['x y', 'z'], b: 'x' })).toEqual(['ax', 'ay', '0', 'az', 'bx']);
    expect(indexed({})).toEqual([]);
    expect(searchableOf(two, { a: ['', ''], b: '' })).toBeUndefined();
  });

  test('is bounded, whatever the document has', () => {
    expect(indexed({ a: 'word '.repeat(50_000), b: 'end' }).filter((word) => word === 'aword')).toHaveLength(200);
    const distinct = Array.from({ length: 100_000 }, (_, i) => `w${i}`).join(' ');
    expect(indexed({ a: distinct })).toHaveLength(16_000);
    expect(indexed({ a: Array.from({ length: 100_000 }, () => 'x') }).length).toBeLessThanOrEqual(16_001);
    const long = Array.from({ length: 20_000 }, (_, i) => `${i}${'\u{10ffd}'.repeat(60)}東`.padStart(64, 'y')).join(
      ' ',
    );
    expect(indexed({ a: long }).join('').length).toBeLessThan(230_000);
  });
});

describe('declarations of full text', () => {
  const of = () => ({});
  const fields = { box: text<object>(() => ''), size: number<object>(() => 1) };
  it.each([
    [[], undefined, 'full text has from 1 to 26 different parts'],
    [['a', 'a'], undefined, 'full text has from 1 to 26 different parts'],
    [Array.from({ length: 27 }, (_, i) => `p${i}`), undefined, 'full text has from 1 to 26 different parts'],
    [['a'], 'nope', "is searched within 'nope', which is not a text field"],
    [['a'], 'size', "is searched within 'size', which is not a text field"],
  ])('with the parts %j within %s are refused', (parts, within, reason) => {
    expect(() => collection('test.x', { fields, search: { parts, within, of } })).toThrow(reason);
  });
});
