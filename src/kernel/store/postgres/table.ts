import { readDocument } from '../document.ts';
import { POSTGRES } from '../sql/dialect.ts';
import { identifier, type Layout, layoutOf } from '../sql/layout.ts';
import { countStatement, pageStatement } from '../sql/page.ts';
import { type PageRow, toPage } from '../sql/rows.ts';
import { type Reads, searchCount, searchPage } from '../sql/search-page.ts';
import { planSearch } from '../sql/search-plan.ts';
import { isView } from '../sql/views.ts';
import { type DocumentStatements, documentStatements } from '../sql/writes.ts';
import type { Collection, Page, Query, ReadLock, Stored } from '../types.ts';
import { storable } from '../values.ts';
import type { Connection } from './connection.ts';

const LOCKS: Readonly<Record<ReadLock, string>> = { update: ' FOR UPDATE', share: ' FOR SHARE', none: '' };

/** The statements of one collection; the caller passes the connection. */
export class Table<T> {
  readonly layout: Layout<T>;
  readonly sql: DocumentStatements;

  constructor(collection: Collection<T>) {
    this.layout = layoutOf(collection, POSTGRES);
    this.sql = documentStatements(this.layout, POSTGRES);
  }

  /** The name under which a connection prepares one of this collection's statements. */
  nameOf(statement: string): string {
    return identifier(statement, this.layout.collection.name);
  }

  async get(on: Connection, key: string, lock: ReadLock): Promise<Stored<T> | undefined> {
    const stored = storable(key);
    const { rows } = await on.query(this.sql.get + LOCKS[lock], [stored], this.nameOf(`get-${lock}`));
    if (rows.length === 0) return undefined;
    const [etag, body] = rows[0] as [string, string];
    return { key: stored, etag, value: readDocument(this.layout.collection, stored, etag, body) };
  }

  /** Not a named statement: a generic plan, made without the limit and the values, may sort where it could walk an index. */
  async query(on: Connection, query: Query): Promise<Page<T>> {
    const plan = planSearch(this.layout.collection, query.filter);
    if (plan) return toPage(this.layout, query, await read(on, searchPage(this.layout, POSTGRES, query, plan)));
    const { sql, values } = pageStatement(this.layout, POSTGRES, query);
    const { rows } = await on.query(sql, values);
    return toPage(this.layout, query, rows as PageRow[]);
  }

  async count(on: Connection, query: Pick<Query, 'prefix' | 'filter'>): Promise<number> {
    const plan = planSearch(this.layout.collection, query.filter);
    const { sql, values } = plan
      ? searchCount(this.layout, POSTGRES, query, plan)
      : countStatement(this.layout, POSTGRES, query);
    const { rows } = await on.query(sql, values);
    return Number(rows[0]?.[0]);
  }
}

async function read<R>(on: Connection, reads: Reads<R>): Promise<R> {
  let next = reads.next();
  while (!next.done) {
    const { rows } = await on.query(next.value.sql, next.value.values);
    next = reads.next(rows);
  }
  return next.value;
}

export class Tables {
  readonly #declared: ReadonlyMap<string, Collection<never>>;
  readonly #made = new Map<string, Table<never>>();

  constructor(collections: readonly Collection<never>[]) {
    this.#declared = new Map(collections.map((each) => [each.name, each]));
  }

  of<T>(collection: Collection<T>): Table<T> {
    const made = this.#made.get(collection.name) ?? this.#make(collection);
    return made as Table<T>;
  }

  /** All tables that `wipe` empties. */
  wipeable(): string[] {
    const tables: string[] = [];
    for (const collection of this.#declared.values()) {
      if (collection.permanent) continue;
      const { layout } = this.of(collection);
      tables.push(layout.table, ...layout.sets.map((set) => set.table));
      if (layout.search) tables.push(layout.search.words);
    }
    return tables;
  }

  #make(collection: Collection<never>): Table<never> {
    if (!this.#declared.has(collection.name) && !isView(collection.name))
      throw new Error(`collection '${collection.name}' is not declared`);
    const table = new Table<never>(collection);
    this.#made.set(collection.name, table);
    return table;
  }
}
