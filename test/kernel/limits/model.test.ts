import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sliceLength } from '../../../src/kernel/limits/rates.ts';
import { onBothRates } from './engines.ts';
import { bucket, window } from './rows.ts';

const NOW = 1_800_000_000_000;
const RUNS = process.env.CLOUDJAR_SOAK ? 500 : 50;

interface Step {
  readonly pause: number;
  readonly cost: number;
}

const steps = fc.array(
  fc.record({
    pause: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 5000 })),
    cost: fc.integer({ min: 0, max: 6 }),
  }),
  { maxLength: 40 },
);

/** A reference model: returns what is left at a time, and is given what was accepted. Slow and simple: it keeps every use. */
interface Model {
  left(now: number): number;
  used(cost: number, now: number): void;
}

/** In thousandths of tokens, so that all numbers are integers. */
function bucketModel(size: number, refillPerSecond: number): Model {
  let thousandths = size * 1000;
  let at = NOW;
  return {
    left(now) {
      thousandths = Math.min(size * 1000, thousandths + (now - at) * refillPerSecond);
      at = now;
      return thousandths / 1000;
    },
    used(cost) {
      thousandths -= cost * 1000;
    },
  };
}

function windowModel(limit: number, counts: (used: number, now: number) => boolean): Model {
  const uses: { at: number; cost: number }[] = [];
  return {
    left: (now) => limit - uses.reduce((sum, use) => sum + (counts(use.at, now) ? use.cost : 0), 0),
    used: (cost, at) => void uses.push({ at, cost }),
  };
}

onBothRates('rates against a plain model', (bench) => {
  async function follow(limit: ReturnType<typeof bucket> | ReturnType<typeof window>, model: Model, all: Step[]) {
    let now = NOW;
    for (const { pause, cost } of all) {
      now += pause;
      const left = model.left(now);
      const { allowed, readings } = await bench.rates.take([{ limit, scope: ['a'], cost }], now);
      expect(allowed).toBe(left >= cost);
      if (allowed) model.used(cost, now);
      expect(readings[0]?.remaining).toBe(Math.max(0, Math.floor(model.left(now))));
      if (allowed || cost > (limit.kind === 'bucket' ? limit.size : limit.limit)) continue;
      // The wait is exact: enough is available then, and not a millisecond earlier.
      const wait = Math.ceil((readings[0]?.waitMs ?? 0) - 1e-6);
      const look = async (at: number) => {
        const { readings: later } = await bench.rates.take([{ limit, scope: ['a'], cost: 0 }], at);
        return later[0]?.remaining ?? 0;
      };
      expect(wait).toBeGreaterThan(0);
      expect(await look(now + wait - 1)).toBeLessThan(cost);
      now += wait;
      expect(await look(now)).toBeGreaterThanOrEqual(cost);
    }
  }

  it('a bucket agrees exactly with the reference model', async () => {
    const numbers = fc.record({ size: fc.integer({ min: 1, max: 8 }), refill: fc.integer({ min: 1, max: 4 }) });
    await fc.assert(
      fc.asyncProperty(numbers, steps, async ({ size, refill }, all) => {
        await follow(bucket(size, refill), bucketModel(size, refill), all);
      }),
      { numRuns: RUNS },
    );
  });

  it('a fixed window agrees with the reference model', async () => {
    const numbers = fc.record({ limit: fc.integer({ min: 1, max: 8 }), ms: fc.integer({ min: 1, max: 9000 }) });
    await fc.assert(
      fc.asyncProperty(numbers, steps, async ({ limit, ms }, all) => {
        const model = windowModel(limit, (used, now) => Math.floor(used / ms) === Math.floor(now / ms));
        await follow(window('fixed', limit, ms), model, all);
      }),
      { numRuns: RUNS },
    );
  });

  it('a sliding window agrees with the reference model, and no period of its length contains more than the limit', async () => {
    const numbers = fc.record({ limit: fc.integer({ min: 1, max: 8 }), ms: fc.integer({ min: 1, max: 9000 }) });
    await fc.assert(
      fc.asyncProperty(numbers, steps, async ({ limit, ms }, all) => {
        const slice = sliceLength(ms);
        const uses: { at: number; cost: number }[] = [];
        const model = windowModel(limit, (used, now) => (Math.floor(used / slice) + 1) * slice + ms > now);
        const noted: Model = {
          left: model.left,
          used(cost, at) {
            uses.push({ at, cost });
            model.used(cost, at);
          },
        };
        await follow(window('sliding', limit, ms), noted, all);
        for (const { at } of uses) {
          const within = uses.filter((use) => use.at >= at && use.at < at + ms);
          expect(within.reduce((sum, { cost }) => sum + cost, 0)).toBeLessThanOrEqual(limit);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
