import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { onTestFinished, type TestContext } from 'vitest';
import { boolean, collection, number, set, text } from '../../../../src/kernel/store/collection.ts';
import type { StoredWork } from '../../../../src/kernel/store/options.ts';
import { openPostgres } from '../../../../src/kernel/store/postgres/store.ts';
import { type Dialect, POSTGRES, SQLITE } from '../../../../src/kernel/store/sql/dialect.ts';
import type { Statement } from '../../../../src/kernel/store/sql/page.ts';
import { Database } from '../../../../src/kernel/store/sqlite/database.ts';
import { openSqlite } from '../../../../src/kernel/store/sqlite/store.ts';
import type { Collection, Store } from '../../../../src/kernel/store/types.ts';
import { useEmptyDatabase } from '../../../support/use-postgres.ts';

export interface Thing {
  readonly name?: string | null;
  readonly size?: number | null;
  readonly on?: boolean | null;
  readonly tags?: readonly string[];
  readonly note?: string;
}

export const things = collection<Thing>('test.things', {
  fields: {
    name: text((thing) => thing.name),
    size: number((thing) => thing.size),
    on: boolean((thing) => thing.on),
    tags: set((thing) => thing.tags ?? []),
  },
  indexes: [['name'], ['size'], ['on', 'size']],
});
export const settings = collection<{ value: string }>('test.settings', { cached: true });
export const secrets = collection<{ value: string }>('test.secrets', { permanent: true, cached: true });
export const counters = collection<{ count: number }>('test.counters');

export const collections: readonly Collection<never>[] = [things, settings, secrets, counters];

/** The location of a test's data, which can be reopened after its store was closed. */
export interface Place {
  /** The path of the file or the URL of the database. */
  readonly address: string;
  /** `release` is the one that opens it; default none. */
  open(declared?: readonly Collection<never>[], release?: string, work?: readonly StoredWork[]): Promise<Store>;
  /** The engine's plan for a statement, as text. */
  explain(statement: Statement): Promise<string>;
  /** Runs a statement on a connection like the store's own. */
  rows(statement: Statement): Promise<unknown[][]>;
  /** Runs SQL directly on the database, bypassing the store. */
  sql(text: string): Promise<unknown[]>;
}

export interface Engine {
  readonly name: string;
  readonly dialect: Dialect;
  /** Whether the data outlives the store. */
  readonly durable: boolean;
  /** Whether several stores can be open on the same data. */
  readonly shared: boolean;
  place(context: Pick<TestContext, 'skip'>): Promise<Place>;
}

/** Closes the store after the test. */
function closing(store: Store): Store {
  onTestFinished(() => store.close());
  return store;
}

const memory: Engine = {
  name: 'SQLite in memory',
  dialect: SQLITE,
  durable: false,
  shared: false,
  async place() {
    return {
      address: '',
      open: async (declared = collections, release, work = []) =>
        closing(await openSqlite({ collections: declared, work, ...(release !== undefined && { release }) })),
      explain: () => Promise.reject(new Error('nobody else can look into a database in memory')),
      rows: () => Promise.reject(new Error('nobody else can look into a database in memory')),
      sql: () => Promise.reject(new Error('nobody else can look into a database in memory')),
    };
  },
};

export const file: Engine = {
  name: 'SQLite file',
  dialect: SQLITE,
  durable: true,
  shared: false,
  async place() {
    const folder = mkdtempSync(join(tmpdir(), 'cloudjar-store-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'jar.db');
    const query = (sql: string, values: readonly (string | number | null)[] = []) => {
      const db = new DatabaseSync(path);
      try {
        return db.prepare(sql).all(...values);
      } finally {
        db.close();
      }
    };
    // A connection like the store's own: statements may call its functions.
    const storeRows = ({ sql, values }: Statement): unknown[][] => {
      const db = new Database(path);
      try {
        return db.rows(sql, values);
      } finally {
        db.close();
      }
    };
    return {
      address: path,
      open: async (declared = collections, release, work = []) =>
        closing(
          await openSqlite({ file: path, collections: declared, work, ...(release !== undefined && { release }) }),
        ),
      explain: async ({ sql, values }) => {
        const plan = storeRows({ sql: `EXPLAIN QUERY PLAN ${sql}`, values });
        return plan.map(([, , , detail]) => detail).join('\n');
      },
      rows: async (statement) => storeRows(statement),
      sql: async (text) => query(text),
    };
  },
};

export const postgres: Engine = {
  name: 'PostgreSQL',
  dialect: POSTGRES,
  durable: true,
  shared: true,
  async place(context) {
    const url = await useEmptyDatabase(context, 'store');
    const query = async (sql: string, values: readonly unknown[] = []) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        const { rows } = await client.query(sql, [...values]);
        return rows;
      } finally {
        await client.end();
      }
    };
    return {
      address: url,
      open: async (declared = collections, release, work = []) =>
        closing(
          await openPostgres({
            url,
            collections: declared,
            work,
            report: () => {},
            ...(release !== undefined && { release }),
          }),
        ),
      explain: async ({ sql, values }) => {
        const rows = await query(`EXPLAIN ${sql}`, values);
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      },
      rows: async ({ sql, values }) => (await query(sql, values)).map((row) => Object.values(row)),
      sql: (text) => query(text),
    };
  },
};

export const engines: readonly Engine[] = [memory, file, postgres];

export async function openNew(engine: Engine, context: Pick<TestContext, 'skip'>): Promise<Store> {
  const place = await engine.place(context);
  return place.open();
}
