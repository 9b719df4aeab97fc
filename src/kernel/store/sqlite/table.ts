import { readDocument } from '../document.ts';
import { SQLITE } from '../sql/dialect.ts';
import { type Layout, layoutOf } from '../sql/layout.ts';
import { countStatement, pageStatement } from '../sql/page.ts';
import { type PageRow, toPage } from '../sql/rows.ts';
import { type Reads, searchCount, searchPage } from '../sql/search-page.ts';
import { planSearch } from '../sql/search-plan.ts';
import { isView } from '../sql/views.ts';
import { type DocumentStatements, documentStatements } from '../sql/writes.ts';
import type { Collection, Page, Query, Stored } from '../types.ts';
import { storable } from '../values.ts';
import type { Database, Statement } from './database.ts';
import { WordIndex } from './word-index.ts';

/** The statements of a collection on one connection. They are prepared on first use, so that opening costs nothing. */
export class Table<T> {
  readonly layout: Layout<T>;
  readonly sql: DocumentStatements;
  /** Undefined unless the collection declares full text. */
  readonly words: WordIndex<T> | undefined;
  readonly #db: Database;
  #get: Statement<[etag: string, body: string]> | undefined;

  constructor(db: Database, collection: Collection<T>) {
    this.#db = db;
    this.layout = layoutOf(collection, SQLITE);
    this.sql = documentStatements(this.layout, SQLITE);
    this.words = this.layout.search && new WordIndex(db, this.layout, this.layout.search);
  }

  get(key: string): Stored<T> | undefined {
    this.#get ??= this.#db.prepare(this.sql.get);
    const stored = storable(key);
    const row = this.#get.get(stored);
    return row && { key: stored, etag: row[0], value: readDocument(this.layout.collection, stored, row[0], row[1]) };
  }

  query(query: Query): Page<T> {
    const plan = planSearch(this.layout.collection, query.filter);
    if (plan) return toPage(this.layout, query, this.#read(searchPage(this.layout, SQLITE, query, plan)));
    const { sql, values } = pageStatement(this.layout, SQLITE, query);
    return toPage(this.layout, query, this.#db.rows(sql, values) as PageRow[]);
  }

  count(query: Pick<Query, 'prefix' | 'filter'>): number {
    const plan = planSearch(this.layout.collection, query.filter);
    const statement = plan ? searchCount(this.layout, SQLITE, query, plan) : countStatement(this.layout, SQLITE, query);
    return Number(this.#db.row(statement.sql, statement.values)?.[0]);
  }

  #read<R>(reads: Reads<R>): R {
    let next = reads.next();
    while (!next.done) next = reads.next(this.#db.rows(next.value.sql, next.value.values));
    return next.value;
  }
}

/** The tables of all collections of a store, on one connection. */
export class Tables {
  readonly #db: Database;
  readonly #declared: ReadonlyMap<string, Collection<never>>;
  readonly #made = new Map<string, Table<never>>();

  constructor(db: Database, declared: ReadonlyMap<string, Collection<never>>) {
    this.#db = db;
    this.#declared = declared;
  }

  of<T>(collection: Collection<T>): Table<T> {
    const made = this.#made.get(collection.name) ?? this.#make(collection);
    return made as Table<T>;
  }

  #make(collection: Collection<never>): Table<never> {
    if (!this.#declared.has(collection.name) && !isView(collection.name))
      throw new Error(`collection '${collection.name}' is not declared`);
    const table = new Table<never>(this.#db, collection);
    this.#made.set(collection.name, table);
    return table;
  }
}
