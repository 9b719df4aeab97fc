import { storable } from '../values.ts';

/**
 * Texts that fold to the same result are equal for queries: case, width (full-width ASCII, half-width katakana without their marks), kana
 * type and trailing spaces are ignored, accents are not. SQLite calls this function as `fold`; PostgreSQL has the equivalent
 * `cloudjar.fold`, also generated from `FOLDED`.
 *
 * A folded text never contains U+0001, so callers may use it as a separator.
 */
export function foldText(text: string): string {
  if (PLAIN.test(text)) return withoutEndingBlanks(text.toLowerCase());
  const lower = storable(text).toLowerCase().replaceAll(SEPARATOR, '\ufffd');
  return withoutEndingBlanks(lower.replace(CHANGED, (character) => FOLDED.get(character) ?? character));
}

/** ASCII, where only case and trailing spaces are folded. */
const PLAIN = /^[ -~]*$/;
const SEPARATOR = '\u0001';
const CHANGED = /[\u03c2\u3000\u30a1-\u30f6\u30fd\u30fe\uff01-\uff5e\uff61-\uff9f]/g;
const BLANK = 0x20;

function withoutEndingBlanks(text: string): string {
  if (text.charCodeAt(text.length - 1) !== BLANK) return text;
  let end = text.length - 1;
  while (end > 0 && text.charCodeAt(end - 1) === BLANK) end--;
  return text.slice(0, end);
}

const HALF_WIDTH =
  '。「」、・をぁぃぅぇぉゃゅょっーあいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわん゛゜';

/** Replacements for single characters of lower-case text. */
export const FOLDED: ReadonlyMap<string, string> = new Map([
  [SEPARATOR, '\ufffd'],
  // Lower-casing produces one of two forms, depending on the next letter.
  ['ς', 'σ'],
  ['\u3000', ' '],
  ...range(0xff01, 0xff5e, (code) => code - 0xfee0),
  ...range(0x30a1, 0x30f6, katakanaToHiragana),
  ...range(0x30fd, 0x30fe, katakanaToHiragana),
  ...Array.from(HALF_WIDTH, (character, i): [string, string] => [String.fromCharCode(0xff61 + i), character]),
]);

function katakanaToHiragana(code: number): number {
  return code - 0x60;
}

function range(from: number, to: number, folded: (code: number) => number): [string, string][] {
  return Array.from({ length: to - from + 1 }, (_, i) => [
    String.fromCharCode(from + i),
    String.fromCharCode(folded(from + i)),
  ]);
}
