import pg from 'pg';
import { expect } from 'vitest';

const WAITING = `SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;

export interface HeldLock {
  /** Resolves when another session waits for the lock. */
  wanted(): Promise<void>;
  release(): Promise<void>;
}

/** Holds the lock that a transaction of the store takes with `tx.lock(name)`. */
export async function holdLock(databaseUrl: string, name: string): Promise<HeldLock> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  await client.connect();
  await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name]);
  return {
    wanted: () =>
      expect
        .poll(async () => (await client.query<{ count: number }>(WAITING)).rows[0]?.count, { timeout: 60_000 })
        .toBeGreaterThan(0),
    release: () => client.end(),
  };
}
