import { nextTurn } from '../../../../kernel/time/index.ts';
import { aggregateCall, aggregateOf, hasAggregate } from './aggregates.ts';
import { bind, type Scope } from './bind.ts';
import { alike, type Bound, type Column, converted, type Row, truth } from './bound.ts';
import { compare } from './compare.ts';
import { problems } from './problem.ts';
import type { Session } from './session.ts';
import { shown } from './show.ts';
import type { Body, Expression, Query, SelectItem, Source } from './syntax.ts';
import { type SqlValue, simple } from './types.ts';

export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/** Rows that a statement may go through, in all of its parts together. */
const MOST_ROWS = 1_000_000;
/** Of the texts in these rows. */
const MOST_CHARACTERS = 64 * 1024 * 1024;
/** The jar does something else in between. */
const ROWS_IN_A_TURN = 5000;

type Named = ReadonlyMap<string, Table>;

/** Runs a query. It gives way to other work of the jar, and stops where `halt` says so. */
export class QueryRun {
  readonly #session: Session;
  readonly #halt: () => boolean;
  #rows = 0;
  #characters = 0;

  constructor(session: Session, halt: () => boolean = () => false) {
    this.#session = session;
    this.#halt = halt;
  }

  async run(query: Query, outer: Named = new Map()): Promise<Table> {
    const named = new Map(outer);
    for (const { name, columns, query: of } of query.named)
      named.set(name.toLowerCase(), renamed(await this.run(of, named), undefined, columns));
    const table = await this.#body(query.body, named, query);
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
    return { session: this.#session, columns };
  }

  /** For each row that is made or looked at. */
  async #pass(row: Row = []): Promise<void> {
    for (const value of row) if (typeof value === 'string') this.#characters += value.length;
    if (this.#characters > MOST_CHARACTERS)
      throw problems.tooMuch(`its rows have more than ${MOST_CHARACTERS} characters`);
    if (++this.#rows > MOST_ROWS) throw problems.tooMuch(`it goes through more than ${MOST_ROWS} rows`);
    if (this.#rows % ROWS_IN_A_TURN !== 0) return;
    await new Promise<void>((resolve) => nextTurn(resolve));
    if (this.#halt()) throw problems.tooMuch('it was cancelled');
  }

  async #body(body: Body, named: Named, query: Query): Promise<Table> {
    if (body.is === 'select') return this.#select(body, named, query);
    const table = body.is === 'values' ? await this.#values(body.rows) : await this.#union(body, named);
    return { ...table, rows: this.#ordered(table.rows, query, table.columns, table.rows) };
  }

  async #values(rows: readonly (readonly Expression[])[]): Promise<Table> {
    const width = rows[0]?.length ?? 0;
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
      await this.#pass();
      made.push(columns.map((column) => (column[index] as Bound).of([])));
    }
    return {
      columns: columns.map(([first], at) => ({ name: `col${at + 1}`, type: (first as Bound).type })),
      rows: made,
    };
  }

  async #union({ left, right, all }: Extract<Body, { is: 'union' }>, named: Named): Promise<Table> {
    const first = await this.run(left, named);
    const second = await this.run(right, named);
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
        await this.#pass();
        rows.push(pairs.map((pair) => pair[side].of(row)));
      }
    const columns = first.columns.map(({ name }, at) => ({ name, type: (pairs[at] as [Bound, Bound])[0].type }));
    return { columns, rows: all ? rows : distinct(rows) };
  }

  async #select(body: Extract<Body, { is: 'select' }>, named: Named, query: Query): Promise<Table> {
    const source = await this.#source(body.from, named);
    const where = body.where && truth(bind(body.where, this.#scope(source.columns)));
    const rows: Row[] = [];
    for (const row of source.rows) {
      await this.#pass();
      if (!where || where.of(row) === true) rows.push(row);
    }
    const items = body.items.flatMap((item) => itemsOf(item, source.columns));
    const expressions = items.map(({ of }) => of);
    const isGrouped = body.groups.length > 0 || body.having !== undefined || expressions.some(hasAggregate);
    const { scope, inputs } = isGrouped
      ? this.#grouped(body, source.columns, rows, expressions)
      : { scope: this.#scope(source.columns), inputs: rows };
    const having = body.having && truth(bind(body.having, scope));
    const bounds = expressions.map((each) => bind(each, scope));
    const columns = items.map(({ name }, at) => ({ name, type: (bounds[at] as Bound).type }));
    const kept = having ? inputs.filter((row) => having.of(row) === true) : inputs;
    const made: Row[] = [];
    for (const row of kept) {
      const values = bounds.map((bound) => bound.of(row));
      await this.#pass(values);
      made.push(values);
    }
    if (body.distinct) {
      const unique = distinct(made);
      return { columns, rows: this.#ordered(unique, query, columns, unique) };
    }
    return { columns, rows: this.#ordered(made, query, columns, kept, scope) };
  }

  /** Groups in place of rows: the values that they are grouped by, then those of the aggregates. */
  #grouped(
    body: Extract<Body, { is: 'select' }>,
    columns: readonly Column[],
    rows: readonly Row[],
    expressions: readonly Expression[],
  ): { readonly scope: Scope; readonly inputs: readonly Row[] } {
    const plain = this.#scope(columns);
    // `GROUP BY 1` is the first column of the result.
    const groups = body.groups.map((each) => {
      const isPlace = each.is === 'literal' && typeof each.value === 'bigint';
      return (isPlace ? expressions[Number(each.value) - 1] : undefined) ?? each;
    });
    const keys = groups.map((each) => bind(each, plain));
    const byKey = new Map<string, Row[]>();
    for (const row of rows) {
      const key = keyOf(keys.map((each) => each.of(row)));
      const group = byKey.get(key);
      if (group) group.push(row);
      else byKey.set(key, [row]);
    }
    if (groups.length === 0 && rows.length === 0) byKey.set('', []);
    const members = [...byKey.values()];
    const inputs: SqlValue[][] = members.map((group) => keys.map((each) => (group[0] ? each.of(group[0]) : null)));
    const names = groups.map(shown);
    const slots = new Map<string, Bound>();
    const grouped = (expression: Expression): Bound | undefined => {
      const text = shown(expression);
      const index = names.indexOf(text);
      if (index >= 0) return slot((keys[index] as Bound).type, index);
      const call = aggregateCall(expression);
      if (!call) return undefined;
      const known = slots.get(text);
      if (known) return known;
      const aggregate = aggregateOf(
        call,
        call.args.map((arg) => bind(arg, plain)),
      );
      const at = keys.length + slots.size;
      for (const [number, input] of inputs.entries()) input[at] = aggregate.of(members[number] as readonly Row[]);
      const made = slot(aggregate.type, at);
      slots.set(text, made);
      return made;
    };
    return { scope: { ...plain, grouped }, inputs };
  }

  /** The rows in the order that is asked for: by columns of the result, by their places, or by what they were made of. */
  #ordered(
    rows: readonly Row[],
    { orders }: Query,
    columns: readonly Column[],
    inputs: readonly Row[],
    scope?: Scope,
  ): readonly Row[] {
    if (orders.length === 0) return rows;
    const keys = orders.map(({ of }) => {
      const place = of.is === 'literal' && typeof of.value === 'bigint' ? Number(of.value) - 1 : -1;
      const isName = of.is === 'column' && of.parts.length === 1;
      const named = isName ? columns.findIndex(({ name }) => name.toLowerCase() === of.parts[0]?.toLowerCase()) : -1;
      const index = place >= 0 ? place : named;
      if (index >= columns.length) throw problems.mismatch(`ORDER BY position ${index + 1} is not in the select list.`);
      if (index >= 0) return (row: Row) => row[index] ?? null;
      const bound = bind(of, scope ?? this.#scope(columns));
      return (_row: Row, input: Row) => bound.of(input);
    });
    const sorted = rows.map((row, at) => ({ row, key: keys.map((key) => key(row, inputs[at] as Row)) }));
    sorted.sort((left, right) => {
      for (const [at, { descending, nullsFirst }] of orders.entries()) {
        const [a, b] = [left.key[at] ?? null, right.key[at] ?? null];
        if (a === null && b === null) continue;
        if (a === null || b === null) return (a === null) === nullsFirst ? -1 : 1;
        const order = compare(a, b);
        if (order !== 0) return descending ? -order : order;
      }
      return 0;
    });
    return sorted.map(({ row }) => row);
  }

  async #source(source: Source, named: Named): Promise<Table> {
    switch (source.is) {
      case 'nothing':
        return { columns: [], rows: [[]] };
      case 'query':
        return renamed(await this.run(source.query, named), source.alias, source.columns);
      case 'table': {
        const [name = ''] = source.parts;
        const found = source.parts.length === 1 ? named.get(name.toLowerCase()) : undefined;
        if (!found) throw problems.noTable(source.parts.map((part) => `\`${part}\``).join('.'), source.at);
        return renamed(found, source.alias ?? name, []);
      }
      case 'range':
        return this.#range(source);
      case 'join':
        return this.#join(source, named);
    }
  }

  async #range({ args, alias, at }: Extract<Source, { is: 'range' }>): Promise<Table> {
    if (args.length < 1 || args.length > 3) throw problems.arguments('range', '1 to 3', args.length, at);
    const numbers = args.map((each) => converted(bind(each, this.#scope([])), simple('LONG')).of([]));
    const [first, end, step = 1n] = (numbers.length === 1 ? [0n, ...numbers] : numbers) as readonly bigint[];
    if (step === 0n || first === undefined || end === undefined || numbers.includes(null))
      throw problems.mismatch('The step of a range must not be 0, and none of its values null.');
    const rows: Row[] = [];
    for (let each = first; step > 0n ? each < end : each > end; each += step) {
      await this.#pass();
      rows.push([each]);
    }
    return { columns: [{ name: 'id', type: simple('LONG'), from: alias ?? 'range' }], rows };
  }

  async #join({ kind, left, right, on }: Extract<Source, { is: 'join' }>, named: Named): Promise<Table> {
    const first = await this.#source(left, named);
    const second = await this.#source(right, named);
    const columns = [...first.columns, ...second.columns];
    const condition = on && truth(bind(on, this.#scope(columns)));
    const rows: Row[] = [];
    for (const a of first.rows) {
      let isMatched = false;
      for (const b of second.rows) {
        await this.#pass();
        const row = [...a, ...b];
        if (condition && condition.of(row) !== true) continue;
        isMatched = true;
        rows.push(row);
      }
      if (kind === 'left' && !isMatched) rows.push([...a, ...second.columns.map(() => null)]);
    }
    return { columns, rows };
  }
}

const slot = (type: Column['type'], index: number): Bound => ({ type, of: (row) => row[index] ?? null });

const keyOf = (values: readonly SqlValue[]): string =>
  JSON.stringify(values.map((value) => (typeof value === 'bigint' ? String(value) : [value, String(value)])));

function distinct(rows: readonly Row[]): readonly Row[] {
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()];
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
  if (item.is === 'one') return [{ name: item.alias ?? shown(item.of), of: item.of }];
  const { at, of } = item;
  const wanted = columns.filter(({ from }) => of === undefined || from?.toLowerCase() === of.toLowerCase());
  if (wanted.length === 0) throw problems.noColumn(of === undefined ? '`*`' : `\`${of}\`.\`*\``, at);
  return wanted.map(({ name, from }) => {
    const parts = from === undefined ? [name] : [from, name];
    return { name, of: { is: 'column', parts, at } };
  });
}
