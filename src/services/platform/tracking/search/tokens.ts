import { unparsable } from './errors.ts';

/** `at` is the index of the token's first character in the text. */
export type Token =
  | { readonly kind: 'identifier'; readonly text: string; readonly at: number; readonly parts: Identifier }
  | { readonly kind: 'number' | 'string' | 'operator' | 'sign'; readonly text: string; readonly at: number };

/** `metrics."a b"`: the part before the first dot, and the key after it. */
export interface Identifier {
  readonly entity: string | undefined;
  readonly key: string;
  /** True for a word without dot or quotes: a word of the language, or a value without its quotes. */
  readonly isWord: boolean;
}

const BLANKS = /\s+/y;
const NUMBER = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
/**
 * Letters after the digits of a number, as in `12ab`: not a number. A separate pattern, since one for both would backtrack over the digits
 * in quadratic time.
 */
const WORD_BEHIND = /[\p{L}\p{N}_]+/uy;
const WORD = /[\p{L}_][\p{L}\p{N}_]*/uy;
/** An unquoted key after the first dot; it includes further dots. */
const BARE_KEY = /[\p{L}\p{N}_]+(?:\.[\p{L}\p{N}_]+)*/uy;
const OPERATOR = /<=|>=|!=|<>|==|[=<>]/y;

/** Works in one pass, so that the time is linear in the length of the text. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const read = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  for (;;) {
    at += read(BLANKS)?.length ?? 0;
    if (at >= text.length) return tokens;
    const token = nextToken(text, at, read);
    tokens.push(token);
    at += token.text.length;
  }
}

function nextToken(text: string, at: number, read: (pattern: RegExp) => string | undefined): Token {
  const operator = read(OPERATOR);
  if (operator !== undefined) return { kind: 'operator', text: operator, at };
  const number = read(NUMBER);
  if (number !== undefined) {
    WORD_BEHIND.lastIndex = at + number.length;
    const word = WORD_BEHIND.exec(text)?.[0];
    return word === undefined ? { kind: 'number', text: number, at } : { kind: 'sign', text: number + word, at };
  }
  const first = text[at]!;
  if (first === "'") return { kind: 'string', text: quoted(text, at), at };
  const start = first === '`' || first === '"' ? quoted(text, at) : read(WORD);
  if (start === undefined) return { kind: 'sign', text: [...text.slice(at, at + 2)][0] ?? first, at };
  if (text[at + start.length] === '.') {
    const key = keyBehind(text, at + start.length + 1);
    if (key !== undefined) {
      const parts = { entity: unquoted(start), key: unquoted(key), isWord: false };
      return { kind: 'identifier', text: `${start}.${key}`, at, parts };
    }
  }
  if (first === '"') return { kind: 'string', text: start, at };
  return {
    kind: 'identifier',
    text: start,
    at,
    parts: { entity: undefined, key: unquoted(start), isWord: first !== '`' },
  };
}

function keyBehind(text: string, at: number): string | undefined {
  if (text[at] === '`' || text[at] === '"') return quoted(text, at);
  BARE_KEY.lastIndex = at;
  return BARE_KEY.exec(text)?.[0];
}

/** Reads from a quote to the next quote of its kind. There is no escape character; a doubled quote stands for one (`'it''s'`). */
function quoted(text: string, at: number): string {
  const quote = text[at]!;
  let end = text.indexOf(quote, at + 1);
  while (end !== -1 && text[end + 1] === quote) end = text.indexOf(quote, end + 2);
  if (end === -1) throw unparsable(text, at);
  return text.slice(at, end + 1);
}

/** Removes the outer quotes; doubled quotes inside stay doubled. */
export function unquoted(text: string): string {
  const first = text[0];
  return first === '`' || first === '"' || first === "'" ? text.slice(1, -1) : text;
}
