import { bytesOfHex } from './functions-binary.ts';
import { intervalOf, intervalType, unitOf } from './intervals.ts';
import { literalOf } from './literals.ts';
import { arrayType, mapType, structType } from './nested-types.ts';
import { problems } from './problem.ts';
import type { Expression, Query, When } from './syntax.ts';
import { RESERVED, TokenReader } from './token-reader.ts';
import { type SqlType, simple, typeNamed } from './types.ts';

/** Functions that are called without parentheses. */
const BARE = new Set([
  'CURRENT_DATE',
  'CURRENT_TIMESTAMP',
  'CURRENT_USER',
  'CURRENT_CATALOG',
  'CURRENT_SCHEMA',
  'USER',
]);

const NOT_CAST_TO = new Set(['ARRAY', 'MAP', 'STRUCT', 'INTERVAL', 'VARIANT']);

/** Parses the operands of expressions: literals, parameters, columns, calls, cases and casts. */
export abstract class OperandParser extends TokenReader {
  #nameless = 0;

  abstract expression(): Expression;
  abstract query(): Query;

  /** Returns true if a query starts after the next `by` tokens. */
  isQuery(by = 0): boolean {
    const { kind, text } = this.ahead(by);
    return kind === 'word' && ['SELECT', 'WITH', 'VALUES', 'TABLE'].includes(text.toUpperCase());
  }

  rowOfValues(): readonly Expression[] {
    return this.parenthesised(() => (this.isSign(')') ? [] : this.list(() => this.expression())));
  }

  casts(of: Expression): Expression {
    let cast = of;
    while (this.sign('::')) cast = { is: 'cast', of: cast, type: this.#castType(), isTry: false };
    return cast;
  }

  number(sign: string): Expression {
    return literalOf(sign + this.take().text);
  }

  primary(): Expression {
    const { kind, text, at } = this.token;
    if (kind === 'number') return this.number('');
    if (kind === 'text') {
      this.take();
      return { is: 'literal', type: simple('STRING'), value: text, shown: text };
    }
    if (kind === 'parameter') {
      this.take();
      return { is: 'parameter', name: text === '?' ? this.#nameless++ : text.slice(1), at };
    }
    if (this.isSign('(')) {
      if (this.isQuery(1)) return { is: 'subquery', query: this.parenthesised(() => this.query()), at };
      return this.parenthesised(() => this.expression());
    }
    return kind === 'word' ? this.#wordy(text.toUpperCase()) : this.#column();
  }

  #wordy(word: string): Expression {
    if (word === 'NULL') return this.#constant('NULL', null, 'NULL');
    if (word === 'TRUE' || word === 'FALSE') return this.#constant('BOOLEAN', word === 'TRUE', word.toLowerCase());
    if (word === 'CASE') return this.#case();
    if (word === 'EXISTS' && this.ahead(1).text === '(' && this.isQuery(2)) {
      this.take();
      return { is: 'exists', query: this.parenthesised(() => this.query()) };
    }
    if (word === 'CAST' || word === 'TRY_CAST') return this.#cast(word === 'TRY_CAST');
    if ((word === 'DATE' || word === 'TIMESTAMP' || word === 'TIMESTAMP_NTZ') && this.ahead(1).kind === 'text') {
      this.take();
      const { text } = this.take();
      const of: Expression = { is: 'literal', type: simple('STRING'), value: text, shown: text };
      return { is: 'cast', of, type: simple(word), isTry: false };
    }
    if (word === 'X' && this.ahead(1).kind === 'text') return this.#bytes();
    if (
      word === 'INTERVAL' &&
      (this.ahead(1).kind === 'text' || this.ahead(1).kind === 'number' || this.ahead(1).text === '-')
    )
      return this.#interval();
    const isCall = this.ahead(1).kind === 'sign' && this.ahead(1).text === '(';
    if ((isCall && !RESERVED.has(word)) || (isCall && (word === 'LEFT' || word === 'RIGHT'))) return this.#call();
    if (BARE.has(word)) {
      const { at } = this.take();
      return { is: 'call', name: word.toLowerCase(), args: [], star: false, distinct: false, at };
    }
    return this.#column();
  }

  /** `X'1F'` */
  #bytes(): Expression {
    this.take();
    const { text, at } = this.take();
    const value = bytesOfHex(text);
    if (value === undefined) throw problems.syntax(`X'${text.slice(0, 100)}'`, at);
    return { is: 'literal', type: simple('BINARY'), value, shown: `X'${text.toUpperCase()}'` };
  }

  /** `INTERVAL '1' DAY`, `INTERVAL 2 WEEKS`, `INTERVAL '1-2' YEAR TO MONTH` */
  #interval(): Expression {
    this.take();
    const minus = this.sign('-') ? '-' : '';
    const { kind, text, at } = this.take();
    const [first, times] = unitOf(this.token.text) ?? [];
    if ((kind !== 'text' && kind !== 'number') || first === undefined || times === undefined) throw this.unexpected();
    this.take();
    const last = this.word('TO') ? unitOf(this.take().text)?.[0] : first;
    const type = last === undefined ? undefined : intervalType(first, last);
    const value = type && intervalOf(minus + text, type);
    if (!type || value === undefined) throw problems.syntax(`'${text.slice(0, 100)}'`, at);
    const scaled = times < 1 ? value / BigInt(1 / times) : value * BigInt(times);
    return { is: 'literal', type, value: scaled, shown: `INTERVAL '${minus}${text}' ${type.units}` };
  }

  #constant(kind: 'NULL' | 'BOOLEAN', value: boolean | null, shown: string): Expression {
    this.take();
    return { is: 'literal', type: simple(kind), value, shown };
  }

  #column(): Expression {
    const { at } = this.token;
    return { is: 'column', parts: this.path(), at };
  }

  #call(): Expression {
    const { text, at } = this.take();
    const name = text.toLowerCase();
    if (this.ahead(1).text === '*' && this.ahead(1).kind === 'sign' && this.isSign('(')) {
      this.expectSign('(');
      this.expectSign('*');
      this.expectSign(')');
      return { is: 'call', name, args: [], star: true, distinct: false, at };
    }
    return this.parenthesised(() => {
      const distinct = this.word('DISTINCT');
      const args = this.isSign(')') ? [] : this.list(() => this.expression());
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
    this.take();
    return this.parenthesised(() => {
      const of = this.expression();
      this.expectWord('AS');
      return { is: 'cast', of, type: this.#castType(), isTry };
    });
  }

  #castType(): SqlType {
    const word = this.token.text.toUpperCase();
    if (NOT_CAST_TO.has(word)) throw problems.unsupported(`a cast to ${word}`);
    return this.type();
  }

  /** `INT`, `DECIMAL(10, 2)`, `ARRAY<STRUCT<a: INT, b: STRING>>`. */
  type(): SqlType {
    return this.nested(() => {
      const { at, text } = this.token;
      // Without a blank after the colon, the type of a field looks like a parameter: `STRUCT<a:INT>`.
      const name = this.token.kind === 'parameter' ? this.take().text.slice(1) : this.name();
      const nested = this.isSign('<') ? this.#nestedType(name.toUpperCase()) : undefined;
      if (nested) return nested;
      const numbers = this.isSign('(') ? this.parenthesised(() => this.list(() => this.#whole())) : [];
      const type = typeNamed(name, numbers);
      if (!type) throw problems.syntax(`'${text}'`, at);
      return type;
    });
  }

  #nestedType(word: string): SqlType | undefined {
    if (word !== 'ARRAY' && word !== 'MAP' && word !== 'STRUCT') return undefined;
    this.expectSign('<');
    const closed = <T>(made: T): T => {
      this.expectSign('>');
      return made;
    };
    if (word === 'ARRAY') return closed(arrayType(this.type()));
    if (word === 'STRUCT') return closed(structType(this.list(() => this.#field())));
    const key = this.type();
    this.expectSign(',');
    return closed(mapType(key, this.type()));
  }

  #field(): readonly [name: string, type: SqlType] {
    const name = this.name();
    this.sign(':');
    return [name, this.type()];
  }

  #whole(): number {
    const { kind, text } = this.token;
    if (kind !== 'number' || !/^\d{1,5}$/.test(text)) throw this.unexpected();
    this.take();
    return Number(text);
  }
}
