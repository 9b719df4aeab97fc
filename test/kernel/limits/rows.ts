import type { LimitClock } from '../../../src/kernel/limits/engine.ts';
import type { BucketLimit, ConcurrencyLimit, WindowLimit } from '../../../src/kernel/limits/index.ts';
import type { RuleSource } from '../../../src/kernel/limits/memory-rates.ts';
import type { Rates } from '../../../src/kernel/limits/rates.ts';
import { openRedisRates, type RedisFailure } from '../../../src/kernel/limits/redis-rates.ts';
import { type Override, Rules } from '../../../src/kernel/limits/rules.ts';
import type { Limit } from '../../../src/kernel/limits/table.ts';
import { Health } from '../../../src/kernel/telemetry/health.ts';
import { createLogger } from '../../../src/kernel/telemetry/log.ts';
import { createMetrics } from '../../../src/kernel/telemetry/metrics.ts';

let rows = 0;

/** Rows of a limit table for tests; each has a unique name, so that tests on the same server do not interfere. */
export const bucket = (size: number, refillPerSecond: number, more: Partial<BucketLimit> = {}): BucketLimit => ({
  kind: 'bucket',
  name: `test.bucket-${++rows}`,
  title: 'Test',
  scope: ['who'],
  size,
  refillPerSecond,
  ...more,
});

export const window = (
  kind: WindowLimit['window'],
  limit: number,
  windowMs: number,
  more: Partial<WindowLimit> = {},
): WindowLimit => ({
  kind: 'window',
  window: kind,
  name: `test.window-${++rows}`,
  title: 'Test',
  scope: ['who'],
  limit,
  windowMs,
  ...more,
});

export const slots = (limit: number, more: Partial<ConcurrencyLimit> = {}): ConcurrencyLimit => ({
  kind: 'concurrency',
  name: `test.slots-${++rows}`,
  title: 'Test',
  scope: ['who'],
  limit,
  ...more,
});

/** Rules in force without a store. */
export class TestRules implements RuleSource {
  version = 1;
  #overrides: readonly Override[] = [];
  readonly #rules = new Map<Limit, Rules>();

  set(...overrides: readonly Override[]): void {
    this.#overrides = overrides;
    this.#rules.clear();
    this.version++;
  }

  of(limit: Limit, scope: readonly string[]): ReturnType<Rules['of']> {
    let rules = this.#rules.get(limit);
    if (!rules) {
      rules = new Rules(
        limit,
        false,
        this.#overrides.filter(({ name }) => name === limit.name),
      );
      this.#rules.set(limit, rules);
    }
    return rules.of(scope);
  }
}

let jars = 0;

export const redisRates = (
  url: string,
  rules: TestRules,
  jarId = `jar-${process.pid}-${++jars}`,
  failure?: RedisFailure,
): Promise<Rates> =>
  openRedisRates({
    url,
    jarId,
    rules,
    clock: { mode: 'shifted' },
    log: createLogger({ level: 'silent' }),
    metrics: createMetrics(),
    health: new Health(),
    ...(failure && { failure }),
  });

/** A clock that only the test moves. */
class StandingClock implements LimitClock {
  readonly mode = 'shifted';
  time = 1_800_000_000_000;
  epoch = 0;
  readonly #listeners = new Set<() => void>();

  now(): number {
    return this.time;
  }

  onMove(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  moved(): void {
    for (const listener of this.#listeners) listener();
  }
}

export const standingClock = (): StandingClock => new StandingClock();
