import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { resourceGroups } from '../../src/kernel/arm/collections.ts';
import { Vault } from '../../src/kernel/auth/vault.ts';
import { clockCollection, openClock } from '../../src/kernel/clock/index.ts';
import { createSnapshots, type Snapshots, snapshotCollections } from '../../src/kernel/snapshots/index.ts';
import { openPostgres, openSqlite } from '../../src/kernel/store/index.ts';
import { POSTGRES, SQLITE } from '../../src/kernel/store/sql/dialect.ts';
import { layoutOf } from '../../src/kernel/store/sql/layout.ts';
import type { Store } from '../../src/kernel/store/types.ts';
import { createDatabase, startPostgres } from '../../test/support/postgres.ts';
import type { Case, CaseContext, Comparison } from '../lib/case.ts';
import { fillStore } from '../lib/groups.ts';
import { takeTurns, timed } from '../lib/rounds.ts';
import { loadStartJar } from '../lib/testing.ts';

const COLLECTIONS = [resourceGroups, clockCollection, ...snapshotCollections];
const SUBSCRIPTION = '10000000-0000-4000-8000-0000000000f1';

export const snapshots: Case = {
  name: 'snapshots',
  summary: 'All state to a snapshot and back, against copying the same rows within the database by plain SQL.',
  async run(context) {
    return [...(await onSqlite(context)), ...(await onPostgres(context)), await seedAgainstReset(context)];
  },
};

/** Runs SQL on its own connection. */
type Sql = (text: string) => Promise<unknown>;

async function onSqlite(context: CaseContext): Promise<Comparison[]> {
  const file = join(context.folder, 'jar.db');
  const store = await openSqlite({ file, collections: COLLECTIONS });
  const db = new DatabaseSync(file, { timeout: 60_000 });
  db.exec('PRAGMA synchronous = FULL');
  const compared = await compare(context, 'SQLite file', store, layoutOf(resourceGroups, SQLITE).table, async (text) =>
    db.exec(text),
  );
  db.close();
  return compared;
}

async function onPostgres(context: CaseContext): Promise<Comparison[]> {
  const server = await startPostgres();
  try {
    const url = await createDatabase(server.url, 'bench');
    const store = await openPostgres({ url, collections: COLLECTIONS });
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { table } = layoutOf(resourceGroups, POSTGRES);
    const compared = await compare(context, 'PostgreSQL', store, table, (text) => client.query(text));
    await client.end();
    return compared;
  } finally {
    await server.stop();
  }
}

async function compare(
  { quick, say }: CaseContext,
  engine: string,
  store: Store,
  table: string,
  sql: Sql,
): Promise<Comparison[]> {
  const rows = quick ? 10_000 : 100_000;
  say(`writing ${rows} documents (${engine})`);
  await fillStore(store, SUBSCRIPTION, rows);
  const clock = await openClock({ mode: 'virtual', store });
  const saved = openSnapshots(store, clock);
  await sql(`CREATE TABLE bench_copy AS SELECT * FROM ${table} WHERE 1 = 0`);
  const rounds = quick ? 2 : 5;
  const saves = await takeTurns(rounds, {
    copy: () =>
      timed(() => inTransaction(sql, 'DELETE FROM bench_copy', `INSERT INTO bench_copy SELECT * FROM ${table}`)),
    save: () => timed(() => saved.save('bench')),
  });
  const restores = await takeTurns(rounds, {
    copy: () =>
      timed(() => inTransaction(sql, `DELETE FROM ${table}`, `INSERT INTO ${table} SELECT * FROM bench_copy`)),
    restore: () => timed(() => saved.restore('bench')),
  });
  const { bytes, storedBytes } = await saved.get('bench');
  clock.close();
  await store.close();
  const note = `${rows} documents, ${Math.round(bytes / 1e6)} MB of content in ${Math.round(storedBytes / 1e6)} MB`;
  return [
    {
      title: `save, ${engine}`,
      unit: 'ms',
      baseline: { name: 'INSERT … SELECT into a table without indexes', values: saves.copy },
      subject: { name: 'save', values: saves.save },
      note,
    },
    {
      title: `restore, ${engine}`,
      unit: 'ms',
      baseline: { name: 'DELETE and INSERT … SELECT back', values: restores.copy },
      subject: { name: 'restore', values: restores.restore },
      note,
    },
  ];
}

async function inTransaction(sql: Sql, ...statements: string[]): Promise<void> {
  await sql('BEGIN');
  for (const statement of statements) await sql(statement);
  await sql('COMMIT');
}

function openSnapshots(store: Store, clock: Awaited<ReturnType<typeof openClock>>): Snapshots {
  return createSnapshots({
    store,
    clock,
    vault: Vault.withRandomKey(),
    worker: { pause: async () => {}, resume: () => {} },
    version: 'bench',
    collections: COLLECTIONS,
    forget: async () => {},
    report: (error) => {
      throw error;
    },
  });
}

/** Compares the two ways to restore state between tests: a reset to the seed, and a prepared snapshot. */
async function seedAgainstReset({ quick }: CaseContext): Promise<Comparison> {
  const startJar = await loadStartJar();
  const jar = await startJar();
  await jar.snapshot('seed');
  const figures = await takeTurns(quick ? 5 : 21, {
    reset: () => timed(() => jar.reset()),
    restore: () => timed(() => jar.restore('seed')),
  });
  await jar.close();
  return {
    title: 'back to the seed in memory',
    unit: 'ms',
    baseline: { name: 'jar.reset()', values: figures.reset },
    subject: { name: 'jar.restore(name)', values: figures.restore },
    target: { atMost: 3 },
  };
}
