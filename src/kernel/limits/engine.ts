import type { JarClock } from '../clock/types.ts';
import type { Store, Tx } from '../store/types.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Counter, Labelled, Metrics } from '../telemetry/metrics.ts';
import { type Client, EarlyRetries, type EarlyRetry } from './early-retries.ts';
import { MemoryRates } from './memory-rates.ts';
import { Overrides } from './overrides.ts';
import { type QuotaDecision, type QuotaRequest, Quotas } from './quotas.ts';
import {
  type Decision,
  type Filled,
  fullestOf,
  type Rates,
  type Reading,
  type Usage,
  type UsageQuery,
  type Use,
} from './rates.ts';
import {
  type BoundLimit,
  type DeclaredLimit,
  type Limit,
  type QuotaLimit,
  readTables,
  type ServiceLimits,
} from './table.ts';

/** The part of the clock that limits need. */
export type LimitClock = Pick<JarClock, 'mode' | 'epoch' | 'now' | 'onMove'>;

export interface LimitsOptions {
  readonly store: Store;
  readonly clock: LimitClock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly tables: readonly ServiceLimits[];
  /** Opens a shared counter for rates; without it, rates are counted in memory. */
  readonly rates?: (rules: Overrides) => Promise<Rates>;
}

/** Statistics of a limit since the start or the last reset, on this node. */
export interface LimitRecord {
  readonly refusals: number;
  readonly shadowRefusals: number;
  readonly earlyRetries: readonly EarlyRetry[];
}

export interface BoundDecision {
  readonly allowed: boolean;
  /** True if the limit is exceeded, whether it is enforced or not. */
  readonly exceeded: boolean;
  readonly limit: BoundLimit;
  readonly maximum: number;
  readonly value: number;
}

export interface FullScope extends Filled {
  /** When a fixed window ends, or a bucket is full again; undefined for limits whose usage does not end at one time. */
  readonly resetsAt: number | undefined;
}

/** Allowed, refused, and exceeded in shadow mode. */
const OUTCOMES = 3;

class Tally {
  refusals = 0;
  shadowRefusals = 0;
  readonly early: EarlyRetries;
  readonly #name: string;
  readonly #series: TallySeries;
  #allowed: Counter | undefined;
  #refused: Counter | undefined;
  #shadowed: Counter | undefined;

  constructor({ name }: Limit, series: TallySeries, log: Logger) {
    this.#name = name;
    this.#series = series;
    this.early = new EarlyRetries(name, log);
  }

  // A jar has hundreds of limits, most of which are never used, so a metric series is created by its first event.

  get allowed(): Counter {
    this.#allowed ??= this.#series.decisions.with(this.#name, 'allowed');
    return this.#allowed;
  }

  get refused(): Counter {
    this.#refused ??= this.#series.decisions.with(this.#name, 'refused');
    return this.#refused;
  }

  get shadowed(): Counter {
    this.#shadowed ??= this.#series.decisions.with(this.#name, 'shadow');
    return this.#shadowed;
  }

  get earlyCount(): Counter {
    return this.#series.early.with(this.#name);
  }
}

interface TallySeries {
  readonly decisions: Labelled<Counter, readonly ['limit', 'outcome']>;
  readonly early: Labelled<Counter, readonly ['limit']>;
}

/** All limits of the jar: the tables, the overrides and the current usage. */
export class LimitEngine {
  readonly table: ReadonlyMap<string, DeclaredLimit>;
  readonly overrides: Overrides;
  readonly #clock: LimitClock;
  readonly #quotas: Quotas;
  readonly #tallies = new Map<Limit, Tally>();
  readonly #ends: (() => void)[] = [];
  #rates: Rates;
  #epoch: number;
  /** The latest end of all waits given to clients; after it, no retry can be early. */
  #waitsUntil = 0;

  static async open(options: LimitsOptions): Promise<LimitEngine> {
    const engine = new LimitEngine(options);
    try {
      await engine.overrides.load();
      if (options.rates) engine.#rates = await options.rates(engine.overrides);
      return engine;
    } catch (error) {
      await engine.close();
      throw error;
    }
  }

  private constructor({ store, clock, log, metrics, tables }: LimitsOptions) {
    this.table = readTables(tables);
    const report = (error: unknown): void => log.error({ err: error }, 'the overrides of limits could not be read');
    this.overrides = new Overrides(store, this.table, clock.mode === 'virtual', report);
    this.#clock = clock;
    this.#epoch = clock.epoch;
    this.#quotas = new Quotas(store, this.overrides, clock);
    this.#rates = new MemoryRates(this.overrides);
    const decisions = metrics.counter({
      name: 'cloudjar_limit_decisions_total',
      help: 'Decisions of each limit: allowed, refused, or exceeded but accepted in shadow mode.',
      labels: ['limit', 'outcome'],
      maxSeries: this.table.size * OUTCOMES,
    });
    const early = metrics.counter({
      name: 'cloudjar_limit_early_retries_total',
      help: 'Calls that were retried before their Retry-After was over.',
      labels: ['limit'],
      maxSeries: this.table.size,
    });
    const series = { decisions, early };
    for (const { limit } of this.table.values()) this.#tallies.set(limit, new Tally(limit, series, log));
    this.#ends.push(() => this.overrides.close());
    // A reset on another node; the node that resets clears its counts in `reset`.
    this.#ends.push(clock.onMove(() => this.#clock.epoch !== this.#epoch && this.#forget()));
  }

  get #all(): Limit[] {
    return [...this.table.values()].map(({ limit }) => limit);
  }

  /** Takes from all of these limits or from none. Synchronous if rates are counted in memory. */
  take(uses: readonly Use[], client?: Client): Decision | Promise<Decision> {
    const now = this.#clock.now();
    if (now < this.#waitsUntil && client !== undefined) this.#watch(uses, client, now);
    const decision = this.#rates.take(uses, now);
    return decision instanceof Promise
      ? decision.then((late) => this.#note(uses, late, client, now))
      : this.#note(uses, decision, client, now);
  }

  /** Call in the transaction that creates something, before writing it. */
  async takeQuota(tx: Tx, request: QuotaRequest): Promise<QuotaDecision> {
    const [decision] = await this.takeQuotas(tx, [request]);
    return decision as QuotaDecision;
  }

  /** Takes from all of these or from none. Returns the decisions up to the first refusal, which is then the last. */
  async takeQuotas(tx: Tx, requests: readonly QuotaRequest[]): Promise<readonly QuotaDecision[]> {
    const decisions = await this.#quotas.take(tx, requests);
    const last = decisions.at(-1);
    if (last?.allowed === false) {
      const tally = this.#tallyOf(last.limit);
      tally.refusals++;
      tally.refused.inc();
      return decisions;
    }
    tx.afterCommit(() => {
      for (const { limit, exceeded } of decisions) {
        const tally = this.#tallyOf(limit);
        if (exceeded) tally.shadowRefusals++;
        (exceeded ? tally.shadowed : tally.allowed).inc();
      }
    });
    return decisions;
  }

  /** Call in the transaction that removes something. */
  freeQuota(tx: Tx, request: Omit<QuotaRequest, 'actual'>): Promise<void> {
    return this.#quotas.free(tx, request);
  }

  /** The number in use and the maximum in one scope. */
  quotaStanding(limit: QuotaLimit, scope: readonly string[]): Promise<{ used: number; maximum: number }> {
    return this.#quotas.standing(limit, scope);
  }

  /** Checks the size of one thing against the limit. */
  checkBound(limit: BoundLimit, scope: readonly string[], value: number): BoundDecision {
    const { mode, maximum } = this.overrides.of(limit, scope);
    const exceeded = mode !== 'unlimited' && value > maximum;
    const allowed = !exceeded || mode !== 'enforced';
    const tally = this.#tallyOf(limit);
    if (!allowed) tally.refusals++;
    else if (exceeded) tally.shadowRefusals++;
    (!allowed ? tally.refused : exceeded ? tally.shadowed : tally.allowed).inc();
    return { allowed, exceeded, limit, maximum, value };
  }

  async usage(limit: Limit, query: UsageQuery): Promise<Usage[]> {
    if (limit.kind === 'bound') return [];
    if (limit.kind === 'quota') return this.#quotas.usage(limit, query);
    return this.#rates.usage(limit, query, this.#clock.now());
  }

  /**
   * The scopes with the highest share of their limit, for display: a bounded number of scopes is looked at, and limits without a maximum
   * are left out.
   */
  async fullest(most: number, among: readonly Limit[] = this.#all): Promise<FullScope[]> {
    const limits = among.filter((limit) => this.overrides.rulesOf(limit).general.mode !== 'unlimited');
    const now = this.#clock.now();
    const rates = limits.filter((limit) => limit.kind !== 'quota' && limit.kind !== 'bound');
    const quotas = limits.filter((limit) => limit.kind === 'quota');
    const found = await Promise.all([this.#rates.fullest(rates, most, now), this.#quotas.fullest(quotas, most)]);
    return fullestOf(found.flat(), most).map((each) => ({ ...each, resetsAt: this.#resetsAt(each, now) }));
  }

  /** Undefined if the usage does not end at one time. */
  #resetsAt({ limit, scope, used }: Filled, now: number): number | undefined {
    const { windowMs, refillPerSecond } = this.overrides.of(limit, scope);
    if (limit.kind === 'bucket')
      return refillPerSecond > 0 ? now + Math.ceil((used * 1000) / refillPerSecond) : undefined;
    if (limit.kind !== 'window' || limit.window !== 'fixed') return undefined;
    return (Math.floor(now / windowMs) + 1) * windowMs;
  }

  recordOf(limit: Limit): LimitRecord {
    const { refusals, shadowRefusals, early } = this.#tallyOf(limit);
    return { refusals, shadowRefusals, earlyRetries: early.list() };
  }

  /** Clears the counts and reloads the overrides; called by a reset, after the store has its new state. */
  async reset(): Promise<void> {
    this.#forget();
    await this.#rates.clear();
    await this.overrides.load();
  }

  async close(): Promise<void> {
    for (const end of this.#ends.splice(0)) end();
    await this.#rates.close();
  }

  #forget(): void {
    this.#epoch = this.#clock.epoch;
    this.#waitsUntil = 0;
    for (const tally of this.#tallies.values()) {
      tally.early.clear();
      tally.refusals = 0;
      tally.shadowRefusals = 0;
    }
    this.#rates.forget();
  }

  #watch(uses: readonly Use[], client: Client, now: number): void {
    for (const { limit, scope } of uses) {
      const tally = this.#tallyOf(limit);
      if (tally.early.isEarly(client, scope, now)) tally.earlyCount.inc();
    }
  }

  #note(uses: readonly Use[], decision: Decision, client: Client | undefined, now: number): Decision {
    if (!decision.allowed) {
      this.#noteRefusal(uses, decision, client, now);
      return decision;
    }
    const { readings } = decision;
    for (let index = 0; index < readings.length; index++) {
      const { limit, exceeded } = readings[index] as Reading;
      const tally = this.#tallyOf(limit);
      if (exceeded) tally.shadowRefusals++;
      (exceeded ? tally.shadowed : tally.allowed).inc();
    }
    return decision;
  }

  #noteRefusal(uses: readonly Use[], decision: Decision, client: Client | undefined, now: number): void {
    const { readings, refusedBy, retryAfterSeconds, exceedsMaximum } = decision;
    for (const [index, { limit, exceeded, enforced }] of readings.entries()) {
      if (!exceeded || !enforced) continue;
      const tally = this.#tallyOf(limit);
      tally.refusals++;
      tally.refused.inc();
      if (limit !== refusedBy || client === undefined || exceedsMaximum) continue;
      const until = now + retryAfterSeconds * 1000;
      tally.early.recordWait(client, (uses[index] as Use).scope, until);
      if (until > this.#waitsUntil) this.#waitsUntil = until;
    }
  }

  #tallyOf(limit: Limit): Tally {
    const tally = this.#tallies.get(limit);
    if (!tally) throw new Error(`the limit '${limit.name}' is in no service's table`);
    return tally;
  }
}
