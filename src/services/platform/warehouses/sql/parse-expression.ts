import type { Token } from './lexer.ts';
import { literalOf } from './literals.ts';
import { problems, type SqlProblem } from './problem.ts';
import type { BinaryOp, Expression, When } from './syntax.ts';
import { type SqlType, simple, typeNamed } from './types.ts';

const DEEPEST = 100;

/** Words that end what comes before them, and so are no alias and no column. */
const RESERVED = new Set(
  'ALL AND ANTI AS ASC BETWEEN BY CASE CROSS DESC DISTINCT ELSE END EXCEPT FROM FULL GROUP HAVING ILIKE IN INNER INTERSECT IS JOIN LATERAL LEFT LIKE LIMIT NATURAL NOT NULLS OFFSET ON OR ORDER OUTER RIGHT SELECT SEMI THEN UNION USING VALUES WHEN WHERE WINDOW WITH'.split(
    ' ',
  ),
);

const COMPARISONS: Readonly<Record<string, BinaryOp>> = {
  '=': '=',
  '==': '=',
  '<>': '<>',
  '!=': '<>',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  '<=>': '<=>',
};

/** Functions that are called without parentheses. */
const BARE = new Set([
  'CURRENT_DATE',
  'CURRENT_TIMESTAMP',
  'CURRENT_USER',
  'CURRENT_CATALOG',
  'CURRENT_SCHEMA',
  'USER',
]);

/** Reads expressions, each level of precedence by a method of its own, the weakest first. */
export class ExpressionParser {
  readonly #tokens: readonly Token[];
  #position = 0;
  #depth = 0;
  #nameless = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get token(): Token {
    return this.#tokens[this.#position] as Token;
  }

  get isAtEnd(): boolean {
    return this.token.kind === 'end';
  }

  #ahead(by: number): Token {
    return (this.#tokens[this.#position + by] ?? this.#tokens.at(-1)) as Token;
  }

  unexpected(): SqlProblem {
    const { kind, text, at } = this.token;
    return problems.syntax(kind === 'end' ? 'end of input' : `'${text.slice(0, 100)}'`, at);
  }

  isSign(sign: string): boolean {
    return this.token.kind === 'sign' && this.token.text === sign;
  }

  /** Takes the sign if it is next. */
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

  #isName({ kind, text } = this.token): boolean {
    return kind === 'name' || (kind === 'word' && !RESERVED.has(text.toUpperCase()));
  }

  name(): string {
    if (!this.#isName()) throw this.unexpected();
    const { text } = this.token;
    this.#position++;
    return text;
  }

  names(): readonly string[] {
    return this.parenthesised(() => this.#list(() => this.name()));
  }

  path(): readonly string[] {
    const parts = [this.name()];
    while (this.sign('.')) parts.push(this.name());
    return parts;
  }

  alias(): string | undefined {
    if (this.word('AS')) return this.name();
    return this.#isName() ? this.name() : undefined;
  }

  isStarOf(): boolean {
    const [dot, star] = [this.#ahead(1), this.#ahead(2)];
    return this.#isName() && dot.text === '.' && dot.kind === 'sign' && star.text === '*' && star.kind === 'sign';
  }

  rowOfValues(): readonly Expression[] {
    return this.parenthesised(() => (this.isSign(')') ? [] : this.#list(() => this.expression())));
  }

  #list<T>(read: () => T): T[] {
    const found = [read()];
    while (this.sign(',')) found.push(read());
    return found;
  }

  expression(): Expression {
    return this.nested(() => {
      let left = this.#and();
      while (this.word('OR')) left = { is: 'binary', op: 'or', left, right: this.#and() };
      return left;
    });
  }

  #and(): Expression {
    let left = this.#not();
    while (this.word('AND')) left = { is: 'binary', op: 'and', left, right: this.#not() };
    return left;
  }

  #not(): Expression {
    return this.word('NOT') ? this.nested(() => ({ is: 'not', of: this.#not() })) : this.#comparison();
  }

  #comparison(): Expression {
    let left = this.#sum();
    for (;;) {
      const op = this.token.kind === 'sign' ? COMPARISONS[this.token.text] : undefined;
      if (op) {
        this.#position++;
        left = { is: 'binary', op, left, right: this.#sum() };
        continue;
      }
      const predicate = this.#predicate(left);
      if (!predicate) return left;
      left = predicate;
    }
  }

  #predicate(of: Expression): Expression | undefined {
    if (this.word('IS')) {
      const not = this.word('NOT');
      this.expectWord('NULL');
      return { is: 'isNull', of, not };
    }
    const not = this.isWord('NOT');
    const { text } = not ? this.#ahead(1) : this.token;
    const kind = text.toUpperCase();
    if (!['IN', 'LIKE', 'ILIKE', 'RLIKE', 'BETWEEN'].includes(kind)) {
      if (not) throw this.unexpected();
      return undefined;
    }
    if (not) this.word('NOT');
    this.word(kind);
    if (kind === 'IN') return { is: 'in', of, list: this.rowOfValues(), not };
    if (kind === 'RLIKE') throw problems.unsupported('RLIKE is not available');
    if (kind !== 'BETWEEN') return { is: 'like', of, pattern: this.#sum(), not, ignoreCase: kind === 'ILIKE' };
    const low = this.#sum();
    this.expectWord('AND');
    const high = this.#sum();
    const within: Expression = { is: 'between', of, low, high };
    return not ? { is: 'not', of: within } : within;
  }

  #sum(): Expression {
    let left = this.#product();
    for (;;) {
      const op = (['+', '-', '||'] as const).find((each) => this.isSign(each));
      if (!op) return left;
      this.#position++;
      left = { is: 'binary', op, left, right: this.#product() };
    }
  }

  #product(): Expression {
    let left = this.#unary();
    for (;;) {
      const op = (['*', '/', '%'] as const).find((each) => this.isSign(each));
      if (!op) return left;
      this.#position++;
      left = { is: 'binary', op, left, right: this.#unary() };
    }
  }

  #unary(): Expression {
    if (this.sign('+')) return this.nested(() => this.#unary());
    if (!this.isSign('-')) return this.#casts(this.#primary());
    this.#position++;
    // The smallest integers are literals with their sign.
    if (this.token.kind === 'number') return this.#casts(this.#number('-'));
    return this.nested(() => ({ is: 'negative', of: this.#unary() }));
  }

  #casts(of: Expression): Expression {
    let cast = of;
    while (this.sign('::')) cast = { is: 'cast', of: cast, type: this.#type(), isTry: false };
    return cast;
  }

  #number(sign: string): Expression {
    const { text } = this.token;
    this.#position++;
    return literalOf(sign + text);
  }

  #primary(): Expression {
    const { kind, text, at } = this.token;
    if (kind === 'number') return this.#number('');
    if (kind === 'text') {
      this.#position++;
      return { is: 'literal', type: simple('STRING'), value: text, shown: text };
    }
    if (kind === 'parameter') {
      this.#position++;
      return { is: 'parameter', name: text === '?' ? this.#nameless++ : text.slice(1), at };
    }
    if (this.isSign('(')) {
      if (this.#ahead(1).text.toUpperCase() === 'SELECT') throw problems.unsupported('subqueries in expressions');
      return this.parenthesised(() => this.expression());
    }
    return kind === 'word' ? this.#wordy(text.toUpperCase()) : this.#column();
  }

  #wordy(word: string): Expression {
    if (word === 'NULL') return this.#constant('NULL', null, 'NULL');
    if (word === 'TRUE' || word === 'FALSE') return this.#constant('BOOLEAN', word === 'TRUE', word.toLowerCase());
    if (word === 'CASE') return this.#case();
    if (word === 'CAST' || word === 'TRY_CAST') return this.#cast(word === 'TRY_CAST');
    if ((word === 'DATE' || word === 'TIMESTAMP' || word === 'TIMESTAMP_NTZ') && this.#ahead(1).kind === 'text') {
      this.#position++;
      const { text } = this.token;
      this.#position++;
      const of: Expression = { is: 'literal', type: simple('STRING'), value: text, shown: text };
      return { is: 'cast', of, type: simple(word), isTry: false };
    }
    if (word === 'INTERVAL') throw problems.unsupported('intervals');
    const isCall = this.#ahead(1).kind === 'sign' && this.#ahead(1).text === '(';
    if ((isCall && !RESERVED.has(word)) || (isCall && (word === 'LEFT' || word === 'RIGHT'))) return this.#call();
    if (BARE.has(word)) {
      const { at } = this.token;
      this.#position++;
      return { is: 'call', name: word.toLowerCase(), args: [], star: false, distinct: false, at };
    }
    return this.#column();
  }

  #constant(kind: 'NULL' | 'BOOLEAN', value: boolean | null, shown: string): Expression {
    this.#position++;
    return { is: 'literal', type: simple(kind), value, shown };
  }

  #column(): Expression {
    const { at } = this.token;
    return { is: 'column', parts: this.path(), at };
  }

  #call(): Expression {
    const { text, at } = this.token;
    this.#position++;
    const name = text.toLowerCase();
    if (this.#ahead(1).text === '*' && this.#ahead(1).kind === 'sign' && this.isSign('(')) {
      this.expectSign('(');
      this.expectSign('*');
      this.expectSign(')');
      return { is: 'call', name, args: [], star: true, distinct: false, at };
    }
    return this.parenthesised(() => {
      const distinct = this.word('DISTINCT');
      const args = this.isSign(')') ? [] : this.#list(() => this.expression());
      return { is: 'call', name, args, star: false, distinct, at };
    });
  }

  #case(): Expression {
    this.expectWord('CASE');
    const of = this.isWord('WHEN') ? undefined : this.expression();
    const whens: When[] = [];
    while (this.word('WHEN')) {
      const condition = this.expression();
      this.expectWord('THEN');
      whens.push({ condition, value: this.expression() });
    }
    if (whens.length === 0) throw this.unexpected();
    const otherwise = this.word('ELSE') ? this.expression() : undefined;
    this.expectWord('END');
    return { is: 'case', of, whens, otherwise };
  }

  #cast(isTry: boolean): Expression {
    this.#position++;
    return this.parenthesised(() => {
      const of = this.expression();
      this.expectWord('AS');
      return { is: 'cast', of, type: this.#type(), isTry };
    });
  }

  #type(): SqlType {
    const { at, text } = this.token;
    const name = this.name();
    const numbers = this.isSign('(') ? this.parenthesised(() => this.#list(() => this.#whole())) : [];
    const type = typeNamed(name, numbers);
    if (!type) throw problems.syntax(`'${text}'`, at);
    return type;
  }

  #whole(): number {
    const { kind, text } = this.token;
    if (kind !== 'number' || !/^\d{1,5}$/.test(text)) throw this.unexpected();
    this.#position++;
    return Number(text);
  }
}
