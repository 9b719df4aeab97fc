import { tokensOf } from './lexer.ts';
import { ExpressionParser } from './parse-expression.ts';
import { problems } from './problem.ts';
import { sessionStatement } from './session-statements.ts';
import type { Body, Order, Query, SelectItem, Source } from './syntax.ts';

/** They are run one inside the other, and each copies the rows before it. */
const MOST_UNIONS = 500;

/** Statements that need what a jar has not: tables, a catalog, or a session that lasts. */
const OTHERS = new Set(
  'ALTER ANALYZE CACHE CALL COMMENT COPY CREATE DELETE DESCRIBE DESC DROP EXPLAIN GRANT INSERT LIST MERGE MSCK OPTIMIZE REFRESH REPAIR RESET REVOKE SHOW TRUNCATE UPDATE VACUUM'.split(
    ' ',
  ),
);

/** Parses a statement. Throws where it is no query. */
export function parseStatement(source: string): Query {
  const tokens = tokensOf(source);
  if (tokens.every(({ kind, text }) => kind === 'end' || (kind === 'sign' && text === ';'))) throw problems.empty();
  const first = tokens[0]?.text.toUpperCase() ?? '';
  if (tokens[0]?.kind === 'word' && OTHERS.has(first)) throw problems.unsupported(`${first} is not available`);
  const parser = new QueryParser(tokens);
  const query = sessionStatement(parser) ?? parser.query();
  parser.sign(';');
  if (!parser.isAtEnd) throw parser.unexpected();
  return query;
}

class QueryParser extends ExpressionParser {
  query(): Query {
    return this.nested(() => {
      const named = [];
      if (this.word('WITH')) {
        do {
          const name = this.name();
          const columns = this.isSign('(') ? this.names() : [];
          this.expectWord('AS');
          named.push({ name, columns, query: this.parenthesised(() => this.query()) });
        } while (this.sign(','));
      }
      let body = this.body();
      let unions = 0;
      while (this.isWord('UNION')) {
        this.word('UNION');
        const all = this.word('ALL');
        this.word('DISTINCT');
        if (++unions > MOST_UNIONS) throw problems.tooMuch(`it has more than ${MOST_UNIONS} UNIONs in a row`);
        body = { is: 'union', left: plain(body), right: plain(this.body()), all };
      }
      const orders: Order[] = [];
      if (this.word('ORDER')) {
        this.expectWord('BY');
        do orders.push(this.#order());
        while (this.sign(','));
      }
      const limit = this.word('LIMIT') && !this.word('ALL') ? this.expression() : undefined;
      const offset = this.word('OFFSET') ? this.expression() : undefined;
      return { named, body, orders, limit, offset };
    });
  }

  #order(): Order {
    const of = this.expression();
    const descending = this.word('DESC');
    if (!descending) this.word('ASC');
    if (!this.word('NULLS')) return { of, descending, nullsFirst: !descending };
    const nullsFirst = this.word('FIRST');
    if (!nullsFirst) this.expectWord('LAST');
    return { of, descending, nullsFirst };
  }

  body(): Body {
    if (this.isSign('(')) {
      const query = this.parenthesised(() => this.query());
      return { is: 'union', left: query, right: NO_ROWS, all: true };
    }
    if (this.word('VALUES')) return { is: 'values', rows: this.#rows() };
    this.expectWord('SELECT');
    const distinct = this.word('DISTINCT');
    if (!distinct) this.word('ALL');
    const items: SelectItem[] = [];
    do items.push(this.#item());
    while (this.sign(','));
    const from: Source = this.word('FROM') ? this.#sources() : { is: 'nothing' };
    const where = this.word('WHERE') ? this.expression() : undefined;
    const groups = [];
    if (this.word('GROUP')) {
      this.expectWord('BY');
      do groups.push(this.expression());
      while (this.sign(','));
    }
    const having = this.word('HAVING') ? this.expression() : undefined;
    return { is: 'select', distinct, items, from, where, groups, having };
  }

  #rows() {
    const rows = [];
    do rows.push(this.isSign('(') ? this.rowOfValues() : [this.expression()]);
    while (this.sign(','));
    return rows;
  }

  #item(): SelectItem {
    const { at } = this.token;
    if (this.sign('*')) return { is: 'all', of: undefined, at };
    if (this.isStarOf()) {
      const of = this.name();
      this.sign('.');
      this.sign('*');
      return { is: 'all', of, at };
    }
    return { is: 'one', of: this.expression(), alias: this.alias() };
  }

  #sources(): Source {
    let source = this.#source();
    for (;;) {
      if (this.sign(',')) source = { is: 'join', kind: 'cross', left: source, right: this.#source(), on: undefined };
      else if (this.word('CROSS')) {
        this.expectWord('JOIN');
        source = { is: 'join', kind: 'cross', left: source, right: this.#source(), on: undefined };
      } else if (this.isWord('JOIN') || this.isWord('INNER') || this.isWord('LEFT')) {
        const kind = this.word('LEFT') ? 'left' : 'inner';
        this.word('INNER');
        this.word('OUTER');
        this.expectWord('JOIN');
        const right = this.#source();
        const on = this.word('ON') ? this.expression() : undefined;
        source = { is: 'join', kind, left: source, right, on };
      } else return source;
    }
  }

  #source(): Source {
    const { at } = this.token;
    if (this.word('VALUES')) {
      const rows = this.#rows();
      return { is: 'query', query: plain({ is: 'values', rows }), ...this.#aliases() };
    }
    if (this.isSign('(')) {
      const query = this.parenthesised(() => this.query());
      return { is: 'query', query, ...this.#aliases() };
    }
    const parts = this.path();
    if (this.isSign('(')) {
      if (parts.length !== 1 || parts[0]?.toLowerCase() !== 'range')
        throw problems.unsupported(`the table function ${parts.join('.')} is not available`);
      return { is: 'range', args: this.rowOfValues(), alias: this.alias(), at };
    }
    return { is: 'table', parts, alias: this.alias(), at };
  }

  #aliases(): { readonly alias: string | undefined; readonly columns: readonly string[] } {
    const alias = this.alias();
    return { alias, columns: alias !== undefined && this.isSign('(') ? this.names() : [] };
  }
}

const plain = (body: Body): Query => ({ named: [], body, orders: [], limit: undefined, offset: undefined });
/** What a query in parentheses is united with, so that its own order and limit stay its own. */
const NO_ROWS: Query = plain({ is: 'values', rows: [] });
