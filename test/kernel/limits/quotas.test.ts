import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LimitEngine } from '../../../src/kernel/limits/engine.ts';
import { limitCollections, type QuotaLimit } from '../../../src/kernel/limits/index.ts';
import { quotaCounts } from '../../../src/kernel/limits/quota-count.ts';
import { collection } from '../../../src/kernel/store/collection.ts';
import { openPostgres } from '../../../src/kernel/store/postgres/store.ts';
import { openSqlite } from '../../../src/kernel/store/sqlite/store.ts';
import type { Store, Tx } from '../../../src/kernel/store/types.ts';
import { createLogger } from '../../../src/kernel/telemetry/log.ts';
import { createMetrics } from '../../../src/kernel/telemetry/metrics.ts';
import { useEmptyDatabase } from '../../support/use-postgres.ts';
import { standingClock } from './rows.ts';

const things = collection<{ owner: string }>('test.things');
const collections = [...limitCollections, things];

const LIMIT: QuotaLimit = {
  kind: 'quota',
  name: 'test.things',
  title: 'Things of an owner',
  scope: ['owner'],
  limit: 5,
};

const OF_PARTS: QuotaLimit = { ...LIMIT, name: 'test.parts', scope: ['owner', 'thing'], limit: 100 };

const SOAK = process.env.CLOUDJAR_SOAK !== undefined;

interface Node {
  readonly store: Store;
  readonly engine: LimitEngine;
}

async function node(store: Store): Promise<Node> {
  const log = createLogger({ level: 'silent' });
  const tables = [{ service: 'test', limits: [LIMIT, OF_PARTS] }];
  const engine = await LimitEngine.open({ store, clock: standingClock(), log, metrics: createMetrics(), tables });
  onTestFinished(async () => {
    await engine.close();
    await store.close();
  });
  return { store, engine };
}

class Refused extends Error {}

const keyOf = (owner: string, name: string): string => `${owner}/${name}`;

async function create(tx: Tx, { engine }: Node, owner: string, name: string): Promise<void> {
  if (await tx.get(things, keyOf(owner, name))) return;
  const actual = () => tx.count(things, { prefix: `${owner}/` });
  const { allowed } = await engine.takeQuota(tx, { limit: LIMIT, scope: [owner], actual });
  if (!allowed) throw new Refused();
  await tx.put(things, keyOf(owner, name), { owner });
}

async function remove(tx: Tx, { engine }: Node, owner: string, name: string): Promise<void> {
  if (await tx.delete(things, keyOf(owner, name))) await engine.freeQuota(tx, { limit: LIMIT, scope: [owner] });
}

async function counted({ engine }: Node, owner: string): Promise<number> {
  const [usage] = await engine.usage(LIMIT, { where: new Map([[0, owner]]), most: 1 });
  return usage?.used ?? 0;
}

for (const name of ['sqlite', 'postgres'] as const) {
  describe(`${name}: quotas`, () => {
    /** Two nodes if the store can be shared, otherwise the same node twice. */
    async function nodes(skip: Parameters<typeof useEmptyDatabase>[0]['skip']): Promise<[Node, Node]> {
      if (name === 'sqlite') {
        const only = await node(await openSqlite({ collections, report: () => {} }));
        return [only, only];
      }
      const url = await useEmptyDatabase({ skip }, 'quotas');
      const open = async () => node(await openPostgres({ url, collections, report: () => {} }));
      return [await open(), await open()];
    }

    it('lets through as many as the limit says and refuses the next, which changes nothing', async ({ skip }) => {
      const [{ store, engine }] = await nodes(skip);
      const take = (count?: number) =>
        store.transact((tx) =>
          engine.takeQuota(tx, { limit: LIMIT, scope: ['a'], ...(count !== undefined && { count }) }),
        );
      expect(await take(3)).toMatchObject({ allowed: true, current: 0, requested: 3, maximum: 5 });
      expect(await take(3)).toMatchObject({ allowed: false, current: 3, requested: 3, maximum: 5 });
      expect(await take(2)).toMatchObject({ allowed: true });
      expect(await take()).toMatchObject({ allowed: false, current: 5 });
      await store.transact((tx) => engine.freeQuota(tx, { limit: LIMIT, scope: ['a'], count: 100 }));
      expect(await store.count(quotaCounts)).toBe(0);
      expect(await take(5)).toMatchObject({ allowed: true });
    });

    it('finds the fullest scopes of every limit, however many scopes another limit has', async ({ skip }) => {
      const [{ store, engine }] = await nodes(skip);
      await store.transact(async (tx) => {
        const many = Array.from({ length: 5_000 }, (_, n) => [`${OF_PARTS.name}?a/${n}`, { used: 1 }] as const);
        await tx.putAll(quotaCounts, many);
        await engine.takeQuota(tx, { limit: OF_PARTS, scope: ['a', '0'], count: 29 });
        await engine.takeQuota(tx, { limit: LIMIT, scope: ['a'], count: 4 });
      });
      const found = await engine.fullest(3);
      expect(found.map(({ limit, scope, used }) => [limit.name, scope, used])).toEqual([
        [LIMIT.name, ['a'], 4],
        [OF_PARTS.name, ['a', '0'], 30],
        [OF_PARTS.name, ['a', expect.any(String)], 1],
      ]);
      expect(found[0]?.resetsAt).toBeUndefined();
    });

    it('lists the usage of one owner by descending count, however much others have used', async ({ skip }) => {
      const [{ store, engine }] = await nodes(skip);
      const take = (scope: readonly string[], count: number) =>
        store.transact((tx) => engine.takeQuota(tx, { limit: OF_PARTS, scope, count }));
      for (const [scope, count] of [
        [['a', 'x'], 1],
        [['a', 'y/z'], 3],
        [['ab', 'x'], 50],
        [['b', 'a'], 60],
      ] as const)
        await take(scope, count);
      const used = async (where: readonly (readonly [number, string])[], most = 10) =>
        (await engine.usage(OF_PARTS, { where: new Map(where), most })).map(({ scope, used: many }) => [scope, many]);
      expect(await used([[0, 'a']])).toEqual([
        [['a', 'y/z'], 3],
        [['a', 'x'], 1],
      ]);
      expect(await used([[0, 'a']], 1)).toEqual([[['a', 'y/z'], 3]]);
      expect(
        await used([
          [0, 'a'],
          [1, 'x'],
        ]),
      ).toEqual([[['a', 'x'], 1]]);
      expect(await used([[1, 'x']])).toEqual([
        [['ab', 'x'], 50],
        [['a', 'x'], 1],
      ]);
      expect(await used([[0, 'c']])).toEqual([]);
    });

    it('a limit that is lowered below its use refuses new things only', async ({ skip }) => {
      const [one] = await nodes(skip);
      for (const each of ['a', 'b', 'c']) await one.store.transact((tx) => create(tx, one, 'o', each));
      await one.engine.overrides.apply([{ name: LIMIT.name, limit: 1 }]);
      const add = (each: string) => one.store.transact((tx) => create(tx, one, 'o', each));
      await expect(add('d')).rejects.toThrow(Refused);
      await one.store.transact((tx) => remove(tx, one, 'o', 'a'));
      await expect(add('d')).rejects.toThrow(Refused);
      await one.engine.overrides.apply([{ name: LIMIT.name, mode: 'shadow' }]);
      await add('d');
      expect(await counted(one, 'o')).toBe(3);
      expect(one.engine.recordOf(LIMIT)).toMatchObject({ refusals: 2, shadowRefusals: 1 });
    });

    it('a number that is assumed stands for the one of the table, below every override', async ({ skip }) => {
      const [{ store, engine }] = await nodes(skip);
      const maximum = async () =>
        (await store.transact((tx) => engine.takeQuota(tx, { limit: LIMIT, scope: ['o'] }))).maximum;
      engine.overrides.assume(LIMIT, { limit: 3 });
      expect(await maximum()).toBe(3);
      await engine.overrides.apply([{ name: LIMIT.name, limit: 7 }]);
      expect(await maximum()).toBe(7);
      await engine.overrides.apply([{ name: LIMIT.name, limit: null }]);
      expect(await maximum()).toBe(3);
      await engine.reset();
      expect(await maximum()).toBe(3);
    });

    it('things created in other ways are counted with the first take', async ({ skip }) => {
      const [one] = await nodes(skip);
      await one.store.transact((tx) => tx.put(things, 'o/seeded', { owner: 'o' }));
      await one.store.transact((tx) => create(tx, one, 'o', 'new'));
      expect(await counted(one, 'o')).toBe(2);
    });

    it('64 at once make exactly as many as the limit says, on two nodes', async ({ skip }) => {
      const [first, second] = await nodes(skip);
      await first.engine.overrides.apply([{ name: LIMIT.name, limit: 20 }]);
      await second.engine.overrides.load();
      const outcomes = await Promise.allSettled(
        Array.from({ length: 64 }, (_, index) => {
          const one = index % 2 ? first : second;
          return one.store.transact((tx) => create(tx, one, 'o', `thing-${index}`));
        }),
      );
      const failed = outcomes.filter((each) => each.status === 'rejected');
      expect(failed.filter((each) => !(each.reason instanceof Refused))).toEqual([]);
      expect(failed).toHaveLength(44);
      expect(await first.store.count(things)).toBe(20);
      expect(await counted(second, 'o')).toBe(20);
    });

    it('after any mix of creations, deletions and rollbacks the count is exact', async ({ skip }) => {
      const pair = await nodes(skip);
      const step = fc.record({
        on: fc.integer({ min: 0, max: 1 }),
        owner: fc.constantFrom('a', 'b', '__proto__'),
        what: fc.array(fc.record({ create: fc.boolean(), name: fc.constantFrom('1', '2', '3', '4', '5', '6', '7') }), {
          maxLength: 4,
        }),
        fails: fc.boolean(),
      });
      const runs = fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 6 });
      await fc.assert(
        fc.asyncProperty(runs, async (batches) => {
          for (const batch of batches) {
            await Promise.all(
              batch.map(({ on, owner, what, fails }) => {
                const one = pair[on] as Node;
                const done = one.store.transact(async (tx) => {
                  for (const each of what) await (each.create ? create : remove)(tx, one, owner, each.name);
                  if (fails) throw new Refused();
                });
                return done.catch((error) => {
                  if (!(error instanceof Refused)) throw error;
                });
              }),
            );
          }
          for (const owner of ['a', 'b', '__proto__']) {
            const real = await pair[0].store.count(things, { prefix: `${owner}/` });
            expect(real).toBeLessThanOrEqual(LIMIT.limit);
            expect(await counted(pair[1], owner)).toBe(real);
          }
        }),
        { numRuns: SOAK ? 200 : 20 },
      );
    });

    it.each([Number.NaN, -1, 1.5, Number.POSITIVE_INFINITY])(
      'a count of %d is a mistake of the program',
      async (count) => {
        const one = await node(await openSqlite({ collections, report: () => {} }));
        const take = one.store.transact((tx) => one.engine.takeQuota(tx, { limit: LIMIT, scope: ['a'], count }));
        await expect(take).rejects.toThrow(LIMIT.name);
        expect(await one.store.count(quotaCounts)).toBe(0);
      },
    );
  });
}
