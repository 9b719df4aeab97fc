import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { followings } from '../../../src/kernel/feed/positions.ts';
import type { Change, Tx } from '../../../src/kernel/store/types.ts';
import { usePostgresDatabase } from '../../support/use-postgres.ts';
import { heard, ListeningJar, noting } from './listening-jar.ts';

const NAME = 'test.one';
const RUNS = process.env.CLOUDJAR_SOAK === '1' ? { sqlite: 60, postgres: 25 } : { sqlite: 30, postgres: 10 };

// These transactions are deliberately slow.
beforeAll(() => void vi.stubEnv('CLOUDJAR_TRANSACTION_GUARD', '0'));
afterAll(() => void vi.unstubAllEnvs());

interface Write {
  readonly op: 'write';
  readonly node: number;
  readonly kinds: readonly string[];
  /** Duration of the pause between its changes. */
  readonly idle: number;
  readonly fails: boolean;
}
type Step = Write | { readonly op: 'activate' | 'settle' | 'deactivate'; readonly node: number };

const node = fc.nat(9);
const write: fc.Arbitrary<Step> = fc.record({
  op: fc.constant('write'),
  node,
  kinds: fc.array(fc.constantFrom('good', 'bad'), { minLength: 1, maxLength: 4 }),
  idle: fc.nat(6),
  fails: fc.boolean(),
});
const other: fc.Arbitrary<Step> = fc.record({ op: fc.constantFrom('activate', 'settle', 'deactivate'), node });
/** The steps of one inner list start concurrently. */
const rounds = fc.array(fc.array(fc.oneof({ weight: 5, arbitrary: write }, other), { minLength: 1, maxLength: 8 }), {
  minLength: 1,
  maxLength: 6,
});

const jars: ListeningJar[] = [];
let written = 0;

async function start(count: number, flags: Record<string, unknown>): Promise<void> {
  const secretKey = randomBytes(32).toString('base64url');
  for (let i = 0; i < count; i++) {
    const jar = new ListeningJar([noting(NAME)]);
    jars.push(jar);
    await jar.start({ secretKey, ...flags });
  }
}

afterEach(async () => {
  await Promise.all(jars.splice(0).map((jar) => jar.close()));
});

/** Keeps the transaction open for a while, so that others run in between. */
async function linger(tx: Tx, turns: number): Promise<void> {
  for (let i = 0; i < turns; i++) await tx.get(heard, 'nothing', 'none');
}

async function perform(step: Step): Promise<void> {
  const jar = jars[step.node % jars.length]!;
  const { feed, store } = jar.jar;
  if (step.op === 'write') return writeChanges(jar, step);
  if (step.op === 'settle') return jar.settled();
  if (step.op === 'activate') return jar.activate(NAME);
  return store.transact((tx) => feed.deactivate(tx, NAME, async () => step.node % 3 > 0));
}

async function writeChanges(jar: ListeningJar, step: Write): Promise<void> {
  const done = jar.jar.store.transact(async (tx) => {
    for (const kind of step.kinds) {
      await jar.change(tx, `${written++}`, kind);
      await linger(tx, step.idle);
    }
    if (step.fails) throw new Error('taken back');
  });
  const end = await done.then(
    () => 'done',
    ({ message }: Error) => message,
  );
  expect(end).toBe(step.fails ? 'taken back' : 'done');
}

/** Every change of the feed, from the beginning. */
async function allChanges(): Promise<Change[]> {
  const all: Change[] = [];
  for (;;) {
    const page = await jars[0]!.jar.store.changesAfter(all.at(-1)?.cursor, 1000);
    if (page.length === 0) return all;
    all.push(...page);
  }
}

async function check(list: readonly (readonly Step[])[]): Promise<void> {
  const { jar } = jars[0]!;
  await jars[0]!.activate(NAME);
  for (const round of list) await Promise.all(round.map(perform));
  await jars[0]!.activate(NAME);
  const since = (await jar.store.get(followings, NAME))?.value.since;
  const last = (await jar.store.get(heard, NAME))?.value.subjects ?? [];
  await jars.at(-1)!.changes(`${written++}`);
  const wanted = (await allChanges()).filter(({ cursor, kind }) => kind === 'good' && (!since || cursor > since));
  // Changes before the last activation may or may not have been processed; the follower itself checks their order and that none is
  // repeated.
  const expected = wanted.map(({ subject }) => subject);
  const heardSince = async () => {
    const all = (await jar.store.get(heard, NAME))?.value.subjects ?? [];
    return all.filter((subject) => expected.includes(subject));
  };
  await expect.poll(heardSince).toEqual(expected);
  expect(new Set(last).size).toBe(last.length);
  await jar.store.transact(async (tx) => {
    await jar.feed.deactivate(tx, NAME);
    await tx.delete(heard, NAME);
  });
}

describe('under concurrency, every wanted change is processed once, in the order of the feed', () => {
  test('sqlite', { timeout: 600_000 }, async () => {
    await start(1, { memory: true });
    await fc.assert(fc.asyncProperty(rounds, check), { numRuns: RUNS.sqlite });
  });

  test('postgres, on three nodes', { timeout: 600_000 }, async (context) => {
    await start(3, { databaseUrl: await usePostgresDatabase(context, 'feed-nodes') });
    await fc.assert(fc.asyncProperty(rounds, check), { numRuns: RUNS.postgres });
  });
});

test('postgres: a change is processed if its transaction saw no active follower but commits after an activation', {
  timeout: 600_000,
}, async (context) => {
  await start(2, { databaseUrl: await usePostgresDatabase(context, 'feed-late') });
  const [here, there] = jars as [ListeningJar, ListeningJar];
  await here.changes('one that nobody hears');
  await there.changes('another');
  for (const [writer, activator] of [
    [here, there],
    [here, here],
  ] as const) {
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const subject = `late ${written++}`;
    const late = writer.jar.store.transact(async (tx) => {
      await writer.change(tx, subject);
      begun.resolve();
      await end.promise;
    });
    await begun.promise;
    await activator.activate(NAME);
    await activator.settled();
    end.resolve();
    await late;
    await expect.poll(() => here.heard(NAME)).toContain(subject);
    await activator.deactivate(NAME);
  }
});

test('postgres: a change behind an uncommitted one is processed when that one ends', {
  timeout: 600_000,
}, async (context) => {
  await start(1, { databaseUrl: await usePostgresDatabase(context, 'feed-hidden') });
  const jar = jars[0]!;
  await jar.activate(NAME);
  await jar.settled();
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const slow = jar.jar.store.transact(async (tx) => {
    await jar.change(tx, 'slow', 'bad');
    begun.resolve();
    await end.promise;
    await jar.change(tx, 'slow again');
  });
  await begun.promise;
  await jar.changes('quick');
  await jar.changes('quick again');
  expect(await jar.heard(NAME)).toEqual([]);
  end.resolve();
  await slow;
  await jar.settled();
  expect(await jar.heard(NAME)).toEqual(['quick', 'quick again', 'slow again']);
});
