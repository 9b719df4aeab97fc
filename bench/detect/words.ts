/** A word of fewer letters says little of its language; the Lingua project measures by words of five and more, too. */
const FEWEST_LETTERS = 5;
/** Of scripts that write no spaces, a piece of so many characters stands in for a word. */
const PIECE = 2;

const WORD = /[\p{L}\p{M}\u200c\u200d]+(?:['’ʼ‘][\p{L}\p{M}\u200c\u200d]+)*/gu;
const LETTER = /[\p{L}\p{M}]/gu;

interface ScriptGroup {
  readonly letter: RegExp;
  /** What separates the smallest parts where that is not a space; 'nothing' where there is nothing between them. */
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
/** Every other script has spaces, and no need to be told from its neighbours here. */
const ANY_OTHER: ScriptGroup = { letter: LETTER };

export interface ShortTexts {
  readonly words: readonly string[];
  readonly pairs: readonly string[];
}

/**
 * All words and all pairs of neighbouring words of the sentences of one language, each once, in the order of the sentences. They are in
 * small letters, and only those in the script of the language count: a Latin name within a Thai sentence is no Thai word.
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

/** The script that most letters are in. */
function scriptOf(sentences: readonly string[]): ScriptGroup {
  const all = sentences.join(' ');
  const letters = count(all, LETTER);
  const counts = GROUPS.map((group) => ({ group, letters: count(all, group.letter) }));
  const most = counts.reduce((best, each) => (each.letters > best.letters ? each : best));
  return most.letters > letters / 2 ? most.group : ANY_OTHER;
}

interface Part {
  readonly text: string;
  /** What stands between it and the next. */
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

/** Marks are often of no script of their own. */
const marks = (run: string): number => count(run, /\p{M}/gu);

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** The characters as readers see them: a letter with its marks is one. */
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
