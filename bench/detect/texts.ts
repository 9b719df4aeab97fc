import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { labelsOfFile } from './labels.ts';
import { shuffled } from './random.ts';
import { shortTextsOf } from './words.ts';

export const KINDS = ['words', 'pairs', 'sentences'] as const;
export type Kind = (typeof KINDS)[number];

/** The texts of one language. */
export interface LanguageTexts {
  /** The name of the file: one of our labels, or a wider code. */
  readonly name: string;
  /** The correct answers. */
  readonly labels: readonly string[];
  readonly texts: Readonly<Record<Kind, readonly string[]>>;
}

export interface TextChoice {
  /** Use only a tenth of the texts. */
  readonly quick: boolean;
}

const SEED = 7;
/** This many short texts of a language count about as much as its 200 sentences, and make an accuracy precise to two points. */
const MOST_SHORT_TEXTS = 500;
const QUICK_SHARE = 10;

/**
 * Reads a folder of sentences that were never used in training: `<label>.txt`, one sentence per line. Words and pairs are drawn from them.
 */
export function readHeldOut(folder: string, { quick }: TextChoice): LanguageTexts[] {
  return languageFiles([folder]).map((name) => {
    const sentences = linesOf(join(folder, `${name}.txt`));
    const { words, pairs } = shortTextsOf(sentences);
    const some = (texts: readonly string[]) => take(shuffled(texts, SEED).slice(0, MOST_SHORT_TEXTS), quick);
    return {
      name,
      labels: labelsOfFile(name),
      texts: { words: some(words), pairs: some(pairs), sentences: take(shuffled(sentences, SEED), quick) },
    };
  });
}

/**
 * Reads other texts: a folder with `words`, `pairs` and `sentences` (or some of them), each with `<label>.txt`, one text per line. A folder
 * without any of the three is read as sentences, like the one in the repository.
 */
export function readTexts(folder: string, { quick }: TextChoice): LanguageTexts[] {
  const folders = KINDS.map((kind) => join(folder, kind)).filter((each) => existsSync(each));
  if (folders.length === 0) return readHeldOut(folder, { quick });
  return languageFiles(folders).map((name) => ({
    name,
    labels: labelsOfFile(name),
    texts: Object.fromEntries(
      KINDS.map((kind) => {
        const file = join(folder, kind, `${name}.txt`);
        return [kind, existsSync(file) ? take(shuffled(linesOf(file), SEED), quick) : []];
      }),
    ) as unknown as LanguageTexts['texts'],
  }));
}

/** A mix of sentences of all languages, for measuring speed. If there are no sentences, the longest available texts. */
export function mixOf(languages: readonly LanguageTexts[], most: number): string[] {
  for (const kind of KINDS.toReversed()) {
    const texts = languages.flatMap((each) => each.texts[kind]);
    if (texts.length > 0) return shuffled(texts, SEED).slice(0, most);
  }
  return [];
}

function languageFiles(folders: readonly string[]): string[] {
  const names = new Set(
    folders
      .flatMap((folder) => readdirSync(folder).filter((file) => file.endsWith('.txt')))
      .map((file) => basename(file, '.txt')),
  );
  const unknown = [...names].filter((name) => labelsOfFile(name).length === 0);
  if (unknown.length > 0) {
    throw new Error(`no label and no code that stands for any: ${unknown.join(', ')} (in ${folders.join(', ')})`);
  }
  return [...names].sort();
}

function linesOf(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

const take = (texts: readonly string[], quick: boolean): readonly string[] =>
  quick ? texts.slice(0, Math.ceil(texts.length / QUICK_SHARE)) : texts;
