/** Scripts by their ISO 15924 codes, with the names of the real service. */
export const SCRIPT_NAMES = {
  Arab: 'Arabic',
  Beng: 'Bengali',
  Cyrl: 'Cyrillic',
  Deva: 'Devanagari',
  Grek: 'Greek',
  Gujr: 'Gujarati',
  Guru: 'Gurmukhi',
  Hans: 'Chinese Simplified',
  Hant: 'Chinese Traditional',
  Hebr: 'Hebrew',
  Jpan: 'Japanese',
  Knda: 'Kannada',
  Kore: 'Korean',
  Latn: 'Latin',
  Mlym: 'Malayalam',
  Orya: 'Oriya',
  Sinh: 'Sinhala',
  Taml: 'Tamil',
  Telu: 'Telugu',
  Thai: 'Thai',
} as const satisfies Readonly<Record<string, string>>;

export type Script = keyof typeof SCRIPT_NAMES;

export const RIGHT_TO_LEFT_SCRIPTS: ReadonlySet<Script> = new Set(['Arab', 'Hebr']);

export interface Transliteration {
  readonly code: string;
  /** For each source script, in this order, the target scripts. */
  readonly scripts: readonly (readonly [from: Script, to: readonly Script[]])[];
}

const bothWays = (script: Script): Transliteration['scripts'] => [
  [script, ['Latn']],
  ['Latn', [script]],
];

/** Languages with transliteration to Latin letters and back. */
const WITH_LATIN: Readonly<Record<string, Script>> = {
  ar: 'Arab',
  as: 'Beng',
  be: 'Cyrl',
  bg: 'Cyrl',
  bn: 'Beng',
  el: 'Grek',
  fa: 'Arab',
  gu: 'Gujr',
  he: 'Hebr',
  hi: 'Deva',
  ja: 'Jpan',
  kk: 'Cyrl',
  kn: 'Knda',
  ko: 'Kore',
  ky: 'Cyrl',
  mk: 'Cyrl',
  ml: 'Mlym',
  mn: 'Cyrl',
  mr: 'Deva',
  or: 'Orya',
  pa: 'Guru',
  ru: 'Cyrl',
  sd: 'Arab',
  si: 'Sinh',
  ta: 'Taml',
  te: 'Telu',
  tg: 'Cyrl',
  tt: 'Cyrl',
  uk: 'Cyrl',
  ur: 'Arab',
};

const OTHERS: readonly Transliteration[] = [
  { code: 'sr-Cyrl', scripts: [['Cyrl', ['Latn']]] },
  { code: 'sr-Latn', scripts: [['Latn', ['Cyrl']]] },
  { code: 'th', scripts: [['Thai', ['Latn']]] },
  {
    code: 'zh-Hans',
    scripts: [
      ['Hans', ['Latn', 'Hant']],
      ['Latn', ['Hans']],
      ['Hant', ['Hans']],
    ],
  },
  {
    code: 'zh-Hant',
    scripts: [
      ['Hant', ['Latn', 'Hans']],
      ['Latn', ['Hant']],
      ['Hans', ['Hant']],
    ],
  },
];

/** Transliterations of the real service, in the order of the codes. */
export const TRANSLITERATIONS: readonly Transliteration[] = [
  ...Object.entries(WITH_LATIN).map(([code, script]) => ({ code, scripts: bothWays(script) })),
  ...OTHERS,
].sort((a, b) => (a.code < b.code ? -1 : 1));
