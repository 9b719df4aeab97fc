/** A word with fewer letters says little about its language; the Lingua project also measures words of at least five letters. */
const FEWEST_LETTERS = 5;
/** In scripts without spaces, a piece of this many characters is used as a word. */
const PIECE = 2;

const WORD = /[\p{L}\p{M}\u200c\u200d]+(?:['’ʼ‘][\p{L}\p{M}\u200c\u200d]+)*/gu;
const LETTER = /[\p{L}\p{M}]/gu;

interface ScriptGroup {
  readonly letter: RegExp;
  /** The separator of the smallest parts, if it is not a space; 'nothing' if there is no separator. */
  readonly between?: 'nothing' | 'tsheg';
}

const GROUPS: readonly ScriptGroup[] = [
  { letter: /\p{Script=Latin}/gu },
  { letter: /\p{Script=Cyrillic}/gu },
  { letter: /\p{Script=Arabic}/gu },
  { letter: /\p{Script=Devanagari}/gu },
  { letter: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]/gu, between: 'nothing' },
  { letter: /\p{Script=Thai}/gu, between: 'nothing' },
  { letter: /\p{Script=Lao}/gu, between: 'nothing' },
  { letter: /\p{Script=Khmer}/gu, between: 'nothing' },
  { letter: /\p{Script=Myanmar}/gu, between: 'nothing' },
  { letter: /\p{Script=Tibetan}/gu, between: 'tsheg' },
];
/** All other scripts have spaces and need not be distinguished here. */
const ANY_OTHER: ScriptGroup = { letter: LETTER };

export interface ShortTexts {
  readonly words: readonly string[];
  readonly pairs: readonly string[];
}

/**
 * All words and all pairs of neighbouring words in the sentences of one language, each once, in the order of the sentences. They are
 * lower-case, and only words in the script of the language are used: a Latin name in a Thai sentence is not a Thai word.
 */
export function shortTextsOf(sentences: readonly string[]): ShortTexts {
  const group = scriptOf(sentences);
  const words = new Set<string>();
  const pairs = new Set<string>();
  for (const sentence of sentences) {
    const found = partsOf(sentence.toLowerCase(), group);
    for (const { text } of found) words.add(text);
    for (let at = 0; at + 1 < found.length; at += 2) {
      const [first, second] = [found[at]!, found[at + 1]!];
      pairs.add(`${first.text}${first.glue}${second.text}`);
    }
  }
  return { words: [...words], pairs: [...pairs] };
}

/** The script of most letters. */
function scriptOf(sentences: readonly string[]): ScriptGroup {
  const all = sentences.join(' ');
  const letters = count(all, LETTER);
  const counts = GROUPS.map((group) => ({ group, letters: count(all, group.letter) }));
  const most = counts.reduce((best, each) => (each.letters > best.letters ? each : best));
  return most.letters > letters / 2 ? most.group : ANY_OTHER;
}

interface Part {
  readonly text: string;
  /** The text between this part and the next. */
  readonly glue: string;
}

function partsOf(sentence: string, { letter, between }: ScriptGroup): Part[] {
  const runs = sentence.match(WORD) ?? [];
  if (between === 'tsheg') return piecesOf(runs, '་');
  if (between === 'nothing') return runs.flatMap((run) => piecesOf(charactersOf(run, letter), ''));
  return runs
    .filter((run) => count(run, letter) >= FEWEST_LETTERS && count(run, LETTER) - count(run, letter) <= marks(run))
    .map((text) => ({ text, glue: ' ' }));
}

/** Marks often belong to no script. */
const marks = (run: string): number => count(run, /\p{M}/gu);

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Grapheme clusters: a letter with its marks is one character. */
function charactersOf(run: string, letter: RegExp): string[] {
  return Array.from(segmenter.segment(run), ({ segment }) => segment).filter((each) => count(each, letter) > 0);
}

function piecesOf(smallest: readonly string[], glue: string): Part[] {
  const pieces: Part[] = [];
  for (let at = 0; at + PIECE <= smallest.length; at += PIECE) {
    pieces.push({ text: smallest.slice(at, at + PIECE).join(glue), glue });
  }
  return pieces;
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
