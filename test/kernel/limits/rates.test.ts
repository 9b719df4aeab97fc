import { beforeEach, expect, it } from 'vitest';
import type { Use } from '../../../src/kernel/limits/rates.ts';
import { onBothRates } from './engines.ts';
import { bucket, slots, window } from './rows.ts';

const NOW = 1_800_000_000_000;

onBothRates('rates', (bench) => {
  const take = (uses: readonly Use[], now = NOW) => bench.rates.take(uses, now);
  beforeEach(() => bench.rules.set());

  it('a bucket gives its size at once, and then what has been filled in', async () => {
    const limit = bucket(3, 2);
    const use = { limit, scope: ['a'] };
    for (const remaining of [2, 1, 0]) {
      expect(await take([use])).toMatchObject({ allowed: true, readings: [{ remaining, maximum: 3 }] });
    }
    expect(await take([use])).toMatchObject({ allowed: false, readings: [{ remaining: 0, waitMs: 500 }] });
    expect(await take([use], NOW + 499)).toMatchObject({ allowed: false });
    expect(await take([use], NOW + 500)).toMatchObject({ allowed: true });
    // Full again, but not above the maximum.
    expect(await take([use], NOW + 60_000)).toMatchObject({ allowed: true, readings: [{ remaining: 2 }] });
  });

  it('the fullest scopes of several limits come in the order of the share that is used', async () => {
    const [small, large, unused] = [window('fixed', 2, 60_000), bucket(100, 1), slots(3)];
    await take([{ limit: small, scope: ['half'] }]);
    await take([{ limit: large, scope: ['most'], cost: 90 }]);
    await take([{ limit: large, scope: ['little'], cost: 10 }]);
    await take([{ limit: large, scope: ['nothing'], cost: 0 }]);
    const found = await bench.rates.fullest([small, large, unused], 10, NOW);
    expect(found.map(({ limit, scope: [who], used, maximum }) => [limit.name, who, used, maximum])).toEqual([
      [large.name, 'most', 90, 100],
      [small.name, 'half', 1, 2],
      [large.name, 'little', 10, 100],
    ]);
    expect(await bench.rates.fullest([small, large, unused], 1, NOW)).toEqual(found.slice(0, 1));
    expect(await bench.rates.fullest([unused], 10, NOW)).toEqual([]);
  });

  it('thirds of a token add up to whole ones', async () => {
    const use = { limit: bucket(1, 1 / 3), scope: [] as string[] };
    const limit = { ...use.limit, scope: [] };
    let at = NOW;
    for (let round = 0; round < 200; round++, at += 3000) {
      expect((await take([{ limit, scope: [] }], at)).allowed).toBe(true);
      expect((await take([{ limit, scope: [] }], at + 2999)).allowed).toBe(false);
    }
  });

  it('a fixed window restarts at multiples of its length', async () => {
    const use = { limit: window('fixed', 2, 60_000), scope: ['a'] };
    const start = Math.floor(NOW / 60_000) * 60_000;
    expect((await take([use], start + 59_000)).allowed).toBe(true);
    expect((await take([use], start + 59_500)).allowed).toBe(true);
    expect(await take([use], start + 59_500)).toMatchObject({ allowed: false, readings: [{ waitMs: 500 }] });
    expect(await take([use], start + 60_000)).toMatchObject({ allowed: true, readings: [{ remaining: 1 }] });
  });

  it('a sliding window lets go of uses as they leave it', async () => {
    // A window with slices of a second.
    const use = { limit: window('sliding', 2, 60_000), scope: ['a'] };
    expect((await take([use], NOW)).allowed).toBe(true);
    expect((await take([use], NOW + 30_000)).allowed).toBe(true);
    expect(await take([use], NOW + 40_000)).toMatchObject({ allowed: false, readings: [{ waitMs: 21_000 }] });
    expect((await take([use], NOW + 60_999)).allowed).toBe(false);
    expect((await take([use], NOW + 61_000)).allowed).toBe(true);
    expect(await take([use], NOW + 61_000)).toMatchObject({ allowed: false, readings: [{ waitMs: 30_000 }] });
  });

  it('slots are taken until they are released, each once', async () => {
    const use = { limit: slots(2), scope: ['a'] };
    const first = await take([use]);
    expect(first).toMatchObject({ allowed: true, readings: [{ remaining: 1 }] });
    expect((await take([use])).allowed).toBe(true);
    expect(await take([use], NOW + 86_400_000)).toMatchObject({ allowed: false, readings: [{ waitMs: 1000 }] });
    first.release?.();
    first.release?.();
    const left = async () => (await take([{ ...use, cost: 0 }])).readings[0]?.remaining;
    await expect.poll(left).toBe(1);
    expect((await take([use])).allowed).toBe(true);
    expect((await take([use])).allowed).toBe(false);
  });

  it('takes from all limits or from none', async () => {
    const mine = { limit: bucket(5, 1), scope: ['a'] };
    const everybody = { limit: window('sliding', 2, 1000), scope: ['*'] };
    const running = { limit: slots(9), scope: ['a'] };
    for (let n = 0; n < 2; n++) expect((await take([mine, everybody, running])).allowed).toBe(true);
    const refused = await take([mine, running, everybody]);
    expect(refused).toMatchObject({
      allowed: false,
      readings: [
        { exceeded: false, remaining: 3 },
        { exceeded: false, remaining: 7 },
        { exceeded: true, remaining: 0 },
      ],
    });
    expect(refused.release).toBeUndefined();
    expect(await take([mine])).toMatchObject({ allowed: true, readings: [{ remaining: 2 }] });
  });

  it('sees that one limit is used twice by the same call', async () => {
    const use = { limit: bucket(3, 1), scope: ['a'], cost: 2 };
    expect(await take([use, use])).toMatchObject({ allowed: false, readings: [{ remaining: 3 }, { remaining: 3 }] });
    expect(await take([{ ...use, cost: 1 }, use])).toMatchObject({ allowed: true, readings: [{}, { remaining: 0 }] });
  });

  it('counts the cost of a use, and always refuses a cost above the maximum', async () => {
    const limit = window('sliding', 40_000_000, 3_600_000);
    const use = { limit, scope: ['key'] };
    expect(await take([{ ...use, cost: 39_999_999 }])).toMatchObject({ allowed: true, readings: [{ remaining: 1 }] });
    expect((await take([{ ...use, cost: 2 }])).allowed).toBe(false);
    const { readings } = await take([{ ...use, cost: 1e300 }]);
    expect(readings).toMatchObject([{ exceeded: true, waitMs: Number.POSITIVE_INFINITY }]);
    expect(await take([{ ...use, cost: 1 }])).toMatchObject({ allowed: true, readings: [{ remaining: 0 }] });
    const still = { limit: bucket(1, 0), scope: ['key'] };
    expect((await take([still])).allowed).toBe(true);
    expect((await take([still], NOW + 1e11)).readings).toMatchObject([{ waitMs: Number.POSITIVE_INFINITY }]);
  });

  it.each([Number.NaN, -1, Number.POSITIVE_INFINITY])('a cost of %d is a mistake of the program', async (cost) => {
    const limit = bucket(1, 1);
    await expect((async () => take([{ limit, scope: ['a'], cost }]))()).rejects.toThrow(limit.name);
    expect((await take([{ limit, scope: ['a'] }])).allowed).toBe(true);
  });

  it('keeps scopes apart, whatever their values are', async () => {
    const limit = bucket(1, 0, { scope: ['a', 'b'] });
    const odd = ['__proto__', 'constructor', '', '*', 'x/y', 'x%2Fy', 'é', '\ud800x', 'a b:{c}', 'z'.repeat(1_000_000)];
    odd.push(`${'z'.repeat(999_999)}y`);
    for (const a of odd) {
      for (const b of ['', '__proto__', 'x/y']) {
        expect((await take([{ limit, scope: [a, b] }])).allowed).toBe(true);
        expect((await take([{ limit, scope: [a, b] }])).allowed).toBe(false);
      }
    }
    const where = new Map([[0, 'x/y']]);
    const found = await bench.rates.usage(limit, { where, most: 10 }, NOW);
    expect(found.map(({ scope }) => scope[1]).sort()).toEqual(['', '__proto__', 'x/y']);
  });

  it('in shadow mode accepts and reports what it would refuse', async () => {
    const enforced = { limit: bucket(1, 0), scope: ['a'] };
    for (const limit of [bucket(1, 1), window('fixed', 1, 1000), window('sliding', 1, 1000), slots(1)]) {
      bench.rules.set({ name: limit.name, mode: 'shadow' });
      const use = { limit, scope: ['a'] };
      expect(await take([use])).toMatchObject({ allowed: true, readings: [{ exceeded: false }] });
      expect(await take([use])).toMatchObject({
        allowed: true,
        readings: [{ exceeded: true, enforced: false, remaining: 0 }],
      });
      // A call that another limit refuses is not counted here either.
      const before = await bench.rates.usage(limit, { where: new Map(), most: 1 }, NOW);
      await take([enforced]);
      expect((await take([use, enforced])).allowed).toBe(false);
      expect(await bench.rates.usage(limit, { where: new Map(), most: 1 }, NOW)).toEqual(before);
      bench.rules.set({ name: limit.name, mode: 'unlimited' });
      const taken = limit.kind === 'bucket' ? 0 : 1;
      expect(await take([use])).toMatchObject({ allowed: true, readings: [{ exceeded: false, taken }] });
    }
  });

  it('a changed limit applies to the next decision, for all scopes or for one', async () => {
    const limit = bucket(10, 0);
    const use = { limit, scope: ['a'] };
    for (let n = 0; n < 4; n++) await take([use]);
    bench.rules.set({ name: limit.name, size: 2 }, { name: limit.name, scope: { who: 'b' }, size: 1 });
    expect(await take([use])).toMatchObject({ allowed: true, readings: [{ remaining: 1, maximum: 2 }] });
    expect(await take([{ limit, scope: ['b'] }])).toMatchObject({ readings: [{ remaining: 0, maximum: 1 }] });
    bench.rules.set({ name: limit.name, size: 50, refillPerSecond: 1 });
    expect(await take([use], NOW)).toMatchObject({ readings: [{ remaining: 48, maximum: 50 }] });
    const held = window('fixed', 5, 1000);
    for (let n = 0; n < 5; n++) expect((await take([{ limit: held, scope: ['a'] }])).allowed).toBe(true);
    bench.rules.set({ name: held.name, limit: 3 });
    expect(await take([{ limit: held, scope: ['a'] }])).toMatchObject({ allowed: false, readings: [{ remaining: 0 }] });
  });

  it('a bucket that is made larger has so much more at once, also for whom it was empty', async () => {
    const limit = bucket(2, 0);
    const use = { limit, scope: ['a'] };
    for (let n = 0; n < 5; n++) await take([use]);
    bench.rules.set({ name: limit.name, size: 5 });
    const allowed = [];
    for (let n = 0; n < 4; n++) allowed.push((await take([use])).allowed);
    expect(allowed).toEqual([true, true, true, false]);
    bench.rules.set();
    expect((await take([use])).allowed).toBe(false);
  });

  it('the wait given by a node with a slow clock is long enough', async () => {
    const use = { limit: bucket(1, 1), scope: ['a'] };
    await take([use], NOW);
    const behind = NOW - 3000;
    const { allowed, retryAfterSeconds } = await take([use], behind);
    expect(allowed).toBe(false);
    expect((await take([use], behind + retryAfterSeconds * 1000 - 1000)).allowed).toBe(false);
    expect((await take([use], behind + retryAfterSeconds * 1000)).allowed).toBe(true);
  });

  it('a clock that is set back freezes nothing, and one that is a little behind gains nothing', async () => {
    for (const limit of [bucket(2, 1), window('fixed', 2, 60_000), window('sliding', 2, 60_000)]) {
      const use = { limit, scope: ['a'], cost: 2 };
      expect((await take([use], NOW)).allowed).toBe(true);
      expect((await take([use], NOW - 1000)).allowed).toBe(false);
      const back = NOW - 365 * 86_400_000;
      await take([use], back);
      expect((await take([use], back + 121_000)).allowed).toBe(true);
    }
    const skewed = { limit: bucket(1, 1), scope: ['a'] };
    let allowed = 0;
    for (let n = 0; n < 50; n++) {
      for (const at of [NOW + n * 10, NOW + n * 10 - 400]) if ((await take([skewed], at)).allowed) allowed++;
    }
    expect(allowed).toBe(1);
  });

  it('shows the fullest scopes first, and forgets all when cleared', async () => {
    const limit = window('fixed', 10, 1000, { scope: ['tenant', 'who'] });
    await take([{ limit, scope: ['t', 'a'], cost: 2 }]);
    await take([{ limit, scope: ['t', 'b'], cost: 7 }]);
    await take([{ limit, scope: ['u', 'c'], cost: 5 }]);
    const all = await bench.rates.usage(limit, { where: new Map(), most: 2 }, NOW);
    expect(all).toEqual([
      { scope: ['t', 'b'], used: 7, remaining: 3, maximum: 10 },
      { scope: ['u', 'c'], used: 5, remaining: 5, maximum: 10 },
    ]);
    const some = await bench.rates.usage(limit, { where: new Map([[0, 't']]), most: 9 }, NOW);
    expect(some.map(({ used }) => used)).toEqual([7, 2]);
    await bench.rates.clear();
    expect(await bench.rates.usage(limit, { where: new Map(), most: 2 }, NOW)).toEqual([]);
    expect(await take([{ limit, scope: ['t', 'b'], cost: 10 }])).toMatchObject({ allowed: true });
  });

  it('of 64 clients at once exactly as many get through as the limit says', async () => {
    for (const limit of [bucket(100, 0), window('fixed', 100, 86_400_000), window('sliding', 100, 86_400_000)]) {
      const everybody = bucket(1000, 0, { scope: [] });
      const clients = Array.from({ length: 64 }, async (_, client) => {
        let accepted = 0;
        for (let n = 0; n < 5; n++) {
          const uses = [
            { limit: everybody, scope: [] },
            { limit, scope: ['shared'] },
          ];
          if ((await take(client % 2 ? uses : uses.reverse())).allowed) accepted++;
        }
        return accepted;
      });
      const accepted = (await Promise.all(clients)).reduce((sum, each) => sum + each, 0);
      expect(accepted).toBe(100);
      expect((await take([{ limit: everybody, scope: [], cost: 0 }])).readings[0]?.remaining).toBe(900);
    }
  });
});
