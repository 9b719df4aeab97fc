import { randomInt } from 'node:crypto';
import type { PoolClient } from 'pg';
import { pause } from '../../time/timers.ts';
import { type ChangeHooks, TransactionEffects } from '../commit-notifier.ts';
import { StoreError } from '../errors.ts';
import { type RequestOwner, type RequestOwners, refuseAbandoned } from '../request-owners.ts';
import type { SpellingCache } from '../typed/spelling-cache.ts';
import type { Tx } from '../types.ts';
import { asStoreError, type Connection, codeOf, isLostConnection, isReadOnly } from './connection.ts';
import type { Connections } from './connections.ts';
import { CHANNEL, cacheNotice } from './notices.ts';
import type { Slots } from './slots.ts';
import type { Tables } from './table.ts';
import { ConcurrentCreation, PostgresTx } from './tx.ts';
import { keepLease } from './work.ts';

const MOST_ATTEMPTS = 12;
const SHORTEST_PAUSE_MS = 2;
/** Serialization failure, deadlock, and unique violation: another transaction created the same row at the same time. */
const CONFLICTS = new Set(['40001', '40P01', '23505']);

export interface TransactionSettings {
  readonly connections: Connections;
  readonly slots: Slots;
  readonly askers: RequestOwners;
  /** The sender name in notices to other nodes. */
  readonly sender: () => string;
  readonly tables: Tables;
  readonly spellings: SpellingCache;
  readonly changeHooks: ChangeHooks;
  readonly committed: (effects: TransactionEffects) => void;
  /** Called if the response to a commit is lost: the commit may have happened, and may yet happen. */
  readonly uncertain: (effects: TransactionEffects) => void;
}

type Body<R> = (tx: Tx, connection: Connection, effects: TransactionEffects) => Promise<R>;

export interface TransactionOptions {
  /** Disables time limits, for transactions whose statements rewrite everything. */
  readonly patient?: boolean;
}

/** Overrides the limits that `Connections` sets for every session. */
export const WITHOUT_TIME_LIMITS = 'SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0';

/** Runs transactions on connections of the pool, and retries them after conflicts. */
export class Transactions {
  readonly #settings: TransactionSettings;

  constructor(settings: TransactionSettings) {
    this.#settings = settings;
  }

  run<R>(body: Body<R>, options: TransactionOptions = {}): Promise<R> {
    const { connections, slots, askers } = this.#settings;
    return slots.run(async () => {
      for (let attempt = 1; ; attempt++) {
        refuseAbandoned(askers.current);
        try {
          return await this.#attempt(body, options);
        } catch (error) {
          if (!isConflict(error)) throw asStoreError(connections.url, error);
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

  async #attempt<R>(body: Body<R>, { patient = false }: TransactionOptions): Promise<R> {
    const { connections, askers, tables, spellings, sender, changeHooks, committed, uncertain } = this.#settings;
    const asker = askers.current;
    const client = await connections.take();
    const connection = connections.on(client, { patient });
    const effects = new TransactionEffects();
    const tx = new PostgresTx(connection, tables, effects, changeHooks, spellings);
    let result: R;
    try {
      await connection.query('BEGIN ISOLATION LEVEL READ COMMITTED');
      if (patient) await connection.query(WITHOUT_TIME_LIMITS);
      try {
        result = await body(tx, connection, effects);
      } finally {
        tx.end();
      }
      if (tx.failure !== undefined) throw tx.failure;
      const notice = cacheNotice(sender(), effects);
      if (notice !== undefined) await connection.query('SELECT pg_notify($1, $2)', [CHANNEL, notice]);
      refuseAbandoned(asker);
      await fence(connection, tx, asker);
      await commit(connection);
    } catch (error) {
      await rollBack(client, connection, error);
      if (isUncertain(error)) {
        asker?.committed?.();
        uncertain(effects);
      }
      // The first error of the database is the cause; the body may have thrown another error because of it.
      throw isConflict(tx.failure) || isLostConnection(tx.failure) ? tx.failure : error;
    }
    client.release();
    asker?.committed?.();
    if (asker?.holds && tx.hasEnded(asker.holds.item)) asker.holds.ended = true;
    committed(effects);
    return result;
  }
}

/**
 * The holder of a work item commits nothing after its lease is lost: a node that was paused for too long has lost the item to another node,
 * which may be processing it. The item stays locked until the commit.
 */
async function fence(connection: Connection, tx: PostgresTx, asker: RequestOwner | undefined): Promise<void> {
  const held = asker?.holds;
  if (held && !held.ended && !tx.hasEnded(held.item)) await keepLease(connection, held.item);
}

async function commit(connection: Connection): Promise<void> {
  try {
    await connection.query('COMMIT');
  } catch (error) {
    if (!isLostConnection(error)) throw error;
    const message =
      'the connection to the database was lost during the commit; the change may or may not have been made';
    throw new StoreError('UNCERTAIN', message, { cause: error });
  }
}

async function rollBack(client: PoolClient, connection: Connection, error: unknown): Promise<void> {
  try {
    // A lost connection gives no answer, and the server rolls back by itself when it detects the loss. A connection to a read-only server
    // is discarded too.
    if (isLostConnection(error) || isUncertain(error) || isReadOnly(error)) throw error;
    await connection.query('ROLLBACK');
    client.release();
  } catch {
    client.release(true);
  }
}

const isUncertain = (error: unknown): boolean => error instanceof StoreError && error.code === 'UNCERTAIN';

function isConflict(error: unknown): boolean {
  return error instanceof ConcurrentCreation || CONFLICTS.has(codeOf(error));
}
