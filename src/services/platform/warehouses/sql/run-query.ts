import { hasAggregate } from './aggregates.ts';
import { bind, type Scope, scopeOf } from './bind.ts';
import { alike, type Bound, type Column, converted, type Row, truth } from './bound.ts';
import { distinct, Grouping, slot } from './grouping.ts';
import type { Meter, Steps } from './meter.ts';
import { orderKeys, sorted } from './ordering.ts';
import { problems } from './problem.ts';
import type { Session } from './session.ts';
import { shown } from './show.ts';
import type { Body, Expression, Query, SelectItem, Source } from './syntax.ts';
import { simple } from './types.ts';

export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/** Of a table. */
const MOST_COLUMNS = 1000;
/** Of the name that an expression without an alias gives its column. */
const LONGEST_NAME = 10_000;

/** The tables that `WITH` names, within those of the queries around. */
class Named {
  readonly #own = new Map<string, Table>();
  readonly #outer: Named | undefined;

  constructor(outer?: Named) {
    this.#outer = outer;
  }

  set(name: string, table: Table): void {
    this.#own.set(name.toLowerCase(), table);
  }

  get(name: string): Table | undefined {
    return this.#own.get(name.toLowerCase()) ?? this.#outer?.get(name);
  }
}

/** Runs a query. It yields where its turn is over. */
export class QueryRun {
  readonly #session: Session;
  readonly #meter: Meter;

  constructor(session: Session, meter: Meter) {
    this.#session = session;
    this.#meter = meter;
  }

  *run(query: Query, outer?: Named): Steps<Table> {
    const named = new Named(outer);
    for (const { name, columns, query: of } of query.named)
      named.set(name, renamed(yield* this.run(of, named), undefined, columns));
    const table = yield* this.#body(query.body, named, query);
    const from = this.#count(query.offset) ?? 0;
    const most = this.#count(query.limit);
    return { ...table, rows: table.rows.slice(from, most === undefined ? undefined : from + most) };
  }

  /** The value of `LIMIT` or `OFFSET`. */
  #count(expression: Expression | undefined): number | undefined {
    if (!expression) return undefined;
    const value = converted(bind(expression, this.#scope([])), simple('INT')).of([]);
    if (value === null || Number(value) < 0) throw problems.mismatch('A limit must be a number from 0.');
    return Number(value);
  }

  #scope(columns: readonly Column[]): Scope {
    return scopeOf(this.#session, this.#meter, columns);
  }

  *#body(body: Body, named: Named, query: Query): Steps<Table> {
    if (body.is === 'select') return yield* this.#select(body, named, query);
    const table = body.is === 'values' ? yield* this.#values(body.rows) : yield* this.#union(body, named);
    const keys = orderKeys(query.orders, table.columns, this.#scope(table.columns));
    return { ...table, rows: yield* sorted(table.rows, table.rows, query.orders, keys, this.#meter) };
  }

  *#values(rows: readonly (readonly Expression[])[]): Steps<Table> {
    const width = rows[0]?.length ?? 0;
    checkWidth(width);
    if (rows.some((row) => row.length !== width))
      throw problems.mismatch('All rows of VALUES must have the same number of values.');
    const bound = rows.map((row) => row.map((each) => bind(each, this.#scope([]))));
    const columns: Bound[][] = [];
    for (let at = 0; at < width; at++)
      columns.push([
        ...alike(
          bound.map((row) => row[at] as Bound),
          'VALUES',
        ),
      ]);
    const made: Row[] = [];
    for (const index of rows.keys()) {
      this.#meter.row();
      if (this.#meter.isTurnOver) yield;
      const row = columns.map((column) => (column[index] as Bound).of([]));
      this.#meter.keep(row);
      made.push(row);
    }
    return {
      columns: columns.map(([first], at) => ({ name: `col${at + 1}`, type: (first as Bound).type })),
      rows: made,
    };
  }

  *#union({ left, right, all }: Extract<Body, { is: 'union' }>, named: Named): Steps<Table> {
    const first = yield* this.run(left, named);
    const second = yield* this.run(right, named);
    if (second.columns.length === 0 && second.rows.length === 0) return first;
    if (first.columns.length !== second.columns.length)
      throw problems.mismatch('Both sides of UNION must have the same number of columns.');
    const pairs = first.columns.map(
      ({ type }, at) =>
        alike([slot(type, at), slot((second.columns[at] as Column).type, at)], 'UNION') as [Bound, Bound],
    );
    const rows: Row[] = [];
    for (const [table, side] of [
      [first, 0],
      [second, 1],
    ] as const)
      for (const row of table.rows) {
        this.#meter.row();
        if (this.#meter.isTurnOver) yield;
        const made = pairs.map((pair) => pair[side].of(row));
        this.#meter.keep(made);
        rows.push(made);
      }
    const columns = first.columns.map(({ name }, at) => ({ name, type: (pairs[at] as [Bound, Bound])[0].type }));
    return { columns, rows: all ? rows : yield* distinct(rows, this.#meter) };
  }

  *#select(body: Extract<Body, { is: 'select' }>, named: Named, query: Query): Steps<Table> {
    const source = yield* this.#source(body.from, named);
    const where = body.where && truth(bind(body.where, this.#scope(source.columns)));
    const rows: Row[] = [];
    for (const row of source.rows) {
      this.#meter.row();
      if (this.#meter.isTurnOver) yield;
      if (!where || where.of(row) === true) rows.push(row);
    }
    checkWidth(body.items.length);
    const items: Item[] = [];
    for (const item of body.items) {
      items.push(...itemsOf(item, source.columns));
      checkWidth(items.length);
    }
    const expressions = items.map(({ of }) => of);
    const isGrouped = body.groups.length > 0 || body.having !== undefined || expressions.some(hasAggregate);
    const plain = this.#scope(source.columns);
    const grouping = isGrouped ? new Grouping(plain, body.groups, expressions) : undefined;
    const scope = grouping?.scope ?? plain;
    const having = body.having && truth(bind(body.having, scope));
    const bounds = expressions.map((each) => bind(each, scope));
    const columns = items.map(({ name }, at) => ({ name, type: (bounds[at] as Bound).type }));
    const keys = orderKeys(query.orders, columns, body.distinct ? this.#scope(columns) : scope);
    const inputs: Row[] = [];
    const made: Row[] = [];
    for (const row of grouping ? yield* grouping.run(rows) : rows) {
      if (this.#meter.isTurnOver) yield;
      if (having && having.of(row) !== true) continue;
      const values = bounds.map((bound) => bound.of(row));
      this.#meter.row();
      this.#meter.keep(values);
      inputs.push(row);
      made.push(values);
    }
    const kept = body.distinct ? yield* distinct(made, this.#meter) : made;
    const ordered = yield* sorted(kept, body.distinct ? kept : inputs, query.orders, keys, this.#meter);
    return { columns, rows: ordered };
  }

  *#source(source: Source, named: Named): Steps<Table> {
    switch (source.is) {
      case 'nothing':
        return { columns: [], rows: [[]] };
      case 'query':
        return renamed(yield* this.run(source.query, named), source.alias, source.columns);
      case 'table': {
        const [name = ''] = source.parts;
        const found = source.parts.length === 1 ? named.get(name) : undefined;
        if (!found) throw problems.noTable(source.parts.map((part) => `\`${part}\``).join('.'), source.at);
        return renamed(found, source.alias ?? name, []);
      }
      case 'range':
        return yield* this.#range(source);
      case 'join':
        return yield* this.#join(source, named);
    }
  }

  *#range({ args, alias, at }: Extract<Source, { is: 'range' }>): Steps<Table> {
    if (args.length < 1 || args.length > 3) throw problems.arguments('range', '1 to 3', args.length, at);
    const numbers = args.map((each) => converted(bind(each, this.#scope([])), simple('LONG')).of([]));
    const [first, end, step = 1n] = (numbers.length === 1 ? [0n, ...numbers] : numbers) as readonly bigint[];
    if (step === 0n || first === undefined || end === undefined || numbers.includes(null))
      throw problems.mismatch('The step of a range must not be 0, and none of its values null.');
    const rows: Row[] = [];
    for (let each = first; step > 0n ? each < end : each > end; each += step) {
      this.#meter.row();
      if (this.#meter.isTurnOver) yield;
      const row = [each];
      this.#meter.keep(row);
      rows.push(row);
    }
    return { columns: [{ name: 'id', type: simple('LONG'), from: alias ?? 'range' }], rows };
  }

  *#join({ kind, left, right, on }: Extract<Source, { is: 'join' }>, named: Named): Steps<Table> {
    const first = yield* this.#source(left, named);
    const second = yield* this.#source(right, named);
    const columns = [...first.columns, ...second.columns];
    checkWidth(columns.length);
    const condition = on && truth(bind(on, this.#scope(columns)));
    const rows: Row[] = [];
    for (const a of first.rows) {
      let isMatched = false;
      for (const b of second.rows) {
        this.#meter.row();
        if (this.#meter.isTurnOver) yield;
        this.#meter.spend(columns.length);
        const row = [...a, ...b];
        if (condition && condition.of(row) !== true) continue;
        isMatched = true;
        this.#meter.keep(row);
        rows.push(row);
      }
      if (kind !== 'left' || isMatched) continue;
      const alone = [...a, ...second.columns.map(() => null)];
      this.#meter.keep(alone);
      rows.push(alone);
    }
    return { columns, rows };
  }
}

function checkWidth(columns: number): void {
  if (columns > MOST_COLUMNS) throw problems.tooMuch(`a table would have more than ${MOST_COLUMNS} columns`);
}

function renamed({ columns, rows }: Table, from: string | undefined, names: readonly string[]): Table {
  if (names.length > 0 && names.length !== columns.length)
    throw problems.mismatch(`There are ${names.length} names for ${columns.length} columns.`);
  return { columns: columns.map(({ name, type }, at) => ({ name: names[at] ?? name, type, from })), rows };
}

interface Item {
  readonly name: string;
  readonly of: Expression;
}

function itemsOf(item: SelectItem, columns: readonly Column[]): readonly Item[] {
  if (item.is === 'one') return [{ name: item.alias ?? shown(item.of).slice(0, LONGEST_NAME), of: item.of }];
  const { at, of } = item;
  const wanted = columns.filter(({ from }) => of === undefined || from?.toLowerCase() === of.toLowerCase());
  if (wanted.length === 0) throw problems.noColumn(of === undefined ? '`*`' : `\`${of}\`.\`*\``, at);
  return wanted.map(({ name, from }) => {
    const parts = from === undefined ? [name] : [from, name];
    return { name, of: { is: 'column', parts, at } };
  });
}
