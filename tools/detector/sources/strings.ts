/** Cleans user-interface strings so that they read like text that a person would type. */

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

export const decodeEntities = (text: string): string =>
  text
    .replace(/&#x([0-9a-f]{1,6});/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => ENTITIES[name] ?? ' ');

/** Markup, placeholders of all catalogue formats, addresses, file names and key names. */
const NOISE: readonly RegExp[] = [
  /<[^<>]*>/gu,
  /\{[^{}]*\}/gu,
  /\$\([^)]*\)|\$\[[^\]]*\]|\$\{[^}]*\}|\$\$?\p{L}+|%\w+%|\$\d+/gu,
  /%\d+(?![\d$.])/gu,
  /%(\d+\$)?[-+ #0]*\d*(\.\d+)?l*[sdiufcxXpSDl%n]/gu,
  /\[\[[^\]]*\]\]|#\d+|@\d+/gu,
  /\b(https?|ftp|file|chrome|about|mailto):\S*/giu,
  /\S+@\S+\.\S+|\bwww\.\S+|\S*[/\\]\S*[/\\]\S*|\*?\.[a-z]{2,4}\b/giu,
  /\b(Ctrl|Shift|Alt|Esc|Tab|Enter|Cmd|Command|Option)\s*\+\s*\S+/giu,
  /\(\s*[~&_]\p{L}\s*\)/gu,
  /[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u00ad]/gu,
  /\\[nrt]/gu,
];

/** Product names are removed, because they occur in every language. */
const NAMES =
  /\b(LibreOffice|OpenOffice(\.org)?|StarOffice|StarBasic|Mozilla|Firefox|Thunderbird|Google|Chrome|ChromeOS|Chromium|Microsoft|Windows|macOS|Linux|Android|Writer|Calc|Impress|Base|Draw|Excel|Word|PowerPoint|Java|JavaScript|HTML|URL|PDF|HTTPS?|PRODUCTNAME|PRODUCTVERSION)\b/gu;

export const cleanString = (text: string): string => {
  let clean = decodeEntities(text);
  for (const pattern of NOISE) clean = clean.replace(pattern, ' ');
  return clean
    .replace(/[~&_](?=\p{L})/gu, '')
    .replace(NAMES, ' ')
    .replace(/\(\s*\)|"\s*"|„\s*[“”]|“\s*”|«\s*»|'\s*'/gu, ' ')
    .replace(/\s+(?=[.,;:!?])/gu, '')
    .replace(/\s+/gu, ' ')
    .replace(/^[\s.,;:!?|*+=/-]+/u, '')
    .trim();
};

/** At least one word of three letters, or two characters of a script that writes whole syllables in one character. */
const HAS_A_WORD = /\p{L}[\p{L}\p{M}]{2}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2}/u;
const LOOKS_LIKE_CODE = /[{}<>\\|=]|\w\(\)|\b[a-z]+[A-Z]\w*|\w_\w|::|;.*;.*;/u;
const ALL_CAPITALS = /^[\p{Lu}\p{N}\p{P}\s]+$/u;

export const isProse = (text: string): boolean =>
  HAS_A_WORD.test(text) && !LOOKS_LIKE_CODE.test(text) && !(ALL_CAPITALS.test(text) && text.length < 12);

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? [];

/**
 * True if a string was left in English. Catalogues fill gaps with the English text in one spelling, and the available English may use
 * another, so most words in common are enough.
 */
const repeatsEnglish = (translation: string, english: string): boolean => {
  const words = wordsOf(translation);
  const englishWords = new Set(wordsOf(english));
  return words.filter((word) => englishWords.has(word)).length >= words.length * 0.6;
};

/** Clean translations, without those that repeat the English. */
export const translationsOf = function* (pairs: Iterable<readonly [english: string, translation: string]>) {
  for (const [english, translation] of pairs) {
    for (const line of translation.split('\n')) {
      const clean = cleanString(line);
      if (isProse(clean) && !repeatsEnglish(clean, english)) yield clean;
    }
  }
};
