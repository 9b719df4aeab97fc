import type { Pool, PoolClient } from 'pg';
import { atMost } from '../../time/timers.ts';
import {
  asStoreError,
  type Connection,
  clientOptions,
  connectionOf,
  isReadOnly,
  loadDriver,
  unreachable,
} from './connection.ts';
import { Reach, type ReachSettings } from './reach.ts';

export interface ConnectionSettings extends ReachSettings {
  readonly poolSize: number;
}

/** The server's time limit for one statement, as a multiple of the silence after which the database is considered unreachable. */
const STATEMENT_FACTOR = 6;
/**
 * The server's limit for an idle transaction, as a multiple of the same silence: an idle transaction belongs to a stalled node, and its
 * locks block others.
 */
const IDLE_TRANSACTION_FACTOR = 2;
const CLOSE_MS = 1000;

/** The connection pool of one database, and the check that the database answers. */
export class Connections {
  readonly url: string;
  readonly reach: Reach;
  readonly #pool: Pool;

  private constructor(pool: Pool, reach: Reach, url: string) {
    this.#pool = pool;
    this.reach = reach;
    this.url = url;
  }

  static async open(settings: ConnectionSettings): Promise<Connections> {
    const { url, poolSize, silenceMs } = settings;
    const pg = await loadDriver();
    const reach = new Reach(settings);
    try {
      const pool = new pg.Pool({
        ...clientOptions(url),
        connectionTimeoutMillis: silenceMs,
        stream: reach.stream,
        statement_timeout: silenceMs * STATEMENT_FACTOR,
        idle_in_transaction_session_timeout: silenceMs * IDLE_TRANSACTION_FACTOR,
        max: poolSize,
      });
      // A broken connection fails the query that uses it, or is replaced if it is idle; the events add nothing.
      pool.on('error', () => {});
      pool.on('connect', (client) => client.on('error', () => {}));
      return new Connections(pool, reach, url);
    } catch (error) {
      throw unreachable(url, error);
    }
  }

  /** Takes a connection, which the caller releases. Throws at once while the database is known to be unreachable. */
  async take(): Promise<PoolClient> {
    this.reach.check();
    try {
      return await this.#pool.connect();
    } catch (error) {
      this.reach.failed(error);
      throw error;
    }
  }

  on(client: PoolClient, options?: { readonly patient: boolean }): Connection {
    return connectionOf(client, this.reach, options);
  }

  async read<R>(read: (on: Connection) => Promise<R>, options?: { readonly patient: boolean }): Promise<R> {
    try {
      const client = await this.take();
      let unfit = false;
      try {
        return await read(this.on(client, options));
      } catch (error) {
        unfit = isReadOnly(error);
        throw error;
      } finally {
        client.release(unfit);
      }
    } catch (error) {
      throw asStoreError(this.url, error);
    }
  }

  /** Connections that do not close in time are cut. */
  async close(): Promise<void> {
    await atMost(CLOSE_MS, this.#pool.end());
    this.reach.close();
  }
}
