import { WRITING_SYSTEMS } from './scripts.ts';

/** Classifies code units for the word reader: letters of a writing system, marks within a word, or separators. */

/** Marks of any writing system (accents, vowel signs, joiners): they continue the current word. */
const CONTINUES = [
  [0x300, 0x36f],
  [0x483, 0x487],
  [0x610, 0x61a],
  [0x64b, 0x65f],
  [0x670, 0x670],
  [0x6d6, 0x6dc],
  [0x6df, 0x6e4],
  [0x6e7, 0x6ed],
  [0x1ab0, 0x1aff],
  [0x1dc0, 0x1dff],
  [0x20d0, 0x20f0],
  [0xfe00, 0xfe0f],
  [0xfe20, 0xfe2f],
  [0x200c, 0x200d],
  [0xdc00, 0xdfff],
  [0xb7, 0xb7],
  [0xad, 0xad],
  [0x640, 0x640],
] as const;

/** Signs that close a word and belong to it: the elision of `l'eau`, the letter of `oʻzbek`. */
const APOSTROPHES = [
  0x27, 0x60, 0xb4, 0x2b9, 0x2bb, 0x2bc, 0x2bd, 0x2be, 0x2bf, 0x2c8, 0x2018, 0x2019, 0x201b, 0x2032, 0xff07,
];

export const SEPARATOR = 0;
export const CONTINUATION = 254;
export const APOSTROPHE = 255;

/** For each code unit: 0 for a separator, 1 and up for a letter of that writing system, or one of the signs above. */
export function classifyCodeUnits(): Uint8Array {
  const kinds = new Uint8Array(0x10000);
  for (const [index, system] of WRITING_SYSTEMS.entries()) {
    for (const [first, last] of system.ranges) kinds.fill(index + 1, first, last + 1);
  }
  for (const [first, last] of CONTINUES) kinds.fill(CONTINUATION, first, last + 1);
  for (const unit of APOSTROPHES) kinds[unit] = APOSTROPHE;
  kinds[0xd7] = SEPARATOR;
  kinds[0xf7] = SEPARATOR;
  return kinds;
}

/** Code units as the model reads them: in lower case, wide forms narrowed, silent marks dropped (0). */
export function foldCodeUnits(kinds: Uint8Array): Uint16Array {
  const folded = new Uint16Array(0x10000);
  for (let unit = 0; unit < 0x10000; unit += 1) {
    if (kinds[unit] === SEPARATOR) continue;
    folded[unit] = unit;
    const cased =
      unit < 0x590 ||
      (unit >= 0x10a0 && unit < 0x1100) ||
      (unit >= 0x1c80 && unit < 0x1cc0) ||
      (unit >= 0x1e00 && unit < 0x2000) ||
      (unit >= 0x2c00 && unit < 0x2e00) ||
      unit >= 0xa640;
    if (!cased || (unit >= 0xac00 && unit < 0xe000)) continue;
    const lower = String.fromCharCode(unit).toLowerCase();
    folded[unit] = lower.length === 1 ? lower.charCodeAt(0) : unit;
  }
  for (let wide = 0xff21; wide <= 0xff3a; wide += 1) folded[wide] = wide - 0xff21 + 0x61;
  for (let wide = 0xff41; wide <= 0xff5a; wide += 1) folded[wide] = wide - 0xff41 + 0x61;
  for (const unit of APOSTROPHES) folded[unit] = 0x27;
  for (const unit of [0xad, 0x200d, 0x640]) folded[unit] = 0;
  for (let selector = 0xfe00; selector <= 0xfe0f; selector += 1) folded[selector] = 0;
  folded[0x130] = 0x69;
  return folded;
}
