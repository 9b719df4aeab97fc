import { readFileSync } from 'node:fs';
import { brotliDecompressSync, constants, createBrotliDecompress } from 'node:zlib';

/**
 * Words drawn from the letter models of the Lingua project (Apache-2.0), as contained in its npm package.
 *
 * A model has the conditional frequency of each run of one to five letters after its prefix. It does not state how often a run begins or
 * ends a word, but this can be computed: the occurrences of a run without a preceding letter are all occurrences minus those of the longer
 * runs that end in it. So words can be drawn letter by letter, with correct beginnings and ends.
 */

const HEADER = '{"language":"';
const LARGEST_MODEL = 16_000_000;

export type LetterModels = Map<string, Map<string, number>[]>;

/** Finds the compressed models in the package's binary: they are stored consecutively, with few other bytes between them. */
export async function readLinguaModels(binary: string, wanted: ReadonlySet<string>): Promise<LetterModels> {
  const bytes = readFileSync(binary);
  const models: LetterModels = new Map();
  let at = bytes.indexOf('bigrams.json.br') + 'bigrams.json.br'.length;
  while (at < bytes.length) {
    const begin = nextModel(bytes, at);
    if (begin === undefined) break;
    const { text, consumed } = await decompress(bytes.subarray(begin, begin + LARGEST_MODEL));
    at = begin + consumed;
    const parsed = JSON.parse(text) as { language: string; ngrams: Record<string, string> };
    if (!wanted.has(parsed.language)) continue;
    const ofLanguage = models.get(parsed.language) ?? [];
    models.set(parsed.language, ofLanguage);
    const first = Object.values(parsed.ngrams)[0]?.split(' ')[0] ?? '';
    ofLanguage[[...first].length - 1] = shares(parsed.ngrams);
  }
  return models;
}

function nextModel(bytes: Buffer, from: number): number | undefined {
  for (let at = from; at < from + 3000 && at < bytes.length; at += 1) {
    try {
      const head = brotliDecompressSync(bytes.subarray(at, at + 120_000), {
        finishFlush: constants.BROTLI_OPERATION_FLUSH,
      });
      if (head.subarray(0, HEADER.length).toString() === HEADER) return at;
    } catch {
      // Not the beginning of a stream; tries the next byte.
    }
  }
  return undefined;
}

function decompress(bytes: Buffer): Promise<{ text: string; consumed: number }> {
  return new Promise((resolve, reject) => {
    const stream = createBrotliDecompress();
    const parts: Buffer[] = [];
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('end', () => resolve({ text: Buffer.concat(parts).toString('utf8'), consumed: stream.bytesWritten }));
    stream.on('error', reject);
    stream.end(bytes);
  });
}

/** Parses `{"1/14": "abc abd"}` into a map from the run of letters to its frequency. */
function shares(ngrams: Record<string, string>): Map<string, number> {
  const result = new Map<string, number>();
  for (const [fraction, list] of Object.entries(ngrams)) {
    const [numerator = '0', denominator = '1'] = fraction.split('/');
    for (const ngram of list.split(' ')) result.set(ngram, Number(numerator) / Number(denominator));
  }
  return result;
}

interface Choice {
  readonly letters: string[];
  readonly sums: number[];
  total: number;
}

/** Draws words: each call of the returned function gives one, with the frequencies of running text. */
export function wordSampler(model: readonly Map<string, number>[], random: () => number): () => string {
  // Joint frequencies: the conditional frequency times the frequency of the prefix.
  const joint: Map<string, number>[] = [];
  for (const [index, conditional] of model.entries()) {
    const before = joint[index - 1];
    const frequencies = new Map<string, number>();
    for (const [ngram, share] of conditional)
      frequencies.set(ngram, before === undefined ? share : share * (before.get(ngram.slice(0, -1)) ?? 0));
    joint.push(frequencies);
  }
  // Word beginnings: all occurrences minus those with a preceding letter.
  const beginnings = joint.slice(0, -1).map((frequencies, index) => {
    const left = new Map(frequencies);
    for (const [longer, frequency] of joint[index + 1] ?? []) {
      const tail = longer.slice(1);
      left.set(tail, (left.get(tail) ?? 0) - frequency);
    }
    return left;
  });
  const choices = new Map<string, Choice>();
  const offer = (context: string, letter: string, weight: number): void => {
    if (!(weight > 0)) return;
    const choice = choices.get(context) ?? { letters: [], sums: [], total: 0 };
    choices.set(context, choice);
    choice.total += weight;
    choice.letters.push(letter);
    choice.sums.push(choice.total);
  };
  for (const [index, frequencies] of beginnings.entries()) {
    for (const [ngram, frequency] of frequencies) {
      if (frequency < 1e-10) continue;
      offer(`^${ngram.slice(0, -1)}`, ngram.slice(-1), frequency);
      if (index === beginnings.length - 1) continue;
    }
  }
  const longest = model.length - 1;
  for (const [ngram, share] of model[longest] ?? []) offer(ngram.slice(0, -1), ngram.slice(-1), share);
  const beginningOf = (prefix: string): number => beginnings[prefix.length - 1]?.get(prefix) ?? 0;

  const draw = (choice: Choice | undefined, whole: number): string => {
    const at = random() * Math.max(whole, choice?.total ?? 0);
    if (choice === undefined || at >= choice.total) return '';
    let low = 0;
    let high = choice.sums.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((choice.sums[middle] as number) > at) high = middle;
      else low = middle + 1;
    }
    return choice.letters[low] as string;
  };

  return () => {
    let word = draw(choices.get('^'), 0);
    while (word.length < longest) {
      const letter = draw(choices.get(`^${word}`), beginningOf(word));
      if (letter === '') return word;
      word += letter;
    }
    while (word.length < 40) {
      const letter = draw(choices.get(word.slice(-longest)), 1);
      if (letter === '') return word;
      word += letter;
    }
    return word;
  };
}
