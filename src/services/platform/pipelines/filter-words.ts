import { errors } from '../errors.ts';

/** Tokens of a filter: names, quoted texts and operators. */
export type FilterWord = { readonly is: 'name' | 'text' | 'sign'; readonly value: string };

const LONGEST = 4096;
const MOST_WORDS = 400;

const invalid = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });

export const badFilter = (filter: string, why: string) => invalid(`Invalid filter '${filter.slice(0, 200)}': ${why}.`);

const SIGNS = /^(?:>=|<=|[=<>(),])/;

/**
 * Splits a filter such as `level in ('ERROR', 'WARN') AND timestamp > '…'` into tokens. A quote inside a text is doubled or escaped by a
 * backslash.
 */
export function filterWords(filter: string): readonly FilterWord[] {
  if (filter.length > LONGEST) throw invalid(`The filter must be at most ${LONGEST} characters.`);
  const words: FilterWord[] = [];
  for (let at = 0; at < filter.length; ) {
    const sign = filter[at] as string;
    if (/\s/.test(sign)) {
      at++;
      continue;
    }
    const read = sign === "'" || sign === '"' ? quoted(filter, at) : plain(filter, at);
    words.push(read.word);
    at = read.next;
    if (words.length > MOST_WORDS) throw badFilter(filter, 'it has too many tokens');
  }
  return words;
}

interface Read {
  readonly word: FilterWord;
  readonly next: number;
}

function quoted(filter: string, start: number): Read {
  const quote = filter[start];
  let value = '';
  for (let at = start + 1; at < filter.length; at++) {
    const sign = filter[at] as string;
    const next = filter[at + 1];
    if (sign === quote && next === quote) value += filter[++at];
    else if (sign === '\\' && next === quote) value += filter[++at];
    else if (sign === quote) return { word: { is: 'text', value }, next: at + 1 };
    else value += sign;
  }
  throw badFilter(filter, 'a quoted text is not closed');
}

function plain(filter: string, start: number): Read {
  const rest = filter.slice(start, start + 100);
  const sign = SIGNS.exec(rest)?.[0];
  if (sign !== undefined) return { word: { is: 'sign', value: sign }, next: start + sign.length };
  const name = /^\w+/.exec(rest)?.[0];
  if (name === undefined) throw badFilter(filter, `'${rest.slice(0, 1)}' is not expected there`);
  return { word: { is: 'name', value: name }, next: start + name.length };
}
