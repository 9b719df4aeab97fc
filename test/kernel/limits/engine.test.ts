import { expect, it, onTestFinished } from 'vitest';
import { LimitEngine } from '../../../src/kernel/limits/engine.ts';
import { type BoundLimit, bucketOf, type Limit, limitCollections } from '../../../src/kernel/limits/index.ts';
import { MemoryRates } from '../../../src/kernel/limits/memory-rates.ts';
import type { Decision } from '../../../src/kernel/limits/rates.ts';
import { Rules } from '../../../src/kernel/limits/rules.ts';
import { readTables } from '../../../src/kernel/limits/table.ts';
import { openSqlite } from '../../../src/kernel/store/sqlite/store.ts';
import { createLogger } from '../../../src/kernel/telemetry/log.ts';
import { createMetrics } from '../../../src/kernel/telemetry/metrics.ts';
import { bucket, slots, standingClock, TestRules, window } from './rows.ts';

async function engine(...limits: readonly Limit[]) {
  const store = await openSqlite({ collections: limitCollections, report: () => {} });
  const clock = standingClock();
  const lines: string[] = [];
  const log = createLogger({ level: 'warn', stream: { write: (line) => lines.push(line) } });
  const metrics = createMetrics();
  const opened = await LimitEngine.open({ store, clock, log, metrics, tables: [{ service: 'test', limits }] });
  onTestFinished(async () => {
    await opened.close();
    await store.close();
  });
  return { engine: opened, store, clock, lines, metrics, log };
}

it('a refusal names the limit that takes longest and a wait in whole seconds that is enough', async () => {
  const fast = bucket(1, 10);
  const slow = bucket(1, 0.3);
  const { engine: limits, clock } = await engine(fast, slow);
  const uses = [
    { limit: slow, scope: ['a'] },
    { limit: fast, scope: ['a'] },
  ];
  expect(await limits.take(uses)).toMatchObject({ allowed: true, retryAfterSeconds: 0, refusedBy: undefined });
  const refused = await limits.take(uses);
  expect(refused).toMatchObject({ allowed: false, retryAfterSeconds: 4, refusedBy: slow, exceedsMaximum: false });
  clock.time += 3000;
  expect((await limits.take(uses)).allowed).toBe(false);
  clock.time += 1000;
  expect((await limits.take(uses)).allowed).toBe(true);
  const exceedsMaximum = await limits.take([{ limit: slow, scope: ['a'], cost: 2 }]);
  expect(exceedsMaximum).toMatchObject({ allowed: false, exceedsMaximum: true, retryAfterSeconds: 31_536_000 });
});

it('a limit that no table has cannot be taken from', async () => {
  const { engine: limits } = await engine();
  expect(() => limits.take([{ limit: bucket(1, 1), scope: ['a'] }])).toThrow("is in no service's table");
});

it.each([
  [[bucket(1, 1, { name: 'test.twice' }), slots(1, { name: 'test.twice' })], 'declared already'],
  [[bucket(1, 1, { name: 'Test' })], 'the name must consist'],
  [[bucket(-1, 1)], 'size must be'],
  [[bucket(1, Number.NaN)], 'refillPerSecond must be'],
  [[window('fixed', 1, 0)], 'windowMs must be at least 1'],
  [[slots(1, { scope: ['a', 'a'] })], 'named twice'],
  [[slots(1, { scope: ['__proto__'] })], 'not a valid name for a part'],
])('a table with a mistake is refused: %#', (limits, reason) => {
  expect(() => readTables([{ service: 'test', limits }])).toThrow(reason);
});

it('of several overrides the one that names more of the scope counts, field by field', () => {
  const limit = bucket(10, 1, { scope: ['a', 'b'] });
  const rules = new Rules(limit, false, [
    { name: limit.name, size: 20 },
    { name: limit.name, scope: { a: 'x' }, size: 30, mode: 'shadow' },
    { name: limit.name, scope: { b: 'y' }, refillPerSecond: 5 },
    { name: limit.name, scope: { a: 'x', b: 'y' }, size: 40 },
  ]);
  expect(rules.of(['o', 'o'])).toMatchObject({ maximum: 20, refillPerSecond: 1, mode: 'enforced' });
  expect(rules.of(['x', 'o'])).toMatchObject({ maximum: 30, refillPerSecond: 1, mode: 'shadow' });
  expect(rules.of(['o', 'y'])).toMatchObject({ maximum: 20, refillPerSecond: 5 });
  expect(rules.of(['x', 'y'])).toMatchObject({ maximum: 40, refillPerSecond: 5, mode: 'shadow' });
});

it('an unlimited row is enforced when a number is set on it', () => {
  const limit = bucket(10, 1, { mode: 'unlimited' });
  expect(new Rules(limit, false, []).general.mode).toBe('unlimited');
  expect(new Rules(limit, false, [{ name: limit.name, size: 3 }]).general).toMatchObject({
    mode: 'enforced',
    maximum: 3,
  });
  const kept = new Rules(limit, false, [{ name: limit.name, size: 3, mode: 'unlimited' }]);
  expect(kept.general.mode).toBe('unlimited');
});

it('only a throttle that is incidental becomes a shadow on a clock that stands still', () => {
  expect(new Rules(bucket(1, 1, { incidental: true }), true, []).general.mode).toBe('shadow');
  expect(new Rules(bucket(1, 1, { incidental: true }), false, []).general.mode).toBe('enforced');
  expect(new Rules(bucket(1, 1), true, []).general.mode).toBe('enforced');
});

it('400 per minute are 400 at once, and as many again over a minute', () => {
  expect(bucketOf(400, 60)).toEqual({ size: 400, refillPerSecond: 400 / 60 });
});

it('the number of scopes in memory is limited, and active scopes are not evicted', () => {
  const rates = new MemoryRates(new TestRules(), 1000);
  const limit = bucket(1_000_000, 0, { scope: ['a', 'b'] });
  const running = slots(5);
  const held = rates.take([{ limit: running, scope: ['long'] }], 0);
  const scopes = process.env.CLOUDJAR_SOAK ? 3_000_000 : 100_000;
  let asked = 0;
  for (let n = 0; n < scopes; ) {
    rates.take([{ limit, scope: ['steady', 'client'] }], n);
    asked++;
    for (const end = n + 500; n < end; n++) rates.take([{ limit, scope: [`a${n}`, `b${n}`] }], n);
    expect(rates.size).toBeLessThanOrEqual(2001);
  }
  const look = rates.take([{ limit, scope: ['steady', 'client'], cost: 0 }], scopes);
  expect(look.readings[0]?.remaining).toBe(1_000_000 - asked);
  // Slots in use stay counted however many other scopes are added and dropped, and nothing is left behind.
  expect(rates.take([{ limit: running, scope: ['long'], cost: 0 }], 0).readings[0]?.remaining).toBe(4);
  const before = rates.size;
  held.release?.();
  expect(rates.size).toBe(before - 1);
});

it('a wait in one scope does not make a retry in another scope early', async () => {
  const limit = bucket(1, 0.1);
  const { engine: limits, clock, lines, log } = await engine(limit);
  const client = { id: 'c', name: 'Carol' };
  const ask = (scope: string, who = client) => limits.take([{ limit, scope: [scope] }], who) as Decision;
  ask('a');
  expect(ask('a').allowed).toBe(false);
  clock.time += 1000;
  ask('b');
  ask('a', { id: 'd', name: 'Dave' });
  expect(limits.recordOf(limit).earlyRetries).toEqual([]);
  ask('a');
  ask('a');
  expect(limits.recordOf(limit).earlyRetries).toEqual([
    { client: 'c', name: 'Carol', times: 2, lastAt: clock.time, earliestBySeconds: 9 },
  ]);
  // However often it happens, the log gets only one line per interval.
  await log.flush();
  expect(lines.filter((line) => line.includes('Retry-After'))).toHaveLength(1);
  await limits.reset();
  expect(limits.recordOf(limit)).toEqual({ refusals: 0, shadowRefusals: 0, earlyRetries: [] });
});

it('names a bounded number of clients, the last ones', async () => {
  const limit = bucket(0, 1);
  const { engine: limits } = await engine({ ...limit, size: 1 });
  const row = [...limits.table.values()][0]?.limit as typeof limit;
  for (let n = 0; n < 300; n++) {
    for (let again = 0; again < 3; again++) limits.take([{ limit: row, scope: [`s${n}`] }], { id: `${n}`.repeat(500) });
  }
  const { earlyRetries } = limits.recordOf(row);
  expect(earlyRetries).toHaveLength(100);
  expect(earlyRetries[0]?.client.startsWith('299299')).toBe(true);
  expect(earlyRetries.every(({ client }) => client.length <= 200)).toBe(true);
});

it('a reset on another node is noticed by its clock', async () => {
  const limit = bucket(1, 0);
  const { engine: limits, clock } = await engine(limit);
  const ask = () => (limits.take([{ limit, scope: ['a'] }]) as Decision).allowed;
  expect([ask(), ask()]).toEqual([true, false]);
  clock.epoch++;
  clock.moved();
  expect(ask()).toBe(true);
});

it('a metric per limit and outcome, and no more', async () => {
  const limit = bucket(1, 0);
  const { engine: limits, metrics } = await engine(limit);
  for (let n = 0; n < 3; n++) limits.take([{ limit, scope: [`${n % 2}`] }], { id: `client ${n}` });
  const text = await metrics.render();
  expect(text).toContain(`cloudjar_limit_decisions_total{limit="${limit.name}",outcome="allowed"} 2`);
  expect(text).toContain(`cloudjar_limit_decisions_total{limit="${limit.name}",outcome="refused"} 1`);
  expect(text).not.toContain('client');
});

it('a bound checks each thing on its own: allowed at the limit, refused above it, recorded in shadow mode', async () => {
  const bound: BoundLimit = {
    kind: 'bound',
    name: 'test.size',
    title: 'Size',
    scope: ['who'],
    unit: 'bytes',
    limit: 10,
  };
  const { engine: limits, metrics } = await engine(bound);
  expect(limits.checkBound(bound, ['a'], 10)).toMatchObject({ allowed: true, exceeded: false, maximum: 10 });
  expect(limits.checkBound(bound, ['a'], 11)).toMatchObject({ allowed: false, exceeded: true, value: 11 });
  await limits.overrides.apply([{ name: bound.name, scope: { who: 'b' }, limit: 20 }]);
  expect(limits.checkBound(bound, ['b'], 20).allowed).toBe(true);
  expect(limits.checkBound(bound, ['a'], 20).allowed).toBe(false);
  await limits.overrides.apply([{ name: bound.name, mode: 'shadow' }]);
  expect(limits.checkBound(bound, ['a'], 11)).toMatchObject({ allowed: true, exceeded: true });
  await limits.overrides.apply([{ name: bound.name, mode: 'unlimited' }]);
  expect(limits.checkBound(bound, ['a'], 1e9)).toMatchObject({ allowed: true, exceeded: false });
  expect(limits.recordOf(bound)).toMatchObject({ refusals: 2, shadowRefusals: 1 });
  expect(await limits.usage(bound, { where: new Map(), most: 5 })).toEqual([]);
  expect(await metrics.render()).toContain('cloudjar_limit_decisions_total{limit="test.size",outcome="refused"} 2');
});

it('overrides that a transaction writes are in force after its commit, and gone with its roll-back', async () => {
  const limit = bucket(1, 1);
  const { engine: limits, store } = await engine(limit);
  const failed = store.transact(async (tx) => {
    await limits.overrides.applyIn(tx, [{ name: limit.name, size: 7 }]);
    throw new Error('undone');
  });
  await expect(failed).rejects.toThrow('undone');
  await limits.overrides.load();
  expect(limits.overrides.of(limit, ['a']).maximum).toBe(1);
  await store.transact((tx) => limits.overrides.applyIn(tx, [{ name: limit.name, size: 7 }]));
  await limits.overrides.load();
  expect(limits.overrides.of(limit, ['a']).maximum).toBe(7);
});
