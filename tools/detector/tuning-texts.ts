import { join } from 'node:path';
import { WordReader } from '../../src/services/translator/detector/reader.ts';
import { WRITING_SYSTEMS } from '../../src/services/translator/detector/scripts.ts';
import { endOf } from './features.ts';
import { commonVoiceLines, type Folders, type Letters, linesOf, splitLines } from './pools.ts';

/** Texts excluded from training: single words, pairs of words and sentences of each language. */
export interface TuningText {
  readonly language: number;
  readonly kind: string;
  readonly words: Uint32Array;
}

const EACH = 200;

export function tuningTexts(
  languages: readonly string[],
  system: string,
  folders: Folders,
  letters: Letters,
): TuningText[] {
  const reader = new WordReader(1 << 16);
  const number = WRITING_SYSTEMS.findIndex((candidate) => candidate.name === system);
  const texts: TuningText[] = [];
  for (const [language, code] of languages.entries()) {
    const lines = commonVoiceLines(folders.commonVoice, code).flatMap((all) => splitLines(all).tuning);
    const seen = new Set<string>();
    let words = 0;
    let pairs = 0;
    let sentences = 0;
    for (const line of lines) {
      reader.read(line);
      const starts = letters.addWords(reader, number);
      if (starts.length === 0) continue;
      if (sentences++ < EACH) texts.push({ language, kind: 'sentence', words: Uint32Array.from(starts) });
      const long = starts.filter((start) => lengthOf(letters, start) >= (system === 'Hani' ? 1 : 5));
      const unseen = long.filter((start) => !seen.has(wordAt(letters, start)));
      if (unseen.length === 0) continue;
      const first = unseen[(line.length * 7) % unseen.length] as number;
      seen.add(wordAt(letters, first));
      if (words++ < EACH) texts.push({ language, kind: 'word', words: Uint32Array.of(first) });
      const at = starts.indexOf(first);
      if (at + 1 < starts.length && pairs++ < EACH)
        texts.push({ language, kind: 'pair', words: Uint32Array.from(starts.slice(at, at + 2)) });
    }
  }
  return texts;
}

/** Words and pairs of words drawn from letter models with another seed: `words/<language>.txt` and `pairs/…` in their folder. */
export function drawnTexts(
  languages: readonly string[],
  system: string,
  folders: Folders,
  letters: Letters,
): TuningText[] {
  const reader = new WordReader(1 << 16);
  const number = WRITING_SYSTEMS.findIndex((candidate) => candidate.name === system);
  const texts: TuningText[] = [];
  for (const kind of ['words', 'pairs']) {
    for (const [language, code] of languages.entries()) {
      for (const line of linesOf(join(folders.drawn, kind, `${code}.txt`))) {
        reader.read(line);
        const starts = letters.addWords(reader, number);
        if (starts.length > 0) texts.push({ language, kind: `drawn ${kind}`, words: Uint32Array.from(starts) });
      }
    }
  }
  return texts;
}

function lengthOf(letters: Letters, start: number): number {
  return endOf(letters.units, start) - start - 1;
}

function wordAt(letters: Letters, start: number): string {
  return String.fromCharCode(...letters.units.subarray(start + 1, start + 1 + lengthOf(letters, start)));
}
