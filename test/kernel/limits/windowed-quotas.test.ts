import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LimitEngine } from '../../../src/kernel/limits/engine.ts';
import { limitCollections, type QuotaLimit } from '../../../src/kernel/limits/index.ts';
import { quotaCounts } from '../../../src/kernel/limits/quota-count.ts';
import { openPostgres } from '../../../src/kernel/store/postgres/store.ts';
import { openSqlite } from '../../../src/kernel/store/sqlite/store.ts';
import { createLogger } from '../../../src/kernel/telemetry/log.ts';
import { createMetrics } from '../../../src/kernel/telemetry/metrics.ts';
import { useEmptyDatabase } from '../../support/use-postgres.ts';
import { standingClock } from './rows.ts';

const HOUR = 3_600_000;
const SLICE = HOUR / 60;

const HOURLY: QuotaLimit = {
  kind: 'quota',
  name: 'test.made',
  title: 'Made in an hour',
  scope: ['owner'],
  limit: 5,
  windowMs: HOUR,
};

async function open(engine: string, skip: Parameters<typeof useEmptyDatabase>[0]['skip']) {
  const options = { collections: limitCollections, report: () => {} };
  const store =
    engine === 'sqlite'
      ? await openSqlite(options)
      : await openPostgres({ ...options, url: await useEmptyDatabase({ skip }, 'windows') });
  const clock = standingClock();
  const log = createLogger({ level: 'silent' });
  const tables = [{ service: 'test', limits: [HOURLY] }];
  const limits = await LimitEngine.open({ store, clock, log, metrics: createMetrics(), tables });
  onTestFinished(async () => {
    await limits.close();
    await store.close();
  });
  const take = (count = 1, owner = 'a') =>
    store.transact((tx) => limits.takeQuota(tx, { limit: HOURLY, scope: [owner], count }));
  const used = async (owner = 'a') => (await limits.quotaStanding(HOURLY, [owner])).used;
  return { store, clock, limits, take, used };
}

describe.each(['sqlite', 'postgres'])('%s: quotas of a window', (engine) => {
  it('as many as the limit are made within the window, and more after its oldest slice has left it', async ({
    skip,
  }) => {
    const { clock, take, used, limits } = await open(engine, skip);
    expect(await take(3)).toMatchObject({ allowed: true, current: 0 });
    clock.time += HOUR / 2;
    expect(await take(2)).toMatchObject({ allowed: true, current: 3 });
    expect(await take()).toMatchObject({ allowed: false, current: 5, maximum: 5 });
    expect(await take(5, 'b')).toMatchObject({ allowed: true });
    clock.time += HOUR / 2 + SLICE;
    expect(await used()).toBe(2);
    expect(await take(3)).toMatchObject({ allowed: true, current: 2 });
    expect(await take()).toMatchObject({ allowed: false });
    const [fullest] = await limits.usage(HOURLY, { where: new Map([[0, 'a']]), most: 1 });
    expect(fullest).toMatchObject({ used: 5, remaining: 0 });
  });

  it('removals free nothing, and a rollback counts nothing', async ({ skip }) => {
    const { store, limits, take, used } = await open(engine, skip);
    await take(4);
    const free = store.transact((tx) => limits.freeQuota(tx, { limit: HOURLY, scope: ['a'] }));
    await expect(free).rejects.toThrow('cannot be freed');
    const undone = store.transact(async (tx) => {
      await limits.takeQuota(tx, { limit: HOURLY, scope: ['a'] });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await used()).toBe(4);
  });

  it('a window and a number that are changed hold from then on', async ({ skip }) => {
    const { clock, limits, take } = await open(engine, skip);
    await take(5);
    await limits.overrides.apply([{ name: HOURLY.name, windowMs: 60_000 }]);
    clock.time += 62_000;
    expect(await take()).toMatchObject({ allowed: true, current: 0 });
    await limits.overrides.apply([{ name: HOURLY.name, windowMs: null, limit: 6 }]);
    expect(await take()).toMatchObject({ maximum: 6 });
  });

  it('a clock that is set back has no counts of its future', async ({ skip }) => {
    const { clock, take } = await open(engine, skip);
    await take(5);
    clock.time -= HOUR;
    expect(await take()).toMatchObject({ allowed: true, current: 0 });
  });

  it('clocks of nodes that are a little apart do not make the document grow', async ({ skip }) => {
    const { clock, store, limits, used } = await open(engine, skip);
    await limits.overrides.apply([{ name: HOURLY.name, limit: 1000 }]);
    clock.time = Math.ceil(clock.time / SLICE) * SLICE;
    for (let i = 0; i < 20; i++) {
      clock.time += i % 2 ? 3 : -3;
      await store.transact((tx) => limits.takeQuota(tx, { limit: HOURLY, scope: ['a'] }));
    }
    const { items } = await store.query(quotaCounts, { limit: 1 });
    expect(await used()).toBe(20);
    expect(items[0]?.value.window).toMatchObject({ 1: 19, 2: 1 });
  });

  it('no stretch of an hour ever has more than the limit, whatever comes when', async ({ skip }) => {
    const { clock, take } = await open(engine, skip);
    const steps = fc.array(fc.record({ wait: fc.nat(HOUR / 2), count: fc.integer({ min: 1, max: 4 }) }), {
      maxLength: 25,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        clock.time += 2 * HOUR;
        const made: number[] = [];
        for (const { wait, count } of all) {
          clock.time += wait;
          const { allowed } = await take(count);
          const within = made.filter((at) => at > clock.time - HOUR).length;
          if (allowed) made.push(...Array.from({ length: count }, () => clock.time));
          expect(allowed ? within + count : 0).toBeLessThanOrEqual(HOURLY.limit);
          // Refused only if the window and the slice leaving it contain too many.
          const nearly = made.filter((at) => at > clock.time - HOUR - SLICE).length;
          if (!allowed) expect(nearly + count).toBeGreaterThan(HOURLY.limit);
        }
      }),
      { numRuns: 15 },
    );
  });
});
