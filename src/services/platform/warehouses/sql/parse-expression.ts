import { OperandParser } from './parse-operand.ts';
import { problems } from './problem.ts';
import type { BinaryOp, Expression } from './syntax.ts';
import { simple } from './types.ts';

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
/** Parses expressions, one method per level of precedence, weakest first. */
export abstract class ExpressionParser extends OperandParser {
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
        this.take();
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
      const truth = (['TRUE', 'FALSE'] as const).find((word) => this.word(word));
      if (truth) return isTruth(of, truth === 'TRUE', not);
      if (this.word('DISTINCT')) {
        this.expectWord('FROM');
        const same: Expression = { is: 'binary', op: '<=>', left: of, right: this.#sum() };
        return not ? same : { is: 'not', of: same };
      }
      this.expectWord('NULL');
      return { is: 'isNull', of, not };
    }
    const not = this.isWord('NOT');
    const { text } = not ? this.ahead(1) : this.token;
    const kind = text.toUpperCase();
    if (!['IN', 'LIKE', 'ILIKE', 'RLIKE', 'BETWEEN'].includes(kind)) {
      if (not) throw this.unexpected();
      return undefined;
    }
    if (not) this.word('NOT');
    this.word(kind);
    if (kind === 'IN') {
      if (this.isQuery(1)) return { is: 'inQuery', of, query: this.parenthesised(() => this.query()), not };
      return { is: 'in', of, list: this.rowOfValues(), not };
    }
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
      this.take();
      left = { is: 'binary', op, left, right: this.#product() };
    }
  }

  #product(): Expression {
    let left = this.#unary();
    for (;;) {
      const op = (['*', '/', '%'] as const).find((each) => this.isSign(each));
      if (!op) return left;
      this.take();
      left = { is: 'binary', op, left, right: this.#unary() };
    }
  }

  #unary(): Expression {
    if (this.sign('+')) return this.nested(() => this.#unary());
    if (!this.isSign('-')) return this.casts(this.primary());
    this.take();
    // The smallest integers can only be written as literals that include their sign.
    if (this.token.kind === 'number') return this.casts(this.number('-'));
    return this.nested(() => ({ is: 'negative', of: this.#unary() }));
  }
}

/** `IS [NOT] TRUE`, which is never unknown. */
function isTruth(of: Expression, wanted: boolean, not: boolean): Expression {
  const value: Expression = { is: 'literal', type: simple('BOOLEAN'), value: wanted, shown: String(wanted) };
  const same: Expression = { is: 'binary', op: '<=>', left: of, right: value };
  return not ? { is: 'not', of: same } : same;
}
