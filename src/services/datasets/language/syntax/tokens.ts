import { type Position, QueryError } from '../errors.ts';
import { serialOf } from './date-literal.ts';

export type Token =
  | { readonly kind: 'name' | 'quoted' | 'bracket' | 'string' | 'symbol'; readonly text: string; readonly at: Position }
  | { readonly kind: 'number'; readonly value: bigint | number; readonly text: string; readonly at: Position }
  | { readonly kind: 'date'; readonly serial: number; readonly text: string; readonly at: Position }
  | { readonly kind: 'end'; readonly text: ''; readonly at: Position };

const SPACE = /(?:\s|\uFEFF|\/\/[^\n\r]*|--[^\n\r]*|\/\*[\s\S]*?\*\/)+/y;
const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
/** Function names can contain dots. */
const NAME = /[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*/y;
const STRING = /"((?:[^"]|"")*)"(?!")/y;
const QUOTED = /'((?:[^']|'')*)'(?!')/y;
const BRACKET = /\[((?:[^\]\r\n]|\]\])*)\](?!\])/y;
const SYMBOL = /==|<>|<=|>=|&&|\|\||[-+*/^&=<>(){},]/y;

const GREATEST_INT = 2n ** 63n - 1n;
/** Limits for a query or a measure. Parsing a longer text would block other requests. */
const LONGEST_TEXT = 1_000_000;
const MOST_TOKENS = 250_000;
/** An integer with more digits cannot be an Int64, so they are not examined. */
const MOST_DIGITS = 400;

/** Splits a text into tokens. The last token marks the end. */
export function tokensOf(text: string): Token[] {
  if (text.length > LONGEST_TEXT) throw new QueryError(`The text is longer than ${LONGEST_TEXT} characters.`);
  const tokens: Token[] = [];
  const lines = new Lines(text);
  let from = 0;
  const match = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = from;
    return pattern.exec(text) ?? undefined;
  };
  for (;;) {
    from += match(SPACE)?.[0].length ?? 0;
    const at = lines.positionOf(from);
    if (from >= text.length) {
      tokens.push({ kind: 'end', text: '', at });
      return tokens;
    }
    if (tokens.length === MOST_TOKENS) throw new QueryError('The query is too complex.', at);
    const { token, length } = readToken(match, text, from, at);
    tokens.push(token);
    from += length;
  }
}

type Match = (pattern: RegExp) => RegExpExecArray | undefined;

function readToken(match: Match, text: string, from: number, at: Position): { token: Token; length: number } {
  const number = match(NUMBER);
  if (number)
    return { token: { kind: 'number', value: numberOf(number[0]), text: number[0], at }, length: number[0].length };
  const name = match(NAME);
  if (name) {
    const [word] = name;
    if (word.toLowerCase() === 'dt' && text[from + 2] === '"') return readDate(text, from, at);
    return { token: { kind: 'name', text: word, at }, length: word.length };
  }
  const delimited = [
    [STRING, 'string', '""', '"'],
    [QUOTED, 'quoted', "''", "'"],
    [BRACKET, 'bracket', ']]', ']'],
  ] as const;
  for (const [pattern, kind, doubled, single] of delimited) {
    const found = match(pattern);
    if (found) return { token: { kind, text: found[1]!.replaceAll(doubled, single), at }, length: found[0].length };
  }
  const symbol = match(SYMBOL);
  if (symbol) return { token: { kind: 'symbol', text: symbol[0], at }, length: symbol[0].length };
  const character = String.fromCodePoint(text.codePointAt(from)!);
  const open = { '"': 'a text', "'": 'the name of a table', '[': 'the name of a column', '/': 'a comment' }[character];
  throw new QueryError(
    open ? `Invalid token: ${open} is not closed.` : `The syntax for '${character}' is incorrect.`,
    at,
  );
}

function readDate(text: string, from: number, at: Position): { token: Token; length: number } {
  STRING.lastIndex = from + 2;
  const quoted = STRING.exec(text);
  if (!quoted) throw new QueryError('Invalid token: a date is not closed.', at);
  const serial = serialOf(quoted[1]!);
  if (serial === undefined)
    throw new QueryError(`'${quoted[1]}' is not a date. Write dt"2024-01-05" or dt"2024-01-05T13:04:09".`, at);
  return { token: { kind: 'date', serial, text: `dt${quoted[0]}`, at }, length: 2 + quoted[0].length };
}

/** An integer beyond Int64 becomes a decimal number. */
function numberOf(text: string): bigint | number {
  if (text.length > MOST_DIGITS || !/^\d+$/.test(text)) return Number(text);
  const whole = BigInt(text);
  return whole <= GREATEST_INT ? whole : Number(text);
}

/** Converts offsets to lines and columns. Offsets must be requested in ascending order. */
class Lines {
  readonly #text: string;
  #line = 1;
  #start = 0;
  #searched = 0;

  constructor(text: string) {
    this.#text = text;
  }

  positionOf(offset: number): Position {
    for (; this.#searched < offset; this.#searched++) {
      const character = this.#text[this.#searched];
      const ends = character === '\n' || (character === '\r' && this.#text[this.#searched + 1] !== '\n');
      if (!ends) continue;
      this.#line += 1;
      this.#start = this.#searched + 1;
    }
    return { line: this.#line, column: offset - this.#start + 1 };
  }
}
