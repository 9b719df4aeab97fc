import { shortId } from '../../ids/index.ts';
import { later } from '../../time/timers.ts';
import { CommitNotifier, reportAsWarning } from '../commit-notifier.ts';
import { StoreError } from '../errors.ts';
import type { StoreOptions } from '../options.ts';
import { RequestOwners } from '../request-owners.ts';
import { withStoreCollections } from '../typed/definitions.ts';
import type { Store, StoreHealth } from '../types.ts';
import { codeOf, unreachable } from './connection.ts';
import { Connections } from './connections.ts';
import { PostgresStore, SELECT_CONNECTIONS } from './engine.ts';
import { BEAT_MS } from './nodes.ts';
import { isPrepared, prepareSchema } from './schema.ts';
import { WITHOUT_TIME_LIMITS } from './transactions.ts';

export interface PostgresOptions extends StoreOptions {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** Maximum number of connections, excluding the listener's and those for statements over typed tables. */
  readonly poolSize?: number;
  /** A database that answers nothing for this long is considered unreachable, and calls are refused until it answers again. */
  readonly silenceMs?: number;
  /** How many calls may wait for a connection; further calls are refused. */
  readonly queue?: number;
  /** Called when the database becomes unreachable, and when it answers again. */
  readonly healthChanged?: (health: StoreHealth) => void;
}

const DEFAULT_POOL_SIZE = 10;
/** One connection for transactions and one for reads. */
const SMALLEST_POOL_SIZE = 2;
const DEFAULT_SILENCE_MS = 5000;
const DEFAULT_QUEUE = 1000;

export async function openPostgres(given: PostgresOptions): Promise<Store> {
  const options = withStoreCollections(given);
  const { url, collections, report = reportAsWarning, healthChanged = () => {} } = options;
  const { silenceMs = DEFAULT_SILENCE_MS, queue = DEFAULT_QUEUE } = options;
  const poolSize = Math.max(options.poolSize ?? DEFAULT_POOL_SIZE, SMALLEST_POOL_SIZE);
  let isOpen = false;
  const changed = (health: StoreHealth): void => {
    // If the database cannot be opened, the error reports it.
    if (isOpen) healthChanged(health);
  };
  const connections = await Connections.open({ url, poolSize: poolSize + SELECT_CONNECTIONS, silenceMs, changed });
  const store = new PostgresStore({
    node: shortId(),
    connections,
    askers: new RequestOwners(),
    limits: { poolSize, silenceMs, queue },
    collections,
    notifier: new CommitNotifier(collections, report),
    report,
  });
  try {
    if (!(await connections.read((on) => isPrepared(on, options)))) await prepare(connections, options);
    await store.listen();
    await store.followEarlierWriters();
    isOpen = true;
    return store;
  } catch (error) {
    await store.close();
    throw error instanceof StoreError || isSqlError(error) ? error : unreachable(url, error);
  }
}

/** Rebuilding tables may take any time, here or on another node that this one waits for. */
async function prepare(connections: Connections, options: PostgresOptions): Promise<void> {
  const client = await connections.take();
  const stopAsking = keepAsking(connections);
  const connection = connections.on(client, { patient: true });
  try {
    await connection.query('BEGIN');
    await connection.query(WITHOUT_TIME_LIMITS);
    await prepareSchema(connection, options);
    await connection.query('COMMIT');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  } finally {
    stopAsking();
  }
}

/** There is no heartbeat yet. Without answers on a second connection, one long statement would look like a silent database. */
function keepAsking(connections: Connections): () => void {
  let stopped = false;
  const askSoon = (): void => {
    later(BEAT_MS, () => {
      const asked = stopped ? undefined : connections.read((on) => on.query('SELECT 1'));
      // The preparation gets the same error from the database.
      asked?.then(askSoon, askSoon);
    });
  };
  askSoon();
  return () => {
    stopped = true;
  };
}

/** True if the server answered, and its error is about a statement; a refused login or database is not. */
function isSqlError(error: unknown): boolean {
  return /^(0A|2[0-7]|4|5[345]|XX)/.test(codeOf(error));
}
