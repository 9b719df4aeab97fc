import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldText } from '../../../src/kernel/store/typed/fold.ts';
import type { Store } from '../../../src/kernel/store/types.ts';
import { postgres } from './contract/engines.ts';

/** Letters of scripts with case, width or kana variants, spaces, and characters with a special meaning somewhere. */
const character = fc.oneof(
  fc.constantFrom(
    ' ',
    '\u3000',
    '\u0001',
    '\t',
    '"',
    "'",
    '\\',
    'ß',
    'ς',
    'Σ',
    'İ',
    'ı',
    'ǅ',
    '\u0301',
    '😀',
    'K',
    'Å',
  ),
  fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  fc.integer({ min: 0xa0, max: 0x24f }).map((code) => String.fromCharCode(code)),
  fc.integer({ min: 0x386, max: 0x52f }).map((code) => String.fromCharCode(code)),
  fc.integer({ min: 0x3041, max: 0x30ff }).map((code) => String.fromCharCode(code)),
  fc.integer({ min: 0xff01, max: 0xffdc }).map((code) => String.fromCharCode(code)),
  fc.integer({ min: 0x10400, max: 0x1044f }).map((code) => String.fromCodePoint(code)),
);
const text = fc.array(character, { maxLength: 12 }).map((characters) => characters.join(''));

async function foldedBy(store: Store, texts: readonly string[]): Promise<unknown[]> {
  const values = texts.map((_, i) => `(${i}, $${i + 1}::text)`).join(', ');
  const statement = `SELECT cloudjar.fold(given.t) FROM (VALUES ${values}) AS given (i, t) ORDER BY given.i`;
  const bounds = { rows: texts.length, timeMs: 60_000 };
  const { rows } = await store.tables.select({ text: statement, values: texts, columns: ['text'] }, bounds);
  return rows.map(([folded]) => folded);
}

test('PostgreSQL folds texts like the other implementation', { timeout: 120_000 }, async (context) => {
  const store = await (await postgres.place(context)).open();
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 100 }), async (texts) => {
      expect(await foldedBy(store, texts)).toEqual(texts.map(foldText));
    }),
    { numRuns: 50 },
  );
});

test('case, width, kind of kana and trailing blanks do not count; accents and leading blanks do', () => {
  for (const [one, other] of [
    ['Straße', 'STRAßE'],
    ['ÀÉ', 'àé'],
    ['ΟΔΟΣ', 'οδος'],
    ['ｆｕｌｌ　ＷＩＤＴＨ', 'full width'],
    ['ｱｲｳ', 'あいう'],
    ['ガギ', 'がぎ'],
    ['end   ', 'END'],
  ]) {
    expect(foldText(one!)).toBe(foldText(other!));
  }
  for (const [one, other] of [
    ['e', 'é'],
    ['a', ' a'],
    ['', 'a'],
    ['a b', 'ab'],
  ]) {
    expect(foldText(one!)).not.toBe(foldText(other!));
  }
});

test('folding is idempotent, and its result has no U+0000 and U+0001', () => {
  fc.assert(
    fc.property(fc.oneof(text, fc.string({ unit: 'binary' })), (given) => {
      const folded = foldText(given);
      expect(foldText(folded)).toBe(folded);
      expect(folded).not.toMatch('\u0000');
      expect(folded).not.toMatch('\u0001');
    }),
    { numRuns: 1000 },
  );
});
