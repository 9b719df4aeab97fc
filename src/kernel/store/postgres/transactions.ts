import { randomInt } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { pause } from '../../time/timers.ts';
import { StoreError } from '../errors.ts';
import { type ChangeHooks, Footprint } from '../news.ts';
import type { Tx } from '../types.ts';
import { type Connection, codeOf, connectionOf, isLostConnection, Slots, unreachable } from './connection.ts';
import { CHANNEL, cacheNotice } from './notices.ts';
import type { Tables } from './table.ts';
import { Overtaken, PostgresTx } from './tx.ts';

const MOST_ATTEMPTS = 12;
const SHORTEST_PAUSE_MS = 2;
/** Serialization failure, deadlock, and a unique violation: some other transaction created the same thing at the same time. */
const CONFLICTS = new Set(['40001', '40P01', '23505']);

export interface TransactionSettings {
  readonly pool: Pool;
  readonly url: string;
  readonly node: string;
  readonly tables: Tables;
  /** How many run at once; the others wait. */
  readonly size: number;
  readonly changeHooks: ChangeHooks;
  readonly committed: (footprint: Footprint) => void;
}

type Body<R> = (tx: Tx, connection: Connection, footprint: Footprint) => Promise<R>;

/** Runs transactions on connections of the pool, and again where they have met with others. */
export class Transactions {
  readonly #settings: TransactionSettings;
  readonly #slots: Slots;

  constructor(settings: TransactionSettings) {
    this.#settings = settings;
    this.#slots = new Slots(settings.size);
  }

  run<R>(body: Body<R>): Promise<R> {
    return this.#slots.run(async () => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await this.#attempt(body);
        } catch (error) {
          if (isLostConnection(error)) throw unreachable(this.#settings.url, error);
          if (!isConflict(error)) throw error;
          if (attempt === MOST_ATTEMPTS) {
            throw new StoreError('CONFLICT', `gave up after ${attempt} conflicts with other transactions`, {
              cause: error,
            });
          }
          await pause(randomInt(SHORTEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** Math.min(attempt, 6)));
        }
      }
    });
  }

  async #attempt<R>(body: Body<R>): Promise<R> {
    const { pool, tables, node, changeHooks, committed } = this.#settings;
    const client = await pool.connect();
    const connection = connectionOf(client);
    const footprint = new Footprint();
    const tx = new PostgresTx(connection, tables, footprint, changeHooks);
    let result: R;
    try {
      await connection.query('BEGIN ISOLATION LEVEL READ COMMITTED');
      try {
        result = await body(tx, connection, footprint);
      } finally {
        tx.end();
      }
      if (tx.failure !== undefined) throw tx.failure;
      const notice = cacheNotice(node, footprint);
      if (notice !== undefined) await connection.query('SELECT pg_notify($1, $2)', [CHANNEL, notice]);
      await connection.query('COMMIT');
    } catch (error) {
      await rollBack(client);
      // What the database said first is the cause; the body may have thrown something of its own because of it.
      throw isConflict(tx.failure) ? tx.failure : error;
    }
    client.release();
    committed(footprint);
    return result;
  }
}

async function rollBack(client: PoolClient): Promise<void> {
  try {
    await client.query('ROLLBACK');
    client.release();
  } catch {
    // The connection is of no use any more; the server takes the transaction back by itself.
    client.release(true);
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof Overtaken || CONFLICTS.has(codeOf(error));
}
