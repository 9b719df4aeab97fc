import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { Cell } from '../../src/kernel/store/index.ts';

/** The same rows in the same engine, with one prepared statement and one commit per batch. */
export interface BareInsert {
  insert(rows: readonly (readonly Cell[])[]): Promise<void>;
  close(): Promise<void>;
}

export function bareSqlite(file: string): BareInsert {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  db.exec('CREATE TABLE sale (n INTEGER PRIMARY KEY, c1 INTEGER, c2 INTEGER, c3 INTEGER, c4 REAL, c5 TEXT)');
  const statement = db.prepare('INSERT INTO sale (c1, c2, c3, c4, c5) VALUES (?, ?, ?, ?, ?)');
  return {
    async insert(rows) {
      db.exec('BEGIN IMMEDIATE');
      for (const row of rows) statement.run(...row);
      db.exec('COMMIT');
    },
    async close() {
      db.close();
    },
  };
}

export async function barePostgres(url: string): Promise<BareInsert> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    'CREATE TABLE public.sale (n bigserial PRIMARY KEY, c1 bigint, c2 bigint, c3 bigint, c4 float8, c5 text)',
  );
  const text =
    'INSERT INTO public.sale (c1, c2, c3, c4, c5) SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::float8[], $5::text[])';
  return {
    async insert(rows) {
      const columns = [0, 1, 2, 3, 4].map((i) => rows.map((row) => row[i]));
      await client.query({ name: 'insert', text, values: columns });
    },
    close: () => client.end(),
  };
}
