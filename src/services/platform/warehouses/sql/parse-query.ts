import { ExpressionParser } from './parse-expression.ts';
import { problems } from './problem.ts';
import {
  type AsOf,
  type Body,
  type JoinKind,
  type Order,
  plainQuery,
  type Query,
  type SelectItem,
  type Source,
  type TableName,
} from './syntax.ts';

/** Limited, because they run nested in each other and each copies the rows before it. */
const MOST_SETS = 500;

const SET_OPERATIONS = { UNION: 'union', EXCEPT: 'except', MINUS: 'except', INTERSECT: 'intersect' } as const;

/** Reads queries. */
export class QueryParser extends ExpressionParser {
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
      const body = this.#sets(['UNION', 'EXCEPT', 'MINUS'], () => this.#sets(['INTERSECT'], () => this.#body()));
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

  /** Consecutive operations of the same precedence. */
  #sets(words: readonly (keyof typeof SET_OPERATIONS)[], operand: () => Body): Body {
    let body = operand();
    for (let count = 1; ; count++) {
      const word = words.find((each) => this.word(each));
      if (!word) return body;
      if (count > MOST_SETS) throw problems.tooMuch(`it has more than ${MOST_SETS} UNIONs in a row`);
      const all = this.word('ALL');
      this.word('DISTINCT');
      body = { is: 'set', op: SET_OPERATIONS[word], left: plainQuery(body), right: plainQuery(operand()), all };
    }
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

  #body(): Body {
    if (this.isSign('(')) return { is: 'nested', query: this.parenthesised(() => this.query()) };
    if (this.word('VALUES')) return { is: 'values', rows: this.rowsOfValues() };
    if (this.isWord('TABLE')) {
      const { at } = this.take();
      return select([{ is: 'all', of: [], at }], this.tableName());
    }
    this.expectWord('SELECT');
    const distinct = this.word('DISTINCT');
    if (!distinct) this.word('ALL');
    const items: SelectItem[] = [];
    do items.push(this.#item());
    while (this.sign(','));
    const from: Source = this.word('FROM') ? this.sources() : { is: 'nothing' };
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

  rowsOfValues() {
    const rows = [];
    do rows.push(this.isSign('(') ? this.rowOfValues() : [this.expression()]);
    while (this.sign(','));
    return rows;
  }

  #item(): SelectItem {
    const { at } = this.token;
    if (this.sign('*')) return { is: 'all', of: [], at };
    const of = this.#starOf();
    return of ? { is: 'all', of, at } : { is: 'one', of: this.expression(), alias: this.alias() };
  }

  /** Parses `t.*` or `schema.t.*` if it comes next. */
  #starOf(): readonly string[] | undefined {
    let by = 0;
    while (this.isName(this.ahead(by)) && this.ahead(by + 1).kind === 'sign' && this.ahead(by + 1).text === '.') {
      const { kind, text } = this.ahead(by + 2);
      if (kind === 'sign' && text === '*') {
        const parts = Array.from({ length: by / 2 + 1 }, () => {
          const name = this.name();
          this.sign('.');
          return name;
        });
        this.sign('*');
        return parts;
      }
      by += 2;
    }
    return undefined;
  }

  sources(): Source {
    let source = this.source();
    for (;;) {
      const { at } = this.token;
      if (this.sign(',')) source = { ...cross(source, this.source()), at };
      else {
        const natural = this.word('NATURAL');
        const kind = this.#joinKind(natural);
        if (!kind) return source;
        const right = this.source();
        const using = natural ? 'natural' : this.word('USING') ? this.names() : undefined;
        const on = using === undefined && this.word('ON') ? this.expression() : undefined;
        source = { is: 'join', kind, left: source, right, on, using, at };
      }
    }
  }

  #joinKind(isNeeded: boolean): JoinKind | undefined {
    const side = (['CROSS', 'INNER', 'LEFT', 'RIGHT', 'FULL', 'SEMI', 'ANTI'] as const).find((word) => this.word(word));
    const kind = side === 'LEFT' ? (['SEMI', 'ANTI'] as const).find((word) => this.word(word)) : undefined;
    if (side === 'LEFT' || side === 'RIGHT' || side === 'FULL') this.word('OUTER');
    if (side || isNeeded) this.expectWord('JOIN');
    else if (!this.word('JOIN')) return undefined;
    return KINDS[kind ?? side ?? 'INNER'];
  }

  source(): Source {
    return this.nested(() => this.#source());
  }

  #source(): Source {
    const { at } = this.token;
    if (this.word('VALUES')) {
      const rows = this.rowsOfValues();
      return { is: 'query', query: plainQuery({ is: 'values', rows }), ...this.#aliases() };
    }
    if (this.isSign('(')) {
      if (!this.isQuery(1) && !(this.ahead(1).kind === 'sign' && this.ahead(1).text === '('))
        return this.parenthesised(() => this.sources());
      const query = this.parenthesised(() => this.query());
      return { is: 'query', query, ...this.#aliases() };
    }
    if (this.isName() && this.ahead(1).kind === 'sign' && this.ahead(1).text === '(') {
      const name = this.name();
      if (name.toLowerCase() !== 'range') throw problems.unsupported(`the table function ${name} is not available`);
      return { is: 'range', args: this.rowOfValues(), alias: this.alias(), at };
    }
    const table = this.tableName();
    return { ...table, ...this.#aliases() };
  }

  /** The name of a table, with the requested version. */
  tableName(): TableName {
    const { at } = this.token;
    const parts = this.path();
    const asOf = this.#asOf();
    return { is: 'table', parts, alias: undefined, columns: [], ...(asOf && { asOf }), at };
  }

  /** Parses `VERSION AS OF 3`, `FOR TIMESTAMP AS OF '2026-01-01'`. */
  #asOf(): AsOf | undefined {
    const by = this.isWord('FOR') ? 1 : 0;
    const word = this.ahead(by).text.toUpperCase();
    const isSystem = word === 'SYSTEM_VERSION' || word === 'SYSTEM_TIME';
    if (word !== 'VERSION' && word !== 'TIMESTAMP' && !isSystem) return undefined;
    if (this.ahead(by + 1).text.toUpperCase() !== 'AS' || this.ahead(by + 2).text.toUpperCase() !== 'OF')
      return undefined;
    for (let index = 0; index < by + 3; index++) this.take();
    return { by: word.endsWith('VERSION') ? 'version' : 'timestamp', of: this.expression() };
  }

  #aliases(): { readonly alias: string | undefined; readonly columns: readonly string[] } {
    const alias = this.alias();
    return { alias, columns: alias !== undefined && this.isSign('(') ? this.names() : [] };
  }
}

const KINDS: Readonly<Record<string, JoinKind>> = {
  CROSS: 'cross',
  INNER: 'inner',
  LEFT: 'left',
  RIGHT: 'right',
  FULL: 'full',
  SEMI: 'semi',
  ANTI: 'anti',
};

const cross = (left: Source, right: Source) =>
  ({ is: 'join', kind: 'cross', left, right, on: undefined, using: undefined }) as const;

/** `SELECT items FROM from`. */
export const select = (items: readonly SelectItem[], from: Source): Extract<Body, { is: 'select' }> => ({
  is: 'select',
  distinct: false,
  items,
  from,
  where: undefined,
  groups: [],
  having: undefined,
});
