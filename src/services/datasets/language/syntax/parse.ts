import { QueryError } from '../errors.ts';
import type { Evaluation, Expression, MeasureDefinition, OrderKey, Query, Variable } from './ast.ts';
import { ExpressionParser } from './expressions.ts';
import { tokensOf } from './tokens.ts';

/** Parses a whole query: definitions, then evaluations. */
export function parseQuery(text: string): Query {
  const parser = new QueryParser(tokensOf(text));
  return parser.query();
}

/** Parses the expression of a measure. Some tools write a leading equals sign. */
export function parseMeasure(text: string): Expression {
  const parser = new QueryParser(tokensOf(text));
  return parser.measure();
}

/** Definitions that the full language has and this service does not support. */
const OTHER_DEFINITIONS = ['TABLE', 'COLUMN', 'FUNCTION'];

class QueryParser extends ExpressionParser {
  query(): Query {
    const definitions = this.takeWord('DEFINE') ? this.#definitions() : [];
    const evaluations: Evaluation[] = [];
    while (this.isWord('EVALUATE')) evaluations.push(this.#evaluation());
    if (evaluations.length === 0 || this.next.kind !== 'end') this.fail();
    return { definitions, evaluations };
  }

  measure(): Expression {
    this.takeSymbol('=');
    const expression = this.expression();
    if (this.next.kind !== 'end') this.fail();
    return expression;
  }

  #definitions(): (MeasureDefinition | Variable)[] {
    const definitions: (MeasureDefinition | Variable)[] = [];
    for (;;) {
      if (this.isWord('MEASURE')) definitions.push(this.#measureDefinition());
      else if (this.isWord('VAR')) definitions.push(this.variable());
      else if (this.isWord(...OTHER_DEFINITIONS)) {
        const word = this.next.text.toUpperCase();
        throw new QueryError(`DEFINE ${word} is not supported.`, this.next.at);
      } else break;
    }
    if (definitions.length === 0) this.fail();
    return definitions;
  }

  #measureDefinition(): MeasureDefinition {
    this.take();
    const table = this.take();
    if (table.kind !== 'name' && table.kind !== 'quoted') this.fail(table);
    const name = this.take();
    if (name.kind !== 'bracket') this.fail(name);
    this.expectSymbol('=');
    return {
      kind: 'measure definition',
      at: table.at,
      table: table.text,
      name: name.text,
      expression: this.expression(),
    };
  }

  #evaluation(): Evaluation {
    const { at } = this.take();
    const table = this.expression();
    const order = this.isWord('ORDER') ? this.#order() : [];
    const startAt: Expression[] = [];
    if (order.length > 0 && this.takeWord('START')) {
      this.expectWord('AT');
      do startAt.push(this.expression());
      while (this.takeSymbol(','));
      const beyond = startAt[order.length];
      if (beyond) throw new QueryError('START AT has more values than ORDER BY has keys.', beyond.at);
    }
    return { at, table, order, startAt };
  }

  #order(): OrderKey[] {
    this.take();
    this.expectWord('BY');
    const keys: OrderKey[] = [];
    do {
      const key = this.expression();
      const descending = this.takeWord('DESC');
      if (!descending) this.takeWord('ASC');
      keys.push({ key, descending });
    } while (this.takeSymbol(','));
    return keys;
  }
}
