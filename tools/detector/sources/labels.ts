/** The languages that the detector can name, with the script their text is written in. */

const LATIN =
  'af sq az eu bs ca sn hr cs da nl en et fo fj fil fi fr fr-ca gl de ht ha mww hu is ig id ikt iu-Latn ga it rw tlh-Latn kmr lv lt ln dsb lug mg ms mt mi nb nya pl pt pt-pt otq ro run sm sr-Latn st nso tn sk sl so es sw sv ty to tr tk hsb uz vi cy xh yo yua zu eo la nn ts bem ee ff lb nd om ss ve wo';

const OTHER_SCRIPTS: Record<string, string> = {
  Arabic: 'ar prs ks ku ps fa sd ur ug',
  Armenian: 'hy',
  Bengali: 'as bn mni',
  Canadian_Aboriginal: 'iu',
  Cyrillic: 'ba bg kk ky mk mn-Cyrl ru sr-Cyrl tt uk be tg',
  Devanagari: 'bho brx hne doi hi gom mai mr ne',
  Ethiopic: 'am ti',
  Georgian: 'ka',
  Greek: 'el',
  Gujarati: 'gu',
  Gurmukhi: 'pa',
  Han: 'yue lzh zh-Hans zh-Hant',
  Hangul: 'ko',
  Hebrew: 'he yi',
  Kannada: 'kn',
  Khmer: 'km',
  Lao: 'lo',
  Malayalam: 'ml',
  Mongolian: 'mn-Mong',
  Myanmar: 'my',
  Oriya: 'or',
  Sinhala: 'si',
  Tamil: 'ta',
  Telugu: 'te',
  Thaana: 'dv',
  Thai: 'th',
  Tibetan: 'bo dz',
};

const scriptByLabel = new Map<string, string>(LATIN.split(' ').map((label) => [label, 'Latin']));
for (const [script, labels] of Object.entries(OTHER_SCRIPTS)) {
  for (const label of labels.split(' ')) scriptByLabel.set(label, script);
}
// These mix scripts, or use one without a name in Unicode: the last one is in a private range.
scriptByLabel.set('ja', 'Japanese');
scriptByLabel.set('shi', 'Tashelhit');
scriptByLabel.set('tlh-Piqd', 'Klingon');

export const LABELS: readonly string[] = [...scriptByLabel.keys()].sort();

const LETTERS_OF: Record<string, string> = {
  Japanese: '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー',
  Tashelhit: '\\p{Script=Latin}\\p{Script=Tifinagh}',
  Klingon: '\\u{F8D0}-\\u{F8FF}',
};

const lettersOf = (label: string): string => {
  const script = scriptByLabel.get(label);
  if (script === undefined) throw new Error(`No script is known for the label '${label}'.`);
  return LETTERS_OF[script] ?? `\\p{Script=${script}}`;
};

const wordPatterns = new Map<string, RegExp>();

/** True if a single word is written only in the label's own script; marks, hyphens and apostrophes are allowed. */
export const isWordOf = (label: string, word: string): boolean => {
  let pattern = wordPatterns.get(label);
  if (pattern === undefined) {
    pattern = new RegExp(`^['’ʼʻ-]?[${lettersOf(label)}][${lettersOf(label)}\\p{M}'’ʼʻ·་‌‍-]*$`, 'u');
    wordPatterns.set(label, pattern);
  }
  return pattern.test(word);
};

const letterPatterns = new Map<string, RegExp>();

/** True if most letters of a text are in the label's own script: names and terms in another script may occur. */
export const isTextOf = (label: string, text: string): boolean => {
  let pattern = letterPatterns.get(label);
  if (pattern === undefined) {
    pattern = new RegExp(`[${lettersOf(label)}]`, 'gu');
    letterPatterns.set(label, pattern);
  }
  const letters = text.match(/[\p{L}\u{F8D0}-\u{F8FF}]/gu)?.length ?? 0;
  const own = text.match(pattern)?.length ?? 0;
  return own > 0 && own >= letters * 0.7;
};
