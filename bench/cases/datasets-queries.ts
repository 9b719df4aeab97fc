import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type ColumnType, openPostgres, openSqlite, type Store } from '../../src/kernel/store/index.ts';
import { compileQuery } from '../../src/services/datasets/language/index.ts';
import { QUERY_LIBRARY } from '../../src/services/datasets/language/library.ts';
import { createDatabase, startPostgres } from '../../test/support/postgres.ts';
import type { Case, CaseContext, Comparison } from '../lib/case.ts';
import { takeTurns, timed } from '../lib/rounds.ts';
import { fillStar, STAR } from '../lib/star.ts';

const BOUNDS = { rows: 100_000, timeMs: 600_000 };

interface Question {
  readonly title: string;
  readonly query: string;
  /** The query that an expert on the tables would write. */
  readonly sql: (table: (name: string) => string) => string;
  readonly columns: readonly ColumnType[];
  readonly atMost?: number;
}

const QUESTIONS: readonly Question[] = [
  {
    title: 'a sum for each text of a column',
    query: 'EVALUATE SUMMARIZECOLUMNS(Sale[Kind], "total", [Total])',
    sql: (table) => `SELECT c5, sum(c4) FROM ${table('sale')} GROUP BY c5`,
    columns: ['text', 'double'],
    atMost: 1.5,
  },
  {
    title: 'a sum for each number of a column',
    query: 'EVALUATE SUMMARIZECOLUMNS(Sale[Qty], "total", [Total])',
    sql: (table) => `SELECT c3, sum(c4) FROM ${table('sale')} GROUP BY c3`,
    columns: ['int64', 'double'],
    atMost: 1.5,
  },
  {
    title: 'a sum under two filters of a star',
    query: 'EVALUATE { CALCULATE([Total], Product[Color] = "Red", Store[Region] = "Region 1") }',
    sql: (table) =>
      `SELECT sum(s.c4) FROM ${table('sale')} s JOIN ${table('product')} p ON p.c1 = s.c1 JOIN ${table('store')} r ON r.c1 = s.c2 WHERE p.c3 = 'Red' AND r.c3 = 'Region 1'`,
    columns: ['double'],
    atMost: 2,
  },
  {
    title: 'a sum for each city, by context transition',
    query: 'EVALUATE ADDCOLUMNS(DISTINCT(Store[City]), "total", [Total])',
    sql: (table) =>
      `SELECT r.c2, sum(s.c4) FROM ${table('sale')} s JOIN ${table('store')} r ON r.c1 = s.c2 GROUP BY r.c2`,
    columns: ['text', 'double'],
  },
  {
    title: 'a product with a related column',
    query: 'EVALUATE { SUMX(Sale, Sale[Qty] * RELATED(Product[Price])) }',
    sql: (table) => `SELECT sum(s.c3 * p.c4) FROM ${table('sale')} s JOIN ${table('product')} p ON p.c1 = s.c1`,
    columns: ['double'],
  },
];

export const datasetsQueries: Case = {
  name: 'datasets-queries',
  summary: 'Queries over a star of three tables, from their text to their rows.',
  async run(context) {
    const sales = context.quick ? 100_000 : 1_000_000;
    return [...(await onSqlite(context, sales)), ...(await onPostgres(context, sales))];
  },
};

async function onSqlite(context: CaseContext, sales: number): Promise<Comparison[]> {
  mkdirSync(context.folder, { recursive: true });
  const store = await openSqlite({ file: join(context.folder, 'star.db'), collections: [] });
  try {
    context.say(`writing ${sales} sales`);
    await fillStar(store, sales);
    return await compare(context, 'SQLite', store, sales);
  } finally {
    await store.close();
  }
}

async function onPostgres(context: CaseContext, sales: number): Promise<Comparison[]> {
  const server = await startPostgres();
  try {
    const url = await createDatabase(server.url, 'bench');
    const store = await openPostgres({ url, collections: [] });
    try {
      context.say(`writing ${sales} sales to PostgreSQL`);
      await fillStar(store, sales);
      await analyze(url);
      return await compare(context, 'PostgreSQL', store, sales);
    } finally {
      await store.close();
    }
  } finally {
    await server.stop();
  }
}

/** Runs the analysis that the server runs by itself some time after many writes. */
async function analyze(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
}

async function compare(
  { quick, say }: CaseContext,
  engine: string,
  store: Store,
  sales: number,
): Promise<Comparison[]> {
  const { tables } = store;
  await tables.use(QUERY_LIBRARY);
  const found: Comparison[] = [];
  for (const { title, query, sql, columns, atMost } of QUESTIONS) {
    say(`${engine}: ${title}`);
    const written = { text: sql((name) => tables.sqlName(name)), values: [], columns };
    const options = { engine: store.engine, now: 0, sqlName: (name: string) => tables.sqlName(name) };
    const figures = await takeTurns(quick ? 3 : 9, {
      written: () => timed(() => tables.select(written, BOUNDS)),
      compiled: () => timed(async () => tables.select(compileQuery(STAR, query, options).statement, BOUNDS)),
    });
    found.push({
      title: `${title}, ${sales.toLocaleString('en')} rows, ${engine}`,
      unit: 'ms',
      baseline: { name: 'SQL written by hand', values: figures.written },
      subject: { name: 'the query', values: figures.compiled },
      ...(atMost !== undefined && { target: { atMost } }),
    });
  }
  return found;
}
