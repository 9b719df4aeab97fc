import { bind, type Scope, scopeOf } from './bind.ts';
import { type Column, converted, type Row } from './bound.ts';
import { joined } from './join.ts';
import { type Meter, type Steps, waitFor } from './meter.ts';
import { problems } from './problem.ts';
import type { RelationName, ViewRelation } from './relations.ts';
import { EVERYTHING, type ScanRequest, scanned } from './scan.ts';
import type { Session } from './session.ts';
import type { Query, Source, TableName } from './syntax.ts';
import { checkWidth, type Named, renamed, type Table } from './table.ts';
import { simple } from './types.ts';

/** Deepest nesting of views. */
const MOST_VIEWS = 50;

export interface QueryRunner {
  run(query: Query, named?: Named): Steps<Table>;
  /** For the query of a view. */
  runInside(session: Session, query: Query): Steps<Table>;
}

/** Reads the rows of the sources after `FROM`. */
export class SourceRun {
  readonly #session: Session;
  readonly #meter: Meter;
  readonly #depth: number;
  readonly #runner: QueryRunner;

  constructor(session: Session, meter: Meter, depth: number, runner: QueryRunner) {
    this.#session = session;
    this.#meter = meter;
    this.#depth = depth;
    this.#runner = runner;
  }

  *rows(source: Source, named: Named, wish: ScanRequest = EVERYTHING): Steps<Table> {
    switch (source.is) {
      case 'nothing':
        return { columns: [], rows: [[]] };
      case 'query':
        return renamed(yield* this.#runner.run(source.query, named), source.alias, source.columns);
      case 'table':
        return yield* this.#table(source, named, wish);
      case 'range':
        return yield* this.#range(source);
      case 'join':
        return yield* this.#join(source, named, wish);
    }
  }

  *#join(source: Extract<Source, { is: 'join' }>, named: Named, { conditions, names }: ScanRequest): Steps<Table> {
    const { kind } = source;
    // Conditions of the query apply to both sides, except to a side to which the join adds rows of nulls.
    const isLeft = kind !== 'right' && kind !== 'full';
    const isRight = kind === 'inner' || kind === 'cross' || kind === 'right';
    const left = yield* this.rows(source.left, named, { conditions: isLeft ? conditions : [], names });
    const right = yield* this.rows(source.right, named, { conditions: isRight ? conditions : [], names });
    checkWidth(left.columns.length + right.columns.length);
    return yield* joined(source, left, right, (columns) => this.#scope(columns));
  }

  #scope(columns: readonly Column[]): Scope {
    return scopeOf(this.#session, this.#meter, columns);
  }

  *#table(source: TableName, named: Named, wish: ScanRequest): Steps<Table> {
    const { parts, alias } = source;
    const [first = ''] = parts;
    const found = parts.length === 1 && !source.asOf ? named.get(first) : undefined;
    if (found) return renamed(found, alias ?? first, source.columns);
    const { relations } = this.#session;
    if (!relations) throw problems.noTable(parts.map((part) => `\`${part}\``).join('.'), source.at);
    const name = this.#nameOf(source);
    const relation = yield* waitFor(() => relations.open(name));
    const from = alias ?? (parts.at(-1) as string);
    const path = alias === undefined ? relation.path : undefined;
    if (relation.is === 'view') {
      const table = yield* this.#view(relation);
      const { columns, rows } = renamed(table, from, source.columns.length > 0 ? source.columns : relation.columns);
      return { columns: columns.map((column) => ({ ...column, path })), rows };
    }
    checkWidth(relation.columns.length);
    const { columns } = renamed({ columns: relation.columns, rows: [] }, from, source.columns);
    const own = columns.map((column) => ({ ...column, path }));
    return yield* scanned(relation, own, wish, this.#scope(own));
  }

  *#view(view: ViewRelation): Steps<Table> {
    if (this.#depth >= MOST_VIEWS) throw problems.tooMuch(`views are nested more than ${MOST_VIEWS} levels deep`);
    return yield* this.#runner.runInside(view.session, view.query);
  }

  #nameOf({ parts, asOf, at }: TableName): RelationName {
    if (!asOf) return { parts, at };
    const of = bind(asOf.of, this.#scope([]));
    const isVersion = asOf.by === 'version';
    const value = converted(of, simple(isVersion ? 'LONG' : 'TIMESTAMP')).of([]);
    if (value === null) throw problems.mismatch('The version of a table must not be null.');
    return { parts, at, [isVersion ? 'version' : 'timestamp']: Number(value) };
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
}
