import { hasAggregate } from './aggregates.ts';
import { bind, type Scope, scopeOf } from './bind.ts';
import { alike, type Bound, type Column, converted, type Row, truth } from './bound.ts';
import { isOf } from './column-place.ts';
import { distinct, Grouping } from './grouping.ts';
import type { Meter, Steps } from './meter.ts';
import { orderKeys, sorted } from './ordering.ts';
import { problems } from './problem.ts';
import { SourceRun } from './run-source.ts';
import { namesIn, type ScanRequest } from './scan.ts';
import type { Session } from './session.ts';
import { combined } from './set-operations.ts';
import { shown } from './show.ts';
import { withValues } from './subqueries.ts';
import type { Body, Expression, Query, SelectItem, Source } from './syntax.ts';
import { checkWidth, Named, renamed, type Table } from './table.ts';
import { simple } from './types.ts';
import { conjuncts, replaced } from './walk.ts';

/** Limit of the generated column name of an expression without an alias. */
const LONGEST_NAME = 10_000;

type Select = Extract<Body, { is: 'select' }>;

/** Runs a query. Yields after a number of steps, and to await rows of a table. */
export class QueryRun {
  readonly #session: Session;
  readonly #meter: Meter;
  readonly #sources: SourceRun;

  /** `depth`: number of enclosing views. */
  constructor(session: Session, meter: Meter, depth = 0) {
    this.#session = session;
    this.#meter = meter;
    this.#sources = new SourceRun(session, meter, depth, {
      run: (query, named) => this.run(query, named),
      runInside: (inner, query) => new QueryRun(inner, meter, depth + 1).run(query),
    });
  }

  *run(query: Query, outer?: Named): Steps<Table> {
    const named = new Named(outer);
    for (const { name, columns, query: of } of query.named)
      named.set(name, renamed(yield* this.run(of, named), undefined, columns));
    const from = this.#count(query.offset) ?? 0;
    const most = this.#count(query.limit);
    const table = yield* this.#body(query.body, named, query, most === undefined ? undefined : from + most);
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

  *#body(body: Body, named: Named, query: Query, most: number | undefined): Steps<Table> {
    if (body.is === 'select') return yield* this.#select(body, named, query, most);
    const table = yield* this.#other(body, named);
    const keys = orderKeys(query.orders, table.columns, this.#scope(table.columns));
    return { ...table, rows: yield* sorted(table.rows, table.rows, query.orders, keys, this.#meter) };
  }

  *#other(body: Exclude<Body, Select>, named: Named): Steps<Table> {
    if (body.is === 'values') return yield* this.#values(body.rows, named);
    if (body.is === 'nested') return yield* this.run(body.query, named);
    const left = yield* this.run(body.left, named);
    return yield* combined(body, left, yield* this.run(body.right, named), this.#meter);
  }

  /** The rows of the source after `FROM`, or after `USING` of a `MERGE`. */
  source(source: Source): Steps<Table> {
    return this.#sources.rows(source, new Named());
  }

  /** Replaces the subqueries of an expression by their values. */
  settled(expression: Expression, named = new Named()): Steps<Expression> {
    return withValues(expression, (query) => this.run(query, named));
  }

  *#settledAll(expressions: readonly Expression[], named: Named): Steps<readonly Expression[]> {
    const settled: Expression[] = [];
    for (const each of expressions) settled.push(yield* this.settled(each, named));
    return settled;
  }

  *#values(rows: readonly (readonly Expression[])[], named: Named): Steps<Table> {
    const width = rows[0]?.length ?? 0;
    checkWidth(width);
    if (rows.some((row) => row.length !== width))
      throw problems.mismatch('All rows of VALUES must have the same number of values.');
    const bound: Bound[][] = [];
    for (const row of rows) {
      const settled = yield* this.#settledAll(row, named);
      bound.push(settled.map((each) => bind(each, this.#scope([]))));
    }
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

  *#select(body: Select, named: Named, query: Query, most: number | undefined): Steps<Table> {
    const condition = body.where && (yield* this.settled(body.where, named));
    const isWhole = query.orders.length > 0 || body.distinct || isGroupedBy(body);
    const wish: ScanRequest = {
      conditions: conjuncts(condition),
      names: namesIn(body, query),
      ...(most !== undefined && !isWhole && { most }),
    };
    const source = yield* this.#sources.rows(body.from, named, wish);
    const where = condition && truth(bind(condition, this.#scope(source.columns)));
    const rows: Row[] = [];
    for (const row of source.rows) {
      this.#meter.row();
      if (this.#meter.isTurnOver) yield;
      if (!where || where.of(row) === true) rows.push(row);
    }
    const items: Item[] = [];
    for (const item of body.items) {
      items.push(...itemsOf(item, source.columns));
      checkWidth(items.length);
    }
    return yield* this.#output(body, query, { columns: source.columns, rows }, items, named);
  }

  /** Computes the columns of the result from the rows that satisfy the condition. */
  *#output(body: Select, query: Query, source: Table, items: readonly Item[], named: Named): Steps<Table> {
    const plain = this.#scope(source.columns);
    const expressions = yield* this.#settledAll(
      items.map(({ of }) => of),
      named,
    );
    const meant = aliases(items, expressions, plain);
    const groups = (yield* this.#settledAll(body.groups, named)).map(meant);
    const grouping = isGroupedBy(body) ? new Grouping(plain, groups, expressions) : undefined;
    const scope = grouping?.scope ?? plain;
    const having = body.having && truth(bind(meant(yield* this.settled(body.having, named)), scope));
    const bounds = expressions.map((each) => bind(each, scope));
    const columns = items.map(({ name }, at) => ({ name, type: (bounds[at] as Bound).type }));
    const keys = orderKeys(query.orders, columns, body.distinct ? this.#scope(columns) : scope);
    const inputs: Row[] = [];
    const made: Row[] = [];
    for (const row of grouping ? yield* grouping.run(source.rows) : source.rows) {
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
}

const isGroupedBy = ({ groups, having, items }: Select): boolean =>
  groups.length > 0 || having !== undefined || items.some((item) => item.is === 'one' && hasAggregate(item.of));

/** In `GROUP BY` and `HAVING`, names of the result refer to its expressions unless a column has that name. */
function aliases(items: readonly Item[], expressions: readonly Expression[], { places }: Scope) {
  const named = new Map(items.map(({ name }, index) => [name.toLowerCase(), expressions[index] as Expression]));
  return (expression: Expression): Expression =>
    replaced(expression, (part) => {
      const [name, ...others] = part.is === 'column' && part.index === undefined ? part.parts : [];
      if (name === undefined || others.length > 0 || places.has(name.toLowerCase())) return undefined;
      return named.get(name.toLowerCase());
    });
}

interface Item {
  readonly name: string;
  readonly of: Expression;
}

function itemsOf(item: SelectItem, columns: readonly Column[]): readonly Item[] {
  if (item.is === 'one') return [{ name: item.alias ?? shown(item.of).slice(0, LONGEST_NAME), of: item.of }];
  const { at } = item;
  const of = item.of.map((part) => part.toLowerCase());
  const wanted = columns.flatMap((column, index) => (isOf(column, of) ? [{ name: column.name, index }] : []));
  if (wanted.length === 0) throw problems.noColumn([...item.of.map((part) => `\`${part}\``), '`*`'].join('.'), at);
  return wanted.map(({ name, index }) => ({ name, of: { is: 'column', parts: [name], at, index } }));
}
