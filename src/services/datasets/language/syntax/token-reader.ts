import { type Position, QueryError } from '../errors.ts';
import type { Token } from './tokens.ts';

/** Limits on the nesting of expressions and on chains of operators of equal precedence; the engines have limits of their own. */
const DEEPEST = 100;
const LONGEST_CHAIN = 250;

/** Reads tokens one by one and reports unexpected ones. */
export class TokenReader {
  readonly #tokens: readonly Token[];
  #index = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get next(): Token {
    return this.peek(0);
  }

  peek(ahead: number): Token {
    return this.#tokens[Math.min(this.#index + ahead, this.#tokens.length - 1)]!;
  }

  take(): Token {
    const token = this.next;
    if (token.kind !== 'end') this.#index += 1;
    return token;
  }

  isSymbol(symbol: string): boolean {
    return this.next.kind === 'symbol' && this.next.text === symbol;
  }

  takeSymbol(symbol: string): boolean {
    return this.isSymbol(symbol) && Boolean(this.take());
  }

  expectSymbol(symbol: string): void {
    if (!this.takeSymbol(symbol)) this.fail();
  }

  isWord(...words: readonly string[]): boolean {
    return this.next.kind === 'name' && words.includes(this.next.text.toUpperCase());
  }

  takeWord(word: string): boolean {
    return this.isWord(word) && Boolean(this.take());
  }

  expectWord(word: string): void {
    if (!this.takeWord(word)) this.fail();
  }

  /** Runs a grammar rule that can recurse. */
  deeper<R>(rule: () => R): R {
    this.#depth += 1;
    if (this.#depth > DEEPEST) this.refuse('The expression is nested too deeply.', this.next.at);
    const result = rule();
    this.#depth -= 1;
    return result;
  }

  bound(length: number): void {
    if (length >= LONGEST_CHAIN) this.refuse('The expression has too many operators in a row.', this.next.at);
  }

  fail(token: Token = this.next): never {
    if (token.kind === 'end') this.refuse('The end of the input was reached.', token.at);
    return this.refuse(`The syntax for '${token.text}' is incorrect.`, token.at);
  }

  refuse(message: string, at: Position): never {
    throw new QueryError(message, at);
  }
}
