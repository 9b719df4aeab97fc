import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { followings } from '../../../src/kernel/feed/positions.ts';
import { usePostgresDatabase } from '../../support/use-postgres.ts';
import { ListeningJar, noting } from './listening-jar.ts';

const KEPT = 1000;
/** Changes per node: enough for a node to count the records, so that the last node does. */
const EACH = 1000;
const ALL = 3 * EACH;
/** Less than the default, because a failing follower is retried every hour of all these days. */
const DAYS = 2;
const POLL = { timeout: 120_000 };

/** The database records which records are removed, in which order and in which transaction. */
const NOTE_GONE = `
  CREATE TABLE IF NOT EXISTS public.gone (place bigserial, seq bigint, subject text, tx text);
  CREATE OR REPLACE FUNCTION public.note_gone() RETURNS trigger LANGUAGE plpgsql AS $fn$
    BEGIN
      INSERT INTO public.gone (seq, subject, tx) VALUES (OLD.seq, OLD.subject, pg_current_xact_id()::text);
      RETURN NULL;
    END $fn$;
  CREATE TRIGGER note_gone AFTER DELETE ON cloudjar.changes FOR EACH ROW EXECUTE FUNCTION public.note_gone();
`;

/** Within a transaction the order is that of the table and has no meaning. */
const GONE = 'SELECT subject FROM public.gone ORDER BY min(place) OVER (PARTITION BY tx), seq';

describe('postgres: change records of two nodes', () => {
  const failing = { fails: false };
  const followers = [
    noting('test.one'),
    noting('test.stuck', () => {
      if (failing.fails) throw new Error('not today');
    }),
  ];
  const one = new ListeningJar(followers);
  const two = new ListeningJar(followers);
  let database: pg.Client | undefined;
  let flags: Record<string, unknown> = {};

  beforeEach(async ({ skip }) => {
    failing.fails = false;
    if (!database) {
      const databaseUrl = await usePostgresDatabase({ skip }, 'retention');
      const secretKey = randomBytes(32).toString('base64url');
      flags = { databaseUrl, secretKey, changeRetentionCount: KEPT, changeRetentionDays: DAYS };
      for (const node of [one, two]) await node.start(flags);
      database = new pg.Client({ connectionString: databaseUrl });
      await database.connect();
      await database.query(NOTE_GONE);
    }
    await knownToTwo(() => one.running.reset());
    await settled();
    await database.query('TRUNCATE public.gone');
  });
  afterAll(() => Promise.all([one.close(), two.close(), database?.end()]));

  /** Waits for the notice too: until it arrives the other node counts its changes, then it starts again from none. */
  const knownToTwo = async (act: () => Promise<unknown>): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const unsubscribe = two.jar.store.onCommit(({ collections }) => {
      if (collections.includes(followings.name)) resolve();
    });
    await act();
    await promise;
    unsubscribe();
  };
  const settled = async (): Promise<void> => {
    for (const node of [one, two, one]) await node.settled();
  };
  const kept = async (node: ListeningJar): Promise<string[]> =>
    (await node.jar.store.changesAfter(undefined, 10_000)).map(({ subject }) => subject);
  const gone = async (): Promise<string[]> => {
    const { rows } = await (database as pg.Client).query(GONE);
    return rows.map(({ subject }) => subject);
  };
  /** Writes changes in transactions of fifty. */
  const write = async (node: ListeningJar, count: number, prefix: string): Promise<void> => {
    const names = Array.from({ length: count }, (_, i) => `${prefix}${i}`);
    for (let i = 0; i < count; i += 50) await node.changes(...names.slice(i, i + 50));
  };

  test('above the limit are removed once, the oldest first, while both nodes write', async () => {
    await knownToTwo(() => one.activate('test.one'));
    await Promise.all([write(one, EACH, 'a'), write(two, EACH, 'b')]);
    await settled();
    // More records may have arrived during the removal, but only the excess was removed.
    expect((await kept(one)).length).toBeGreaterThanOrEqual(KEPT);
    await write(two, EACH, 'c');
    await expect.poll(async () => (await kept(one)).length, POLL).toBe(KEPT);
    const [left, removed] = [await kept(one), await gone()];
    expect(await kept(two)).toEqual(left);
    expect(removed).toHaveLength(ALL - KEPT);
    expect(new Set([...removed, ...left]).size).toBe(ALL);
    // The oldest records of each node: no record is removed before an older one.
    for (const prefix of ['a', 'b', 'c']) {
      const numbers = [...removed, ...left].filter((subject) => subject.startsWith(prefix));
      expect(numbers).toEqual(Array.from({ length: EACH }, (_, i) => `${prefix}${i}`));
    }
    // None was removed before the follower had processed it: it has processed all of them, each once.
    await expect.poll(async () => (await one.heard()).length, POLL).toBe(ALL);
  });

  test('that are too old are removed once, whichever node moves the clock', async () => {
    await write(one, 600, 'a');
    await write(two, 600, 'b');
    await one.running.advance('12h');
    // The other node follows the clock a moment later; until then its changes get the old time.
    await expect.poll(() => two.jar.clock.now()).toEqual(one.jar.clock.now());
    await two.changes('younger');
    await Promise.all([one.running.advance('12h'), two.running.advance('1d')]);
    await settled();
    expect(await kept(one)).toEqual(['younger']);
    const removed = await gone();
    expect(removed).toHaveLength(1200);
    expect(new Set(removed).size).toBe(1200);
    await two.running.advance('12h');
    expect(await kept(one)).toEqual([]);
    // An empty feed leaves no work, on either node; the next change schedules it again.
    expect(await two.jar.store.work.nextDue()).toBeUndefined();
    await one.changes('next');
    await expect.poll(() => two.jar.store.work.nextDue()).toBeDefined();
    await two.running.advance('3d');
    expect(await kept(two)).toEqual([]);
  });

  test('that a follower has yet to process stay, however old and many, until it has', async () => {
    failing.fails = true;
    await one.activate('test.one', 'test.stuck');
    // Unwanted changes, before and after all others.
    await two.unwanted(30);
    await Promise.all([write(one, 50, 'a'), write(two, 50, 'b')]);
    await Promise.all([one.unwanted(EACH), two.unwanted(EACH)]);
    await expect.poll(async () => (await one.heard()).length, POLL).toBe(100);
    const needed = await one.heard();
    await two.running.advance('3d');
    expect(await gone()).toHaveLength(30);
    expect((await kept(one)).filter((subject) => /[ab]/.test(subject))).toEqual(needed);
    failing.fails = false;
    await one.running.advance('2d');
    await settled();
    expect(await two.heard('test.stuck')).toEqual(needed);
    expect(await kept(two)).toEqual([]);
    expect((await gone()).filter((subject) => /[ab]/.test(subject))).toEqual(needed);
    expect(await gone()).toHaveLength(30 + 100 + 2 * EACH);
    await two.changes('more');
    await expect.poll(() => one.heard('test.stuck')).toEqual([...needed, 'more']);
  });

  test('continue to be removed when one node ends, and when it is back', async () => {
    await one.activate('test.one');
    await write(two, 100, 'before');
    await two.close();
    await write(one, 100, 'alone');
    await one.running.advance('3d');
    await one.settled();
    expect(await kept(one)).toEqual([]);
    expect(await gone()).toHaveLength(200);
    await two.start(flags);
    await write(two, 100, 'back');
    await expect.poll(async () => (await one.heard()).length, POLL).toBe(300);
    await two.running.advance('3d');
    await settled();
    expect(await kept(one)).toEqual([]);
    expect(new Set(await gone()).size).toBe(300);
  });
});
