/**
 * Writing systems of characters. The detector has one model for each system that several languages share; a system with a single language
 * needs none, because its letters determine the language.
 */

/** Letters that are weighed together. Japanese mixes Han and kana, so both form one system here. */
export interface WritingSystem {
  readonly name: string;
  /** First and last code unit of each block, inclusive. */
  readonly ranges: readonly (readonly [number, number])[];
  /** The only language of this system, if it has just one. */
  readonly only?: string;
  /** Weight of one character in letters of an alphabet, for texts that mix systems. */
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
