import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { MemoryRates } from '../../../src/kernel/limits/memory-rates.ts';
import type { Rates } from '../../../src/kernel/limits/rates.ts';
import { stopRedisAfterwards, useRedis } from '../../support/use-redis.ts';
import { redisRates, TestRules } from './rows.ts';

export interface RatesBench {
  readonly rates: Rates;
  readonly rules: TestRules;
}

/** Runs the same tests with rates counted in memory and in a real Redis. */
export function onBothRates(title: string, tests: (bench: RatesBench) => void): void {
  describe(`memory: ${title}`, () => {
    const rules = new TestRules();
    const bench = { rates: new MemoryRates(rules) as Rates, rules };
    tests(bench);
  });
  describe(`redis: ${title}`, () => {
    const rules = new TestRules();
    const bench: { rates: Rates; rules: TestRules } = { rates: new MemoryRates(rules), rules };
    let started = false;
    stopRedisAfterwards();
    beforeAll(() => {
      started = false;
    });
    beforeEach(async ({ skip }) => {
      if (started) return;
      const { url } = await useRedis({ skip });
      bench.rates = await redisRates(url, rules);
      started = true;
    });
    afterAll(() => bench.rates.close());
    tests(bench);
  });
}
