import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FIRST_IDEOGRAPH, hashWord } from '../../src/services/translator/detector/ngrams.ts';
import { EDGE, WordReader } from '../../src/services/translator/detector/reader.ts';
import { WRITING_SYSTEMS } from '../../src/services/translator/detector/scripts.ts';
import { bosnianSpelling } from './bosnian.ts';
import { endOf } from './features.ts';
import { COMMON_VOICE_FILES, LINGUA_MODELS, serbianInLatin } from './languages.ts';

/** The words of one source: running text, from which pieces are cut, or single words with their frequencies. */
export interface Source {
  readonly name: string;
  /** How often examples are drawn from this source, relative to the other sources of the language. */
  readonly weight: number;
  /** Start of each word in the shared `units`: its leading edge. */
  readonly starts: Uint32Array;
  /** For running text: the index of the first word of each line, then the total number of words. */
  readonly lines?: Uint32Array;
  /** For single words: cumulative sums of their weights. */
  readonly sums?: Float64Array;
}

export interface Pool {
  readonly language: string;
  readonly sources: Source[];
  readonly words: number;
}

export interface Folders {
  /** Sentences of Common Voice, one file per language. */
  readonly commonVoice: string;
  /** Output of `sources/` and `sample-lingua.ts`: one folder per language. */
  readonly text: string;
  /** Words drawn for tuning by `sample-lingua.ts`. */
  readonly drawn: string;
}

/** The words of all pools, stored consecutively, each between edges. */
export class Letters {
  units = new Uint16Array(1 << 24);
  length = 1;

  constructor() {
    this.units[0] = EDGE;
  }

  /** Copies the words of a writing system from the reader, and returns their starts. */
  addWords(reader: WordReader, system: number): number[] {
    const starts: number[] = [];
    for (let word = 0; word < reader.words; word += 1) {
      if (reader.systems[word] !== system) continue;
      starts.push(this.add(reader.units, (reader.starts[word] as number) + 1, reader.starts[word + 1] as number));
    }
    return starts;
  }

  /** Copies a word with the edge after it, and returns its start. */
  add(from: Uint16Array, first: number, end: number): number {
    if (this.length + end - first + 2 > this.units.length) {
      const larger = new Uint16Array(this.units.length * 2);
      larger.set(this.units);
      this.units = larger;
    }
    const start = this.length - 1;
    this.units.set(from.subarray(first, end), this.length);
    this.length += end - first;
    this.units[this.length] = EDGE;
    this.length += 1;
    return start;
  }
}

const reader = new WordReader(1 << 20);

/**
 * The lines of a Common Voice file that are excluded from training: the last ones for the final measurement, the ones before them for
 * tuning.
 */
export function splitLines(lines: readonly string[]): { training: string[]; tuning: string[]; heldOut: string[] } {
  const each = Math.min(200, Math.floor(lines.length / 10));
  const heldOut = lines.slice(lines.length - each);
  const tuning = lines.slice(lines.length - 2 * each, lines.length - each);
  return { training: lines.slice(0, lines.length - 2 * each), tuning, heldOut };
}

export function commonVoiceLines(folder: string, language: string): string[][] {
  const files = COMMON_VOICE_FILES[language] ?? [language];
  return files
    .map((name) => join(folder, `${name}.txt`))
    .filter(existsSync)
    .map((path) => {
      const lines = linesOf(path);
      return language === 'sr-Latn' ? lines.map(serbianInLatin) : lines;
    });
}

export function linesOf(path: string): string[] {
  return existsSync(path)
    ? readFileSync(path, 'utf8')
        .normalize('NFC')
        .split('\n')
        .filter((line) => line.trim() !== '')
    : [];
}

/** Weight of each source: sources that resemble what people write have the highest, interface texts the lowest. */
const TEXT_WEIGHTS: Readonly<Record<string, number>> = {
  'chinese-poetry': 1,
  'cld2-samples': 0.5,
  chromium: 0.2,
  cldr: 0.05,
  contrast: 6,
  derived: 0.5,
  everyday: 3.5,
  libreoffice: 0.25,
  'libreoffice-source': 0.25,
  mozilla: 0.2,
  udhr: 0.6,
  written: 1.5,
};
const OTHER_TEXT_WEIGHT = 0.1;

/** All lines excluded from training, of every language, so that a line that also occurs in another file is not trained on. */
export function keptAway(folders: Folders, languages: readonly string[]): Set<string> {
  const lines = languages.flatMap((language) => commonVoiceLines(folders.commonVoice, language).map(splitLines));
  return new Set(lines.flatMap(({ tuning, heldOut }) => [...tuning, ...heldOut]));
}

/**
 * Sources whose text is in another language than labelled: these declarations of rights are written Mandarin, the Croatian text, and the
 * Persian text except for a few words.
 */
const MISLABELLED = new Set(['yue/udhr', 'bs/udhr', 'prs/udhr']);

export function readPool(
  language: string,
  system: string,
  folders: Folders,
  letters: Letters,
  away: ReadonlySet<string>,
  amongRelatives = false,
): Pool {
  const number = WRITING_SYSTEMS.findIndex((candidate) => candidate.name === system);
  const spoken = commonVoiceLines(folders.commonVoice, language).flatMap((lines) => splitLines(lines).training);
  const sources = [textSource('common-voice', spoken, 3 * Math.min(1, spoken.length / 800), number, letters)];
  const unmarked = UNMARKED_WEIGHTS[language];
  if (unmarked !== undefined) sources.push(textSource('unmarked', spoken.map(withoutMarks), unmarked, number, letters));
  if (language === 'bs') {
    const lines = respelledSerbian(folders, amongRelatives);
    sources.push(textSource('respelled', lines, amongRelatives ? 1 : 2, number, letters));
  }
  let drawn: readonly string[] = [];
  for (const { name, lines } of gatheredTexts(language, folders.text)) {
    const text = lines.filter((line) => !away.has(line));
    const weight = (TEXT_WEIGHTS[name] ?? OTHER_TEXT_WEIGHT) * Math.min(1, text.length / 400);
    if (name === 'lingua-words') drawn = text;
    else if (name === 'tesseract-words')
      sources.push(
        wordSource(
          name,
          text.map((word) => [word, 1]),
          1,
          number,
          letters,
        ),
      );
    else sources.push(textSource(name, text, weight, number, letters));
  }
  if (drawn.length > 0) sources.push(drawnSource(drawn, lexiconOf(sources, letters), number, letters));
  const large = sources.filter((source) => source.starts.length > (source.lines === undefined ? 500 : 20));
  return { language, sources: large, words: large.reduce((sum, source) => sum + source.starts.length, 0) };
}

/** Languages that are often typed without their diacritics, and the weight of such text. */
const UNMARKED_WEIGHTS: Readonly<Record<string, number>> = { ha: 0.4, ig: 0.7, ro: 0.2, vi: 0.2, yo: 1.5 };

/** The hooked letters of Hausa have no composed form: without the hook they are different letters. */
const HOOKED: Readonly<Record<string, string>> = { ɓ: 'b', ɗ: 'd', ƙ: 'k', ƴ: 'y', đ: 'd' };

function withoutMarks(line: string): string {
  return line
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[ɓɗƙƴđ]/g, (letter) => HOOKED[letter] ?? letter);
}

/**
 * There is hardly any open Bosnian prose. The substitute: Serbian sentences of the training set in Bosnian spelling. When Bosnian is
 * compared with unrelated languages, sentences that both spell alike are good Bosnian; among relatives they would only teach that Serbian
 * is Bosnian.
 */
function respelledSerbian({ commonVoice, text }: Folders, amongRelatives: boolean): string[] {
  const drawnOf = (language: string) => linesOf(join(text, language, 'lingua-words.tsv'));
  const respell = bosnianSpelling(drawnOf('bs'), drawnOf('sr-Cyrl').map(serbianInLatin));
  return commonVoiceLines(commonVoice, 'sr-Latn').flatMap((lines) =>
    splitLines(lines).training.flatMap((line) => {
      const spelling = respell(line);
      return amongRelatives && spelling === line.toLowerCase() ? [] : [spelling];
    }),
  );
}

/** The gathered text of a language, by source. */
function* gatheredTexts(language: string, folder: string): Iterable<{ name: string; lines: string[] }> {
  for (const own of language === 'sr-Latn' ? ['sr-Latn', 'sr-Cyrl'] : [language]) {
    const spell = (text: string): string => (language === 'sr-Latn' && own === 'sr-Cyrl' ? serbianInLatin(text) : text);
    for (const file of existsSync(join(folder, own)) ? readdirSync(join(folder, own)).sort() : []) {
      const name = file.replace(/\.\w+$/, '');
      if (!MISLABELLED.has(`${language}/${name}`)) yield { name, lines: linesOf(join(folder, own, file)).map(spell) };
    }
  }
}

/** Hashes of the words that are known to exist. */
function lexiconOf(sources: readonly Source[], { units }: Letters): Set<number> {
  const lexicon = new Set<number>();
  for (const { starts } of sources) {
    for (const start of starts) {
      lexicon.add(hashWord(units, start + 1, endOf(units, start)));
    }
  }
  return lexicon;
}

/** With fewer known words, a missing word says nothing. */
const LEAST_LEXICON = 50_000;

/**
 * Words drawn letter by letter, with their counts. Many of them exist, others are only possible: words that occur in other sources get more
 * weight. Frequent words get less weight than their frequency, because a word list is not a text.
 */
function drawnSource(lines: readonly string[], lexicon: ReadonlySet<number>, system: number, letters: Letters): Source {
  const words = lines.map((line): [string, number] => {
    const [word = '', times = '1'] = line.split('\t');
    const units = Uint16Array.from(word, (sign) => sign.charCodeAt(0));
    const exists = lexicon.size < LEAST_LEXICON || lexicon.has(hashWord(units, 0, units.length));
    return [word, Number(times) ** 0.75 * (exists ? 1 : 0.3)];
  });
  return wordSource('lingua-words', words, 4, system, letters);
}

function textSource(name: string, lines: readonly string[], weight: number, system: number, letters: Letters): Source {
  const starts: number[] = [];
  const firsts: number[] = [];
  for (const line of lines) {
    reader.read(line);
    const before = starts.length;
    starts.push(...letters.addWords(reader, system));
    if (starts.length > before) firsts.push(before);
  }
  firsts.push(starts.length);
  return { name, weight, starts: Uint32Array.from(starts), lines: Uint32Array.from(firsts) };
}

function wordSource(
  name: string,
  words: readonly (readonly [string, number])[],
  weight: number,
  system: number,
  letters: Letters,
): Source {
  const starts: number[] = [];
  const sums: number[] = [];
  let sum = 0;
  for (const [word, times] of words) {
    reader.read(word);
    if (reader.words !== 1 || reader.systems[0] !== system) continue;
    starts.push(letters.add(reader.units, (reader.starts[0] as number) + 1, reader.starts[1] as number));
    sum += times;
    sums.push(sum);
  }
  return { name, weight, starts: Uint32Array.from(starts), sums: Float64Array.from(sums) };
}

/**
 * Probability that a single short word is rejected and drawn again: half the words of a text are short, and little is learnt from them
 * alone.
 */
const SHORT_WORDS_PASSED_OVER = 0.6;

/** Draws examples of a language: writes the starts of their words to `into` and returns their number. */
export function exampleDrawer(
  pool: Pool,
  letters: Letters,
  random: () => number,
): (length: number, into: Uint32Array) => number {
  const weights = pool.sources.map((source) => source.weight);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const pick = (): Source => {
    let at = random() * total;
    for (const source of pool.sources) {
      at -= source.weight;
      if (at < 0) return source;
    }
    return pool.sources[0] as Source;
  };
  const { units } = letters;
  const isShort = (start: number): boolean =>
    (units[start + 1] as number) < FIRST_IDEOGRAPH &&
    (units[start + 2] === EDGE || units[start + 3] === EDGE || units[start + 4] === EDGE);
  const draw = (length: number, into: Uint32Array): number => {
    const source = pick();
    if (source.lines !== undefined) {
      const line = Math.floor(random() * (source.lines.length - 1));
      const first = source.lines[line] as number;
      const count = (source.lines[line + 1] as number) - first;
      const taken = Math.min(length, count, into.length);
      const offset = first + Math.floor(random() * (count - taken + 1));
      for (let index = 0; index < taken; index += 1) into[index] = source.starts[offset + index] as number;
      return taken;
    }
    const sums = source.sums as Float64Array;
    const last = sums[sums.length - 1] as number;
    const taken = Math.min(length, into.length);
    for (let index = 0; index < taken; index += 1) {
      const at = random() * last;
      let low = 0;
      let high = sums.length - 1;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((sums[middle] as number) > at) high = middle;
        else low = middle + 1;
      }
      into[index] = source.starts[low] as number;
    }
    return taken;
  };
  return (length, into) => {
    const count = draw(length, into);
    return length === 1 && isShort(into[0] as number) && random() < SHORT_WORDS_PASSED_OVER
      ? draw(length, into)
      : count;
  };
}

/** True for common languages; a single word is more likely in one of them. */
export function isCommon(language: string): boolean {
  return language in LINGUA_MODELS || language === 'zh-Hant';
}
