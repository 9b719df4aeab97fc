import type { JarClock } from '../clock/types.ts';
import { ConfigError } from '../config/config.ts';
import { Unavailable } from '../http/errors.ts';
import { uuid } from '../ids/index.ts';
import type { Health } from '../telemetry/health.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Counter, Metrics } from '../telemetry/metrics.ts';
import { later } from '../time/timers.ts';
import { MemoryRates, type RuleSource } from './memory-rates.ts';
import {
  allow,
  checkCost,
  type Decision,
  type Filled,
  fullestOf,
  matches,
  type Rates,
  refuse,
  type Usage,
  type UsageQuery,
  type Use,
} from './rates.ts';
import { connectRedis, type RedisConnection } from './redis-connection.ts';
import { TAKE } from './redis-script.ts';
import { ScriptCalls } from './redis-script-calls.ts';
import { readScopeKey } from './scope.ts';
import type { RateLimit } from './table.ts';

export interface RedisRatesOptions {
  readonly url: string;
  readonly jarId: string;
  readonly rules: RuleSource;
  readonly clock: Pick<JarClock, 'mode'>;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
  /** How calls are handled while Redis does not answer; default `count`. */
  readonly failure?: RedisFailure;
  /** The time limit for an answer. */
  readonly timeoutMs?: number;
}

/** `count`: this node counts on its own. `open`: nothing is refused. `closed`: every call with a rate limit is refused. */
export type RedisFailure = 'count' | 'open' | 'closed';

const WHILE_DOWN: Readonly<Record<RedisFailure, string>> = {
  count: 'this node counts rates on its own until it does',
  open: 'no rate limit is enforced until it does',
  closed: 'calls with a rate limit get 503 until it does',
};
/** The interval of probes after a failure. Calls do not wait for probes. */
const PROBE_MS = 250;
const DEFAULT_TIMEOUT_MS = 2000;
const SCAN_COUNT = 1000;
/** Limits for finding the scopes with the highest usage: scopes of one limit, and of all limits together. */
const LOOK_AT_MOST = 10_000;
const SCAN_AT_MOST = 200_000;
/** Scopes per decision of the script, which compares each with all before it. */
const LOOK_AT_ONCE = 50;
/**
 * Slots that could not be freed are kept in a list until Redis answers again; any beyond this number are freed when their lease expires.
 */
const MOST_OWED = 10_000;

export async function openRedisRates(options: RedisRatesOptions): Promise<Rates> {
  const connection = await connectRedis(options.url, options.log, options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  try {
    await connection.send(['SCRIPT', 'LOAD', TAKE]);
  } catch (error) {
    await connection.close();
    throw new ConfigError(`the Redis at ${connection.address} does not accept scripts: ${(error as Error).message}`);
  }
  return new RedisRates(connection, options);
}

/**
 * Counts in Redis, with one round trip for a decision over any number of limits. While Redis does not answer, calls do not wait for it:
 * `failure` determines their outcome, and a probe detects when it is back.
 */
class RedisRates implements Rates {
  readonly #redis: RedisConnection;
  readonly #script: ScriptCalls;
  readonly #local: MemoryRates;
  readonly #log: Logger;
  readonly #failures: Counter;
  readonly #prefix: string;
  /** A write, as decisions are: a read-only replica and a server without free memory still answer a ping. */
  readonly #probe: string[];
  readonly #failure: RedisFailure;
  readonly #leaveHealth: () => void;
  #down = false;
  #cancelProbe: (() => void) | undefined;
  #closed = false;
  /** Commands that free slots. */
  #owed: string[][] = [];
  #scanning: Promise<Map<string, string[]>> | undefined;

  constructor(redis: RedisConnection, options: RedisRatesOptions) {
    const { jarId, rules, clock, log, metrics, health, failure = 'count' } = options;
    this.#redis = redis;
    this.#failure = failure;
    this.#local = new MemoryRates(rules);
    this.#log = log;
    // The braces are a hash tag: a cluster keeps all keys with the same tag on one node, and a script needs all its keys on one node.
    this.#prefix = `cloudjar:{${jarId}}:`;
    this.#probe = ['SET', `${this.#prefix}probe:`, '1', 'PX', String(PROBE_MS)];
    this.#script = new ScriptCalls(redis, rules, this.#prefix, clock.mode === 'virtual');
    this.#failures = metrics
      .counter({
        name: 'cloudjar_limit_redis_failures_total',
        help: 'Decisions made as --redis-failure says, because Redis did not answer.',
      })
      .with();
    metrics.collectedGauge({
      name: 'cloudjar_limit_redis_up',
      help: 'Whether rates are counted in Redis at the moment.',
      collect: () => (this.#isResting ? 0 : 1),
    });
    this.#leaveHealth = health.add({
      name: 'redis',
      optional: failure !== 'closed',
      state: () =>
        this.#isResting ? { ok: false, reason: `Redis does not answer; ${WHILE_DOWN[failure]}` } : { ok: true },
    });
  }

  take(uses: readonly Use[], now: number): Decision | Promise<Decision> {
    for (const { limit, cost = 1 } of uses) checkCost(limit, cost);
    if (this.#isResting) return this.#takeWithout(uses, now);
    return this.#ask(uses, now).catch((error) => {
      this.#failed(error);
      return this.#takeWithout(uses, now);
    });
  }

  async usage(limit: RateLimit, query: UsageQuery, now: number): Promise<Usage[]> {
    if (this.#isResting) return this.#local.usage(limit, query, now);
    try {
      return await this.#sharedUsage(limit, query, now);
    } catch (error) {
      this.#failed(error);
      return this.#local.usage(limit, query, now);
    }
  }

  async #sharedUsage(limit: RateLimit, { where, most }: UsageQuery, now: number): Promise<Usage[]> {
    // All limits of a list are queried at once and share one scan of the keys.
    this.#scanning ??= this.#scopes().finally(() => {
      this.#scanning = undefined;
    });
    const known = (await this.#scanning).get(limit.name) ?? [];
    const scopes = known.map((key) => readScopeKey(key, limit.scope.length)).filter((scope) => matches(scope, where));
    const found: Usage[] = [];
    for (let from = 0; from < scopes.length; from += LOOK_AT_ONCE) {
      const part = scopes.slice(from, from + LOOK_AT_ONCE).map((scope) => ({ limit, scope, cost: 0 }));
      const { readings, spares } = await this.#script.evaluate(part, now, '');
      for (const [index, { maximum, remaining }] of readings.entries()) {
        const used = maximum - (spares[index] as number);
        found.push({ scope: (part[index] as Use).scope, used, remaining, maximum });
      }
    }
    return found.sort((a, b) => b.used - a.used).slice(0, most);
  }

  /** A list of all limits asks for each of them, and shares the scan of the keys. */
  async fullest(limits: readonly RateLimit[], most: number, now: number): Promise<Filled[]> {
    const query = { where: new Map<number, string>(), most };
    const found = limits.map(async (limit) =>
      (await this.usage(limit, query, now)).map((usage) => ({ limit, ...usage })),
    );
    return fullestOf((await Promise.all(found)).flat(), most);
  }

  forget(): void {
    this.#local.forget();
  }

  async clear(): Promise<void> {
    this.#local.forget();
    try {
      for await (const keys of this.#keys(`${this.#prefix}*`)) {
        if (keys.length > 0) await this.#redis.send(['UNLINK', ...keys]);
      }
    } catch (error) {
      this.#failed(error);
    }
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#cancelProbe?.();
    this.#leaveHealth();
    return this.#redis.close();
  }

  get #isResting(): boolean {
    return this.#down || !this.#redis.isReady;
  }

  #takeWithout(uses: readonly Use[], now: number): Decision {
    this.#failures.inc();
    this.#failed(new Error(`there is no connection to the Redis at ${this.#redis.address}`));
    if (this.#failure === 'closed') throw new Unavailable('Rate limits cannot be checked at the moment; try again.');
    const decision = this.#local.take(uses, now);
    return decision.allowed || this.#failure === 'count' ? decision : allow(decision.readings);
  }

  #ask(uses: readonly Use[], now: number): Promise<Decision> {
    const slots = uses.some(({ limit }) => limit.kind === 'concurrency');
    const id = slots ? uuid() : '';
    return this.#script.evaluate(uses, now, id).then(
      ({ allowed, readings }) => {
        if (!allowed) return refuse(readings);
        return allow(readings, slots ? () => this.#release(uses, id) : undefined);
      },
      (error) => {
        // Possibly only the answer was lost, and the slots were taken.
        if (slots) this.#owe(this.#releasing(uses, id));
        throw error;
      },
    );
  }

  #release(uses: readonly Use[], id: string): void {
    for (const command of this.#releasing(uses, id)) this.#giveBack(command);
  }

  #giveBack(command: string[]): void {
    this.#redis.send(command).catch((error) => {
      this.#owe([command]);
      this.#failed(error);
    });
  }

  #owe(commands: readonly string[][]): void {
    this.#owed.push(...commands);
    if (this.#owed.length > MOST_OWED) this.#owed.splice(0, this.#owed.length - MOST_OWED);
  }

  #releasing(uses: readonly Use[], id: string): string[][] {
    const counts = new Map<string, number>();
    for (const { limit, scope, cost = 1 } of uses) {
      if (limit.kind !== 'concurrency') continue;
      const key = this.#script.keyOf(limit, scope);
      counts.set(key, (counts.get(key) ?? 0) + cost);
    }
    return [...counts].flatMap(([key, count]) => {
      const ids = Array.from({ length: count }, (_, index) => `${id}:${index + 1}`);
      return ids.length > 0 ? [['ZREM', key, ...ids]] : [];
    });
  }

  /** The scopes of all limits, in the form used in keys. */
  async #scopes(): Promise<Map<string, string[]>> {
    const byLimit = new Map<string, string[]>();
    let seen = 0;
    for await (const keys of this.#keys(`${this.#prefix}*`)) {
      for (const key of keys) {
        const colon = key.indexOf(':', this.#prefix.length);
        const limit = key.slice(this.#prefix.length, colon);
        const scopes = byLimit.get(limit) ?? [];
        if (scopes.length < LOOK_AT_MOST) scopes.push(key.slice(colon + 1));
        byLimit.set(limit, scopes);
      }
      seen += keys.length;
      if (seen >= SCAN_AT_MOST) break;
    }
    return byLimit;
  }

  async *#keys(pattern: string): AsyncGenerator<string[]> {
    let cursor = '0';
    do {
      const [next, keys] = (await this.#redis.send([
        'SCAN',
        cursor,
        'MATCH',
        pattern,
        'COUNT',
        String(SCAN_COUNT),
      ])) as [string, string[]];
      yield keys;
      cursor = next;
    } while (cursor !== '0');
  }

  #failed(error: unknown): void {
    if (this.#down || this.#closed) return;
    this.#down = true;
    this.#log.warn({ err: error }, `Redis does not answer; ${WHILE_DOWN[this.#failure]}`);
    this.#probeSoon();
  }

  #probeSoon(): void {
    this.#cancelProbe = later(PROBE_MS, () => {
      this.#redis.send(this.#probe).then(
        () => this.#recovered(),
        () => void (this.#closed || this.#probeSoon()),
      );
    });
  }

  #recovered(): void {
    if (!this.#down || this.#closed) return;
    this.#down = false;
    this.#local.forget();
    for (const command of this.#owed.splice(0)) this.#giveBack(command);
    this.#log.info('Redis answers again; rates are shared again');
  }
}
