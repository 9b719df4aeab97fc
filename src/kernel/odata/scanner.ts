import { LIMITS } from './ast.ts';
import { errorAt, type ODataError, type ODataErrorCode } from './errors.ts';

/** Letters of any script; `$it`, `$count` and `@odata.x` begin with a sign. */
const NAME = /[$@]?[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}]*/uy;

/** Character classes of ASCII. Nearly all names are ASCII, and this table is several times as fast as a pattern. */
const LETTER = 1;
const DIGIT = 2;
const CLASSES = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code);
  if (/[A-Za-z]/.test(character)) CLASSES[code] = LETTER;
  if (/[0-9_]/.test(character)) CLASSES[code] = DIGIT;
}
const NON_ASCII = 128;
const UNDERSCORE = 95;

/** A forward-only position in the text of an option. No method costs more than the length of what it matches. */
export class Scanner {
  readonly source: string;
  readonly option: string;
  at = 0;
  #word: string | undefined;
  #wordAt = -1;
  #depth = 0;
  #nodes = 0;
  #chain = 0;
  #values = 0;

  constructor(option: string, source: string) {
    this.option = option;
    this.source = source;
    if (source.length > LIMITS.length) {
      throw this.error('TooLong', `it has ${source.length} characters; the maximum is ${LIMITS.length}`, 0);
    }
  }

  error(code: ODataErrorCode, problem: string, at = this.at): ODataError {
    return errorAt(code, this.option, this.source, at, problem);
  }

  expected(what: string): ODataError {
    return this.error('Syntax', `expected ${what}`);
  }

  get ended(): boolean {
    return this.at >= this.source.length;
  }

  space(): void {
    for (;;) {
      const code = this.source.charCodeAt(this.at);
      if (code !== 32 && code !== 9 && code !== 10 && code !== 13) return;
      this.at++;
    }
  }

  /** Consumes and returns the text that a sticky pattern matches here. */
  match(pattern: RegExp): string | undefined {
    const found = this.peek(pattern);
    if (found !== undefined) this.at += found.length;
    return found;
  }

  peek(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    return pattern.exec(this.source)?.[0];
  }

  /**
   * Returns the operator at this position in lower case, if there is one. The result is cached, because every precedence level asks for it.
   */
  peekWord(): string | undefined {
    if (this.#wordAt !== this.at) {
      this.#wordAt = this.at;
      this.#word = this.#findWord();
    }
    return this.#word;
  }

  name(what: string): string {
    const found = this.#asciiName() ?? this.match(NAME);
    if (found === undefined) throw this.expected(what);
    return found;
  }

  /** Returns the letters at this position, unless they are part of a longer name, a path, a dotted name or a variable. */
  #findWord(): string | undefined {
    const { source } = this;
    let end = this.at;
    while (CLASSES[source.charCodeAt(end)] === LETTER) end++;
    if (end === this.at) return undefined;
    const next = source.charCodeAt(end);
    if (next >= NON_ASCII || CLASSES[next] === DIGIT) return undefined;
    if (next === 47 || next === 46 || next === 58) return undefined;
    return source.slice(this.at, end).toLowerCase();
  }

  /** Consumes a name of ASCII letters; returns undefined if there is none, or if the name contains other letters. */
  #asciiName(): string | undefined {
    const { source } = this;
    const first = source.charCodeAt(this.at);
    if (CLASSES[first] !== LETTER && first !== UNDERSCORE) return undefined;
    let end = this.at + 1;
    while (CLASSES[source.charCodeAt(end)]) end++;
    if (source.charCodeAt(end) >= NON_ASCII) return undefined;
    const found = source.slice(this.at, end);
    this.at = end;
    return found;
  }

  char(): string {
    return this.source.charAt(this.at);
  }

  /** Consumes this character after optional spaces; returns false if another one comes next. */
  take(character: string): boolean {
    this.space();
    if (this.char() !== character) return false;
    this.at++;
    return true;
  }

  require(character: string, what = `'${character}'`): void {
    if (!this.take(character)) throw this.expected(what);
  }

  requireEnd(): void {
    this.space();
    if (!this.ended) throw this.expected('an operator or the end');
  }

  /** Reads a text in single quotes, where two quotes mean one. */
  string(): string {
    const start = this.at;
    const pieces: string[] = [];
    let from = start + 1;
    for (;;) {
      const quote = this.source.indexOf("'", from);
      if (quote < 0) throw this.error('Syntax', 'the text has no closing quote', start);
      pieces.push(this.source.slice(from, quote));
      if (this.source.charAt(quote + 1) !== "'") {
        this.at = quote + 1;
        return pieces.join("'");
      }
      from = quote + 2;
    }
  }

  /** Counts a part against the limit. */
  count(at = this.at): number {
    if (++this.#nodes > LIMITS.nodes) throw this.error('TooComplex', `more than ${LIMITS.nodes} parts`, at);
    return at;
  }

  /** Counts a list value against its own limit, instead of as a part. */
  countValue(at: number): void {
    this.#nodes--;
    if (++this.#values > LIMITS.values)
      throw this.error('TooComplex', `more than ${LIMITS.values} values in lists`, at);
  }

  countChain(): void {
    if (++this.#chain > LIMITS.chain) throw this.error('TooComplex', `more than ${LIMITS.chain} operators in a row`);
  }

  nested<R>(read: () => R): R {
    if (++this.#depth > LIMITS.depth) throw this.error('TooDeep', `more than ${LIMITS.depth} nested levels`);
    const result = read();
    this.#depth--;
    return result;
  }
}
