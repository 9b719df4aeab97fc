import type { Pool } from 'pg';
import { StoreError } from '../errors.ts';
import { Announcer, reportAsWarning } from '../news.ts';
import type { StoreOptions } from '../options.ts';
import type { Store } from '../types.ts';
import { clientOptions, codeOf, connectionOf, loadDriver, unreachable } from './connection.ts';
import { PostgresStore } from './engine.ts';
import { isPrepared, prepareSchema } from './schema.ts';

export interface PostgresOptions extends StoreOptions {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** Most connections at a time, not counting the one that listens. */
  readonly poolSize?: number;
}

const DEFAULT_POOL_SIZE = 10;
/** One for transactions and one for reads. */
const SMALLEST_POOL_SIZE = 2;

export async function openPostgres(options: PostgresOptions): Promise<Store> {
  const { url, collections, report = reportAsWarning } = options;
  const poolSize = Math.max(options.poolSize ?? DEFAULT_POOL_SIZE, SMALLEST_POOL_SIZE);
  const pool = await openPool(url, poolSize);
  const store = new PostgresStore({
    pool,
    url,
    poolSize,
    collections,
    announcer: new Announcer(collections, report),
    report,
  });
  try {
    if (!(await isPrepared(connectionOf(pool), options))) await prepare(pool, options);
    await store.listen();
    await store.followEarlierWriters();
    return store;
  } catch (error) {
    await store.close();
    throw error instanceof StoreError || isSqlError(error) ? error : unreachable(url, error);
  }
}

async function openPool(url: string, max: number): Promise<Pool> {
  const pg = await loadDriver();
  let pool: Pool;
  try {
    pool = new pg.Pool({ ...clientOptions(url), max });
  } catch (error) {
    throw unreachable(url, error);
  }
  // A connection that breaks fails the query that uses it, or is replaced when it is idle; the events say nothing more.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

async function prepare(pool: Pool, options: PostgresOptions): Promise<void> {
  const client = await pool.connect();
  const connection = connectionOf(client);
  try {
    await connection.query('BEGIN');
    await prepareSchema(connection, options);
    await connection.query('COMMIT');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** The server answered, and what it said is about a statement; refusing the login or the database is not. */
function isSqlError(error: unknown): boolean {
  return /^(0A|2[0-7]|4|5[345]|XX)/.test(codeOf(error));
}
