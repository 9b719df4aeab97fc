import type { Token } from './lexer.ts';
import { problems, type SqlProblem } from './problem.ts';

const DEEPEST = 100;

/** Keywords that end the preceding clause, so they cannot be an alias or a column. */
export const RESERVED = new Set(
  'ALL AND ANTI AS ASC BETWEEN BY CASE CROSS DESC DISTINCT ELSE END EXCEPT FROM FULL GROUP HAVING ILIKE IN INNER INTERSECT IS JOIN LATERAL LEFT LIKE LIMIT MINUS NATURAL NOT NULLS OFFSET ON OR ORDER OUTER RIGHT SELECT SEMI THEN UNION USING VALUES WHEN WHERE WINDOW WITH'.split(
    ' ',
  ),
);

/** Reads the tokens of a statement: looks ahead, checks the expected grammar, and limits the depth of nesting. */
export class TokenReader {
  readonly #tokens: readonly Token[];
  #position = 0;
  #depth = 0;

  readonly #source: string;

  /** `source`: the original text of the tokens. */
  constructor(tokens: readonly Token[], source: string) {
    this.#tokens = tokens;
    this.#source = source;
  }

  /** The result of `read`, with the original text that it consumed. */
  written<T>(read: () => T): { readonly of: T; readonly text: string } {
    const { start } = this.token;
    const of = read();
    return { of, text: this.#source.slice(start, this.#tokens[this.#position - 1]?.end ?? start) };
  }

  get token(): Token {
    return this.#tokens[this.#position] as Token;
  }

  get isAtEnd(): boolean {
    return this.token.kind === 'end';
  }

  /** Consumes the next token, whatever it is. */
  take(): Token {
    const { token } = this;
    this.#position++;
    return token;
  }

  ahead(by: number): Token {
    return (this.#tokens[this.#position + by] ?? this.#tokens.at(-1)) as Token;
  }

  unexpected(): SqlProblem {
    const { kind, text, at } = this.token;
    return problems.syntax(kind === 'end' ? 'end of input' : `'${text.slice(0, 100)}'`, at);
  }

  isSign(sign: string): boolean {
    return this.token.kind === 'sign' && this.token.text === sign;
  }

  /** Consumes the sign if it is next. */
  sign(sign: string): boolean {
    const is = this.isSign(sign);
    if (is) this.#position++;
    return is;
  }

  isWord(word: string): boolean {
    return this.token.kind === 'word' && this.token.text.toUpperCase() === word;
  }

  word(word: string): boolean {
    const is = this.isWord(word);
    if (is) this.#position++;
    return is;
  }

  /** Consumes these words if all of them are next. */
  words(text: string): boolean {
    const words = text.split(' ');
    const is = words.every((word, by) => {
      const { kind, text: found } = this.ahead(by);
      return kind === 'word' && found.toUpperCase() === word;
    });
    if (is) this.#position += words.length;
    return is;
  }

  /** A text in quotes. */
  text(): string {
    if (this.token.kind !== 'text') throw this.unexpected();
    return this.take().text;
  }

  expectWord(word: string): void {
    if (!this.word(word)) throw this.unexpected();
  }

  expectSign(sign: string): void {
    if (!this.sign(sign)) throw this.unexpected();
  }

  nested<T>(read: () => T): T {
    if (this.#depth >= DEEPEST) throw problems.tooMuch(`it is nested more than ${DEEPEST} levels deep`);
    this.#depth++;
    const done = read();
    this.#depth--;
    return done;
  }

  parenthesised<T>(read: () => T): T {
    this.expectSign('(');
    const inside = read();
    this.expectSign(')');
    return inside;
  }

  isName({ kind, text } = this.token): boolean {
    return kind === 'name' || (kind === 'word' && !RESERVED.has(text.toUpperCase()));
  }

  name(): string {
    if (!this.isName()) throw this.unexpected();
    return this.take().text;
  }

  names(): readonly string[] {
    return this.parenthesised(() => this.list(() => this.name()));
  }

  path(): readonly string[] {
    const parts = [this.name()];
    while (this.sign('.')) parts.push(this.name());
    return parts;
  }

  alias(): string | undefined {
    if (this.word('AS')) return this.name();
    return this.isName() ? this.name() : undefined;
  }

  list<T>(read: () => T): T[] {
    const found = [read()];
    while (this.sign(',')) found.push(read());
    return found;
  }
}
