import type { BinaryOperator, Call, Expression, Variable } from './ast.ts';
import { TokenReader } from './token-reader.ts';

/** From lowest to highest precedence; operators of one level are left-associative. */
const LEVELS: readonly (readonly BinaryOperator[])[] = [
  ['||'],
  ['&&'],
  ['=', '==', '<>', '<', '>', '<=', '>='],
  ['&'],
  ['+', '-'],
  ['*', '/'],
];
const COMPARISON_LEVEL = 2;
/** Keywords; as names they must be quoted. */
const RESERVED = new Set(['DEFINE', 'EVALUATE', 'MEASURE', 'VAR', 'RETURN', 'IN', 'NOT']);

export class ExpressionParser extends TokenReader {
  expression(): Expression {
    return this.deeper(() => (this.isWord('VAR') ? this.#let() : this.#level(0)));
  }

  variable(): Variable {
    const { at } = this.take();
    const name = this.take();
    if (name.kind !== 'name' || RESERVED.has(name.text.toUpperCase()) || name.text.includes('.')) this.fail(name);
    this.expectSymbol('=');
    return { kind: 'variable', at, name: name.text, value: this.expression() };
  }

  #let(): Expression {
    const { at } = this.next;
    const variables: Variable[] = [];
    while (this.isWord('VAR')) variables.push(this.variable());
    this.expectWord('RETURN');
    return { kind: 'let', at, variables, body: this.expression() };
  }

  #level(level: number): Expression {
    const operators = LEVELS[level];
    if (!operators) return this.#sign();
    let left = level === COMPARISON_LEVEL ? this.#negation() : this.#level(level + 1);
    for (let height = 0; ; height++) {
      const { at } = this.next;
      if (level === COMPARISON_LEVEL && this.isWord('IN')) {
        this.bound(height);
        this.take();
        left = { kind: 'in', at, values: [left], table: this.#level(level + 1) };
        continue;
      }
      const operator = operators.find((each) => this.isSymbol(each));
      if (operator === undefined) return left;
      this.bound(height);
      this.take();
      const right = level === COMPARISON_LEVEL ? this.#negation() : this.#level(level + 1);
      left = { kind: 'binary', at, operator, left, right };
    }
  }

  /** `NOT` binds looser than a comparison: `NOT 1 IN {2}` is NOT (1 IN {2}). */
  #negation(): Expression {
    const { at } = this.next;
    if (!this.takeWord('NOT')) return this.#level(COMPARISON_LEVEL + 1);
    const operand = this.deeper(() => this.#level(COMPARISON_LEVEL));
    return { kind: 'unary', at, operator: 'NOT', operand };
  }

  #sign(): Expression {
    const { at } = this.next;
    for (const operator of ['-', '+'] as const) {
      if (!this.takeSymbol(operator)) continue;
      return { kind: 'unary', at, operator, operand: this.deeper(() => this.#sign()) };
    }
    return this.#power();
  }

  /** Binds tighter than a sign in front of the base and looser than a sign in front of the exponent: `-2^-1` is -(2^(-1)). */
  #power(): Expression {
    let left = this.#primary();
    for (let height = 0; this.isSymbol('^'); height++) {
      this.bound(height);
      const { at } = this.take();
      left = { kind: 'binary', at, operator: '^', left, right: this.#signedPrimary() };
    }
    return left;
  }

  #signedPrimary(): Expression {
    const { at } = this.next;
    for (const operator of ['-', '+'] as const) {
      if (!this.takeSymbol(operator)) continue;
      return { kind: 'unary', at, operator, operand: this.deeper(() => this.#signedPrimary()) };
    }
    return this.#primary();
  }

  #primary(): Expression {
    const token = this.take();
    const { at } = token;
    switch (token.kind) {
      case 'number':
        return { kind: 'literal', at, value: token.value };
      case 'date':
        return { kind: 'literal', at, value: { serial: token.serial } };
      case 'string':
        return { kind: 'literal', at, value: token.text };
      case 'bracket':
        return { kind: 'column', at, table: undefined, name: token.text };
      case 'quoted':
        return this.#named(token.text, true, at);
      case 'name': {
        if (RESERVED.has(token.text.toUpperCase())) this.fail(token);
        if (this.isSymbol('(')) return this.#call(token.text.toUpperCase(), at);
        return this.#named(token.text, false, at);
      }
      case 'symbol':
        if (token.text === '(') return this.#parenthesis(at);
        if (token.text === '{') return this.#table(at);
    }
    return this.fail(token);
  }

  #named(name: string, quoted: boolean, at: Expression['at']): Expression {
    const { next } = this;
    if (next.kind === 'bracket') {
      this.take();
      return { kind: 'column', at, table: name, name: next.text };
    }
    const upper = name.toUpperCase();
    if (!quoted && (upper === 'TRUE' || upper === 'FALSE')) return { kind: 'literal', at, value: upper === 'TRUE' };
    return { kind: 'name', at, name, quoted };
  }

  #call(name: string, at: Expression['at']): Expression {
    this.take();
    const args: (Expression | undefined)[] = [];
    if (!this.takeSymbol(')')) {
      for (;;) {
        const empty = this.isSymbol(',');
        args.push(empty ? undefined : this.expression());
        if (this.takeSymbol(')')) break;
        this.expectSymbol(',');
      }
    }
    if ((name === 'TRUE' || name === 'FALSE') && args.length === 0)
      return { kind: 'literal', at, value: name === 'TRUE' };
    return { kind: 'call', at, name, args } satisfies Call;
  }

  #parenthesis(at: Expression['at']): Expression {
    const values = [this.expression()];
    while (this.takeSymbol(',')) values.push(this.expression());
    this.expectSymbol(')');
    if (values.length === 1) return values[0]!;
    // A row of values is allowed only on the left of IN.
    this.expectWord('IN');
    return { kind: 'in', at, values, table: this.#level(COMPARISON_LEVEL + 1) };
  }

  #table(at: Expression['at']): Expression {
    const rows: Expression[][] = [];
    do rows.push(this.#constructorRow());
    while (this.takeSymbol(','));
    this.expectSymbol('}');
    if (rows.some((row) => row.length !== rows[0]!.length)) {
      this.refuse('The rows of a table constructor must have the same number of values.', at);
    }
    return { kind: 'table', at, rows };
  }

  #constructorRow(): Expression[] {
    if (!this.#isRowAhead()) return [this.expression()];
    this.take();
    const values = [this.expression()];
    while (this.takeSymbol(',')) values.push(this.expression());
    this.expectSymbol(')');
    return values;
  }

  /**
   * `(a, b)` is a row; `(a) + 1` is a parenthesised value, and `(a, b) IN t` is also a value. Decided by the token after the closing
   * parenthesis.
   */
  #isRowAhead(): boolean {
    if (!this.isSymbol('(')) return false;
    let depth = 0;
    let commas = 0;
    for (let ahead = 0; ; ahead++) {
      const { kind, text } = this.peek(ahead);
      if (kind === 'end') return false;
      if (kind !== 'symbol') continue;
      if (text === '(' || text === '{') depth += 1;
      else if (text === ')' || text === '}') depth -= 1;
      else if (text === ',' && depth === 1) commas += 1;
      if (depth > 0) continue;
      const { text: behind } = this.peek(ahead + 1);
      return commas > 0 && (behind === ',' || behind === '}');
    }
  }
}
