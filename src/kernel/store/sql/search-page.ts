import type { Filter, Query } from '../types.ts';
import { type Dialect, Parameters } from './dialect.ts';
import { FilterCompiler } from './filter.ts';
import type { Layout } from './layout.ts';
import { baseConditions, type PageOrder, pageOrder, type Statement, whereClause } from './page.ts';
import type { PageRow } from './rows.ts';
import type { LinkSource } from './search-dialect.ts';
import type { SearchPlan } from './search-plan.ts';

/**
 * Reads a page of a search, in an order. There are two strategies. A walk reads the documents in order and tests the words of each, which
 * is fast for words that most documents have. A find lets the index find all documents and sorts them, which is fast for rare words. The
 * frequency of a word is unknown beforehand, so both are tried in turn with growing limits: together they cost a small multiple of the
 * better one.
 */
export type Attempt = { readonly walk: number } | { readonly find: number };

/** SQLite returns index hits one by one, so the first find is cheap. */
const ATTEMPTS_SQLITE: readonly Attempt[] = [{ find: 500 }, { walk: 1000 }, { find: 10_000 }, { walk: 20_000 }];
/** FTS5 first gathers all words with a prefix. A short prefix has many words, which occur in most documents. */
const ATTEMPTS_WITH_PREFIX: readonly Attempt[] = [{ walk: 200 }, { find: 2000 }, { walk: 5000 }];
/** PostgreSQL's index finds all documents before it returns the first. */
const ATTEMPTS_POSTGRES: readonly Attempt[] = [{ walk: 100 }, { find: 1000 }, { walk: 2000 }, { find: 10_000 }];

/** A walk reads at least this many times the number of documents wanted. */
const WALK_FACTOR = 4;

/** A second walk is tried only if it is expected to need no more than this many documents. */
const MOST_EXPECTED = 2000;

/**
 * A sequence of statements, each of which receives its rows before the next one: SQLite runs them synchronously, PostgreSQL awaits each.
 */
export type Reads<R> = Generator<Statement, R, readonly (readonly unknown[])[]>;

/** Returns rows like those of `pageStatement`; the strategy does not affect the result. */
export function searchPage(
  layout: Layout<never>,
  dialect: Dialect,
  query: Query,
  plan: SearchPlan,
  attempts = attemptsFor(dialect, plan),
): Reads<readonly PageRow[]> {
  return new SearchPage(layout, dialect, query, plan).read(attempts);
}

function attemptsFor({ search }: Dialect, { gathersPrefix }: SearchPlan): readonly Attempt[] {
  if (search.findsAllAtOnce) return ATTEMPTS_POSTGRES;
  return gathersPrefix ? ATTEMPTS_WITH_PREFIX : ATTEMPTS_SQLITE;
}

/** Counts the documents that a search finds. */
export function searchCount(
  layout: Layout<never>,
  dialect: Dialect,
  query: Pick<Query, 'prefix' | 'filter'>,
  plan: SearchPlan,
): Statement {
  const { search } = dialect;
  const parameters = new Parameters(dialect);
  const expression = parameters.add(search.expression(plan.expression));
  const links = { statement: search.find(layout.search!, expression) };
  const conditions = new FilterCompiler(layout, dialect, parameters);
  const found = search.among(layout.table, links, conditionsOf(conditions, query, plan.afterIndex));
  return { sql: `SELECT count(*) AS n FROM ${found}`, values: parameters.values };
}

class SearchPage {
  readonly #layout: Layout<never>;
  readonly #dialect: Dialect;
  readonly #query: Query;
  readonly #plan: SearchPlan;
  readonly #order: PageOrder;
  /** One more than the limit, to detect a next page. */
  readonly #wanted: number;

  constructor(layout: Layout<never>, dialect: Dialect, query: Query, plan: SearchPlan) {
    this.#layout = layout;
    this.#dialect = dialect;
    this.#query = query;
    this.#plan = plan;
    this.#order = pageOrder(layout, dialect, query);
    // Refuses a filter that does not fit the collection, even if nothing is found before the invalid part would be evaluated.
    if (query.filter) this.#compiler(new Parameters(dialect)).compile(query.filter);
    this.#wanted = query.limit + 1;
  }

  *read(attempts: readonly Attempt[]): Reads<readonly PageRow[]> {
    for (const attempt of attempts) {
      const rows = 'walk' in attempt ? yield* this.#walkOn(attempt.walk) : yield* this.#find(attempt.find);
      if (rows) return rows;
    }
    return yield* this.#sorted((parameters) => ({ statement: this.#findStatement(parameters) }));
  }

  /** Walks up to the limit, and immediately further if the hits so far suggest that the rest is near. */
  *#walkOn(most: number): Reads<readonly PageRow[] | undefined> {
    const bound = Math.max(most, WALK_FACTOR * (this.#wanted + (this.#query.skip ?? 0)));
    const first = yield* this.#walk(bound);
    if (first.isEnough) return first.rows;
    const expected = (bound * this.#wanted) / first.rows.length;
    if (expected > MOST_EXPECTED) return undefined;
    const second = yield* this.#walk(Math.ceil(2 * expected));
    return second.isEnough ? second.rows : undefined;
  }

  /** Tests the first `bound` documents in order; `isEnough` is false if these do not complete the page. */
  *#walk(bound: number): Reads<{ readonly rows: readonly PageRow[]; readonly isEnough: boolean }> {
    const rows: PageRow[] = [];
    for (const part of this.#order.parts.keys()) {
      rows.push(...((yield this.#walkStatement(part, bound, rows.length)) as PageRow[]));
      if (rows.length >= this.#wanted) return { rows, isEnough: true };
      const [looked] = yield this.#lengthStatement(part, bound);
      if (Number(looked![0]) >= bound) return { rows, isEnough: false };
    }
    return { rows, isEnough: true };
  }

  #walkStatement(part: number, most: number, had: number): Statement {
    const { table, columnOf } = this.#layout;
    const { link } = this.#dialect.search;
    const parameters = new Parameters(this.#dialect);
    const columns = [...new Set([link, ...this.#columnNames(columnOf)])].join(', ');
    const walked = this.#inOrder(columns, part, most, parameters);
    const tests = this.#compiler(parameters, 'walked');
    const tested = this.#plan.tested.map((each) => tests.compile(each));
    const limit = `LIMIT ${parameters.add(this.#wanted - had)}${this.#offset(parameters)}`;
    const column = (name: string) => `(SELECT d.${name} FROM ${table} AS d WHERE d.${link} = walked.${link})`;
    const selected = `${part} AS part, ${['key', 'etag', 'body'].map(column).join(', ')}`;
    return {
      sql: `SELECT ${selected} FROM (${walked}) AS walked${whereClause(tested)} ${limit}`,
      values: parameters.values,
    };
  }

  #columnNames(columnOf: Layout<never>['columnOf']): string[] {
    // An unknown field is refused when the filter is compiled.
    return [...this.#plan.testedFields].flatMap((field) => columnOf.get(field)?.name ?? []);
  }

  #lengthStatement(part: number, most: number): Statement {
    const parameters = new Parameters(this.#dialect);
    const walked = this.#inOrder(this.#dialect.search.link, part, most, parameters);
    return { sql: `SELECT count(*) AS n FROM (${walked}) AS walked`, values: parameters.values };
  }

  /** The first documents in order that satisfy the conditions on fields. */
  #inOrder(columns: string, part: number, most: number, parameters: Parameters): string {
    const { table } = this.#layout;
    const where = whereClause(this.#conditions(part, this.#plan.plain, parameters));
    return `SELECT ${columns} FROM ${table}${where} ORDER BY ${this.#order.orderBy} LIMIT ${parameters.add(most)}`;
  }

  /** Sorts the documents that the index finds. Returns undefined if there are more than `most`. */
  *#find(most: number): Reads<readonly PageRow[] | undefined> {
    const parameters = new Parameters(this.#dialect);
    const sql = `${this.#findStatement(parameters)} LIMIT ${parameters.add(most + 1)}`;
    const found = yield { sql, values: parameters.values };
    if (found.length > most) return undefined;
    if (found.length === 0) return [];
    const links = this.#dialect.list(found.map(([link]) => link as string | number));
    return yield* this.#sorted((into) => ({ list: into.add(links) }));
  }

  #findStatement(parameters: Parameters): string {
    const { search } = this.#dialect;
    return search.find(this.#layout.search!, parameters.add(search.expression(this.#plan.expression)));
  }

  *#sorted(links: (parameters: Parameters) => LinkSource): Reads<readonly PageRow[]> {
    const { search } = this.#dialect;
    const { table } = this.#layout;
    const rows: PageRow[] = [];
    for (const part of this.#order.parts.keys()) {
      const parameters = new Parameters(this.#dialect);
      const conditions = this.#conditions(part, this.#plan.afterIndex, parameters);
      const among = search.among(table, links(parameters), conditions);
      const bounds = `LIMIT ${parameters.add(this.#wanted - rows.length)}${this.#offset(parameters)}`;
      const sql = search.first(`${part} AS part, key, etag, body`, table, among, this.#order.orderBy, bounds);
      rows.push(...((yield { sql, values: parameters.values }) as PageRow[]));
      if (rows.length >= this.#wanted) break;
    }
    return rows;
  }

  /** The position comes first: see `pageStatement`. */
  #conditions(part: number, filters: readonly Filter[], parameters: Parameters): string[] {
    const position = this.#order.parts[part]!.map((condition) => condition(parameters, this.#dialect));
    return [...position, ...conditionsOf(this.#compiler(parameters), this.#query, filters)];
  }

  #compiler(parameters: Parameters, table = this.#layout.table): FilterCompiler {
    return new FilterCompiler({ ...this.#layout, table }, this.#dialect, parameters);
  }

  #offset(parameters: Parameters): string {
    return this.#query.skip ? ` OFFSET ${parameters.add(this.#query.skip)}` : '';
  }
}

function conditionsOf(
  compiler: FilterCompiler,
  { prefix }: Pick<Query, 'prefix'>,
  filters: readonly Filter[],
): string[] {
  return baseConditions(compiler, { ...(prefix !== undefined && { prefix }), filter: { op: 'and', args: filters } });
}
