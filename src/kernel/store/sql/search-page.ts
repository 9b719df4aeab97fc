import type { Filter, Query } from '../types.ts';
import { type Dialect, Parameters } from './dialect.ts';
import { FilterCompiler } from './filter.ts';
import type { Layout } from './layout.ts';
import { baseConditions, type PageOrder, pageOrder, type Statement, whereClause } from './page.ts';
import type { PageRow } from './rows.ts';
import type { LinkSource } from './search-dialect.ts';
import type { SearchPlan } from './search-plan.ts';

/**
 * A page of a search, in an order. Two ways lead to it: to walk through the documents in order and look at the words of each, which is quick for words
 * that most documents have; and to have the index find all documents and sort those, which is quick for rare words. How often a word comes nobody
 * knows beforehand, so both are tried in turn, with bounds that grow: together they cost a small multiple of what the better one costs.
 */
export type Attempt = { readonly walk: number } | { readonly find: number };

/** SQLite gives what it finds one by one, so that the first look at the index costs little. */
const ATTEMPTS_SQLITE: readonly Attempt[] = [{ find: 500 }, { walk: 1000 }, { find: 10_000 }, { walk: 20_000 }];
/** FTS5 gathers all the words with a beginning first. Those that are many, of a short beginning, are in most documents. */
const ATTEMPTS_WITH_PREFIX: readonly Attempt[] = [{ walk: 200 }, { find: 2000 }, { walk: 5000 }];
/** PostgreSQL finds all documents before it gives the first. */
const ATTEMPTS_POSTGRES: readonly Attempt[] = [{ walk: 100 }, { find: 1000 }, { walk: 2000 }, { find: 10_000 }];

/** A walk that is to find so many documents looks at several times as many. */
const WALK_FACTOR = 4;

/** Documents after which the last of a page may be expected for a second walk to be worth it. */
const MOST_EXPECTED = 2000;

/** Statements one after another, each given the rows of the one before: SQLite runs them without a pause, PostgreSQL awaits each. */
export type Reads<R> = Generator<Statement, R, readonly (readonly unknown[])[]>;

/** Rows as `pageStatement` gives them; the same ones whatever is attempted. */
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

/** The number of documents that a search finds. */
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
  /** One more than asked for, to see whether there is a next page. */
  readonly #wanted: number;

  constructor(layout: Layout<never>, dialect: Dialect, query: Query, plan: SearchPlan) {
    this.#layout = layout;
    this.#dialect = dialect;
    this.#query = query;
    this.#plan = plan;
    this.#order = pageOrder(layout, dialect, query);
    // Refuses what does not fit the collection, even where nothing is found before it would be looked at.
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

  /** Walks so far; and further at once where what was found on the way lets expect the rest nearby. */
  *#walkOn(most: number): Reads<readonly PageRow[] | undefined> {
    const bound = Math.max(most, WALK_FACTOR * (this.#wanted + (this.#query.skip ?? 0)));
    const first = yield* this.#walk(bound);
    if (first.isEnough) return first.rows;
    const expected = (bound * this.#wanted) / first.rows.length;
    if (expected > MOST_EXPECTED) return undefined;
    const second = yield* this.#walk(Math.ceil(2 * expected));
    return second.isEnough ? second.rows : undefined;
  }

  /** Looks at so many documents in order, which may not be enough to tell. */
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
    // What is no field is refused when the test is compiled.
    return [...this.#plan.testedFields].flatMap((field) => columnOf.get(field)?.name ?? []);
  }

  #lengthStatement(part: number, most: number): Statement {
    const parameters = new Parameters(this.#dialect);
    const walked = this.#inOrder(this.#dialect.search.link, part, most, parameters);
    return { sql: `SELECT count(*) AS n FROM (${walked}) AS walked`, values: parameters.values };
  }

  /** The first documents in order of those that the conditions on fields leave. */
  #inOrder(columns: string, part: number, most: number, parameters: Parameters): string {
    const { table } = this.#layout;
    const where = whereClause(this.#conditions(part, this.#plan.plain, parameters));
    return `SELECT ${columns} FROM ${table}${where} ORDER BY ${this.#order.orderBy} LIMIT ${parameters.add(most)}`;
  }

  /** Sorts what the index finds. Undefined where that is more than `most`. */
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

  /** The position first: see `pageStatement`. */
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
