/**
 * Which writing system a character belongs to. The detector keeps one model for each system that several languages
 * share; a system with one language needs none, and its letters alone decide.
 */

/** A family of letters that are weighed together. Japanese mixes Han and kana, so both are one system here. */
export interface WritingSystem {
  readonly name: string;
  /** First and last code unit of each block, inclusive. */
  readonly ranges: readonly (readonly [number, number])[];
  /** The language that a letter of this system stands for, where there is only one. */
  readonly only?: string;
  /** How many letters of an alphabet one character of this system is worth when systems are mixed in one text. */
  readonly worth?: number;
}

const HIGH_SURROGATES_OF_HAN_EXTENSIONS = [0xd840, 0xd88f] as const;
const HIGH_SURROGATE_OF_ADLAM = [0xd83a, 0xd83a] as const;

export const WRITING_SYSTEMS: readonly WritingSystem[] = [
  {
    name: 'Latn',
    ranges: [
      [0x41, 0x5a],
      [0x61, 0x7a],
      [0xaa, 0xaa],
      [0xba, 0xba],
      [0xc0, 0xd6],
      [0xd8, 0xf6],
      [0xf8, 0x24f],
      [0x250, 0x2b8],
      [0x1e00, 0x1eff],
      [0x2c60, 0x2c7f],
      [0xa722, 0xa7ff],
      [0xab30, 0xab64],
      [0xfb00, 0xfb06],
      [0xff21, 0xff3a],
      [0xff41, 0xff5a],
    ],
  },
  {
    name: 'Cyrl',
    ranges: [
      [0x400, 0x52f],
      [0x1c80, 0x1c8a],
      [0x2de0, 0x2dff],
      [0xa640, 0xa69f],
    ],
  },
  {
    name: 'Arab',
    ranges: [
      [0x620, 0x64a],
      [0x66e, 0x6d3],
      [0x6d5, 0x6d5],
      [0x6e5, 0x6e6],
      [0x6ee, 0x6ef],
      [0x6fa, 0x6ff],
      [0x750, 0x77f],
      [0x8a0, 0x8ff],
      [0xfb50, 0xfdff],
      [0xfe70, 0xfefc],
    ],
  },
  {
    name: 'Deva',
    ranges: [
      [0x900, 0x963],
      [0x971, 0x97f],
      [0xa8e0, 0xa8ff],
    ],
  },
  {
    name: 'Hani',
    ranges: [
      [0x3005, 0x3007],
      [0x3040, 0x30ff],
      [0x31f0, 0x31ff],
      [0x3400, 0x4dbf],
      [0x4e00, 0x9fff],
      [0xf900, 0xfaff],
      [0xff66, 0xff9f],
      HIGH_SURROGATES_OF_HAN_EXTENSIONS,
    ],
    worth: 2.5,
  },
  {
    name: 'Beng',
    ranges: [
      [0x980, 0x9e3],
      [0x9f0, 0x9ff],
    ],
  },
  {
    name: 'Hebr',
    ranges: [
      [0x591, 0x5f4],
      [0xfb1d, 0xfb4f],
    ],
  },
  {
    name: 'Ethi',
    ranges: [
      [0x1200, 0x135f],
      [0x1380, 0x139f],
      [0x2d80, 0x2ddf],
      [0xab01, 0xab2f],
    ],
    worth: 2,
  },
  {
    name: 'Tibt',
    ranges: [
      [0xf00, 0xf00],
      [0xf40, 0xfbc],
    ],
  },
  {
    name: 'Hang',
    ranges: [
      [0x1100, 0x11ff],
      [0x3130, 0x318f],
      [0xa960, 0xa97f],
      [0xac00, 0xd7ff],
    ],
    only: 'ko',
    worth: 2.5,
  },
  {
    name: 'Grek',
    ranges: [
      [0x370, 0x3ff],
      [0x1f00, 0x1fff],
    ],
    only: 'el',
  },
  {
    name: 'Armn',
    ranges: [
      [0x531, 0x58a],
      [0xfb13, 0xfb17],
    ],
    only: 'hy',
  },
  {
    name: 'Geor',
    ranges: [
      [0x10a0, 0x10ff],
      [0x1c90, 0x1cbf],
      [0x2d00, 0x2d2f],
    ],
    only: 'ka',
  },
  {
    name: 'Thai',
    ranges: [
      [0xe01, 0xe3a],
      [0xe40, 0xe4e],
    ],
    only: 'th',
  },
  {
    name: 'Laoo',
    ranges: [
      [0xe81, 0xecd],
      [0xedc, 0xedf],
    ],
    only: 'lo',
  },
  {
    name: 'Khmr',
    ranges: [
      [0x1780, 0x17d3],
      [0x17d7, 0x17d7],
      [0x17dc, 0x17dd],
    ],
    only: 'km',
  },
  {
    name: 'Mymr',
    ranges: [
      [0x1000, 0x103f],
      [0x1050, 0x109f],
      [0xa9e0, 0xa9ff],
      [0xaa60, 0xaa7f],
    ],
    only: 'my',
  },
  {
    name: 'Sinh',
    ranges: [
      [0xd81, 0xddf],
      [0xdf2, 0xdf3],
    ],
    only: 'si',
  },
  { name: 'Taml', ranges: [[0xb82, 0xbe5]], only: 'ta' },
  { name: 'Telu', ranges: [[0xc00, 0xc63]], only: 'te' },
  { name: 'Knda', ranges: [[0xc80, 0xce3]], only: 'kn' },
  {
    name: 'Mlym',
    ranges: [
      [0xd00, 0xd63],
      [0xd7a, 0xd7f],
    ],
    only: 'ml',
  },
  {
    name: 'Gujr',
    ranges: [
      [0xa80, 0xae3],
      [0xaf9, 0xaff],
    ],
    only: 'gu',
  },
  {
    name: 'Guru',
    ranges: [
      [0xa01, 0xa5e],
      [0xa70, 0xa75],
    ],
    only: 'pa',
  },
  {
    name: 'Orya',
    ranges: [
      [0xb00, 0xb63],
      [0xb71, 0xb71],
    ],
    only: 'or',
  },
  { name: 'Thaa', ranges: [[0x780, 0x7b1]], only: 'dv' },
  {
    name: 'Cans',
    ranges: [
      [0x1400, 0x167f],
      [0x18b0, 0x18f5],
    ],
    only: 'iu',
    worth: 2,
  },
  {
    name: 'Mong',
    ranges: [
      [0x1807, 0x1807],
      [0x1820, 0x18aa],
    ],
    only: 'mn-Mong',
  },
  {
    name: 'Mtei',
    ranges: [
      [0xaae0, 0xaaf6],
      [0xabc0, 0xabed],
    ],
    only: 'mni',
  },
  { name: 'Tfng', ranges: [[0x2d30, 0x2d7f]], only: 'shi' },
  { name: 'Adlm', ranges: [HIGH_SURROGATE_OF_ADLAM], only: 'ff' },
  { name: 'Piqd', ranges: [[0xf8d0, 0xf8e9]], only: 'tlh-Piqd' },
];

/** Marks of any system (accents, vowel signs, joiners): they continue the word they stand in. */
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

/** Code units as the model reads them: in lower case, wide forms narrowed, marks that carry no sound dropped (0). */
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
