import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LimitEngine } from '../../../src/kernel/limits/engine.ts';
import { dropCounts, limitCollections, type QuotaLimit } from '../../../src/kernel/limits/index.ts';
import { quotaCounts } from '../../../src/kernel/limits/quota-count.ts';
import { readTables } from '../../../src/kernel/limits/table.ts';
import { openPostgres } from '../../../src/kernel/store/postgres/store.ts';
import { openSqlite } from '../../../src/kernel/store/sqlite/store.ts';
import { createLogger } from '../../../src/kernel/telemetry/log.ts';
import { createMetrics } from '../../../src/kernel/telemetry/metrics.ts';
import { useEmptyDatabase } from '../../support/use-postgres.ts';
import { standingClock } from './rows.ts';

const HOUR = 3_600_000;

const SAVED: QuotaLimit = { kind: 'quota', name: 'test.saved', title: 'Saved', scope: ['owner'], limit: 5 };
const MADE: QuotaLimit = { ...SAVED, name: 'test.made', title: 'Made in an hour', limit: 8, windowMs: HOUR };
const KEPT: QuotaLimit = { ...MADE, keptWith: SAVED.name };

async function open(engine: string, skip: Parameters<typeof useEmptyDatabase>[0]['skip'], limits = [SAVED, KEPT]) {
  const options = { collections: limitCollections, report: () => {} };
  const store =
    engine === 'sqlite'
      ? await openSqlite(options)
      : await openPostgres({ ...options, url: await useEmptyDatabase({ skip }, 'kept') });
  const clock = standingClock();
  const log = createLogger({ level: 'silent' });
  const tables = [{ service: 'test', limits }];
  const jar = await LimitEngine.open({ store, clock, log, metrics: createMetrics(), tables });
  onTestFinished(async () => {
    await jar.close();
    await store.close();
  });
  const [saved, made] = limits as [QuotaLimit, QuotaLimit];
  const scope = ['a'];
  return {
    store,
    clock,
    jar,
    create: (count = 1) =>
      store.transact((tx) =>
        jar.takeQuotas(tx, [
          { limit: made, scope, count },
          { limit: saved, scope, count },
        ]),
      ),
    submit: (count = 1) => store.transact((tx) => jar.takeQuota(tx, { limit: made, scope, count })),
    remove: (count = 1) => store.transact((tx) => jar.freeQuota(tx, { limit: saved, scope, count })),
    async used() {
      const callerIdentities = await Promise.all([saved, made].map((limit) => jar.quotaStanding(limit, scope)));
      return callerIdentities.map(({ used }) => used);
    },
  };
}

describe.each(['sqlite', 'postgres'])('%s: a quota that is kept with another', (engine) => {
  it('has its count in the document of the other, and each is read by its own name', async ({ skip }) => {
    const { store, jar, create, used } = await open(engine, skip);
    const decisions = await create(2);
    expect(decisions).toMatchObject([
      { limit: KEPT, current: 0 },
      { limit: SAVED, current: 0 },
    ]);
    expect(await used()).toEqual([2, 2]);
    expect(await store.count(quotaCounts)).toBe(1);
    for (const limit of [SAVED, KEPT]) {
      for (const where of [new Map(), new Map([[0, 'a']])])
        expect(await jar.usage(limit, { where, most: 5 })).toMatchObject([{ scope: ['a'], used: 2 }]);
    }
  });

  it('a refusal by one of them changes neither, and the first that refuses ends the decisions', async ({ skip }) => {
    const { create, submit, used } = await open(engine, skip);
    await create(5);
    expect(await create()).toMatchObject([
      { allowed: true, current: 5 },
      { allowed: false, limit: SAVED, current: 5, maximum: 5 },
    ]);
    expect(await used()).toEqual([5, 5]);
    expect(await submit(3)).toMatchObject({ allowed: true });
    expect(await create()).toMatchObject([{ allowed: false, limit: KEPT, current: 8, maximum: 8 }]);
    expect(await used()).toEqual([5, 8]);
  });

  it('a removal frees only the quota without a window, and the document stays for the windowed one', async ({
    skip,
  }) => {
    const { store, jar, create, remove, used, clock } = await open(engine, skip);
    await create(3);
    await remove(1);
    expect(await used()).toEqual([2, 3]);
    await remove(2);
    expect(await used()).toEqual([0, 3]);
    expect(await jar.usage(SAVED, { where: new Map(), most: 5 })).toEqual([]);
    expect(await jar.usage(KEPT, { where: new Map(), most: 5 })).toMatchObject([{ used: 3 }]);
    clock.time += 2 * HOUR;
    expect(await used()).toEqual([0, 0]);
    expect(await store.transact((tx) => dropCounts(tx, SAVED, ['a']))).toBe(false);
    expect(await store.count(quotaCounts)).toBe(0);
  });

  it('things created in other ways are counted, although the document already exists', async ({ skip }) => {
    const { store, jar, submit } = await open(engine, skip);
    await submit();
    const actual = async () => 4;
    const take = () => store.transact((tx) => jar.takeQuota(tx, { limit: SAVED, scope: ['a'], actual }));
    expect(await take()).toMatchObject({ allowed: true, current: 4 });
    expect(await take()).toMatchObject({ allowed: false, current: 5 });
  });

  it('64 at once never make more than either limit', async ({ skip }) => {
    const { create, submit, used } = await open(engine, skip);
    const all = await Promise.all(Array.from({ length: 64 }, (_, n) => (n % 2 ? create() : submit().then((d) => [d]))));
    const allowed = all.filter((decisions) => decisions.every((each) => each.allowed));
    const [saved, made] = (await used()) as [number, number];
    expect(made).toBe(8);
    expect(saved).toBeLessThanOrEqual(5);
    expect(allowed).toHaveLength(8);
  });
});

it('counts the same as separate documents, for any sequence of operations', async ({ skip }) => {
  const step = fc.record({
    what: fc.constantFrom('create', 'submit', 'remove'),
    count: fc.integer({ min: 0, max: 3 }),
    wait: fc.constantFrom(0, HOUR / 7, HOUR),
  });
  const run = fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
    const together = await open('sqlite', skip);
    const apart = await open('sqlite', skip, [SAVED, MADE]);
    for (const { what, count, wait } of steps) {
      for (const each of [together, apart]) {
        each.clock.time += wait;
        await each[what as 'create'](count);
      }
      expect(await together.used()).toEqual(await apart.used());
    }
  });
  await fc.assert(run, { numRuns: 30 });
});

it.each([
  [[SAVED, { ...SAVED, name: 'test.other', keptWith: SAVED.name }], 'only a quota with a window'],
  [[KEPT], 'must be a quota of the same scope without a window'],
  [[{ ...SAVED, scope: ['tenant'] }, KEPT], 'must be a quota of the same scope without a window'],
  [[{ ...SAVED, windowMs: HOUR }, KEPT], 'must be a quota of the same scope without a window'],
  [[SAVED, KEPT, { ...KEPT, name: 'test.others' }], 'is kept with'],
])('a table that keeps a quota with the wrong one is refused: %#', (limits, reason) => {
  expect(() => readTables([{ service: 'test', limits: limits as QuotaLimit[] }])).toThrow(reason);
});
