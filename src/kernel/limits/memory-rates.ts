import { type Counter, counterFor } from './counters.ts';
import {
  allow,
  checkCost,
  type Decision,
  type Filled,
  fullestOf,
  matches,
  type Rates,
  type Reading,
  refuse,
  SLACK,
  type Usage,
  type UsageQuery,
  type Use,
  wholeUnits,
} from './rates.ts';
import type { Rule } from './rules.ts';
import { ScopeTree, scopeValue } from './scope.ts';
import type { RateLimit } from './table.ts';

/** Scopes per generation; up to twice as many are in memory. */
const GENERATION_SIZE = 50_000;

/** Scopes that are read for the fullest: of all limits, and of one. */
const LOOK_AT_MOST = 5_000;
const LOOK_AT_LIMIT = 500;

/** The source of the rules in force. `version` changes whenever they may have changed. */
export interface RuleSource {
  readonly version: number;
  of(limit: RateLimit, scope: readonly string[]): Rule;
}

/**
 * The counters of one limit. Two generations approximate LRU: counters used since the last turnover are kept, the others are dropped.
 * Concurrency counters are kept until their last slot is free.
 */
class Meter {
  readonly limit: RateLimit;
  young: ScopeTree<Counter>;
  old: ScopeTree<Counter>;

  constructor(limit: RateLimit) {
    this.limit = limit;
    this.young = new ScopeTree(limit.scope.length);
    this.old = new ScopeTree(limit.scope.length);
  }
}

/** Counts in this process: synchronous, exact, and with bounded memory. */
export class MemoryRates implements Rates {
  readonly #rules: RuleSource;
  readonly #meters = new Map<RateLimit, Meter>();
  readonly #generationSize: number;
  #young = 0;

  constructor(rules: RuleSource, generationSize = GENERATION_SIZE) {
    this.#rules = rules;
    this.#generationSize = generationSize;
  }

  /** The number of scopes in memory. */
  get size(): number {
    let size = 0;
    for (const { young, old } of this.#meters.values()) size += young.size + old.size;
    return size;
  }

  take(uses: readonly Use[], now: number): Decision {
    const readings = new Array<Reading>(uses.length);
    let allowed = true;
    let slots = false;
    for (let index = 0; index < uses.length; index++) {
      const { limit, scope, cost = 1 } = uses[index] as Use;
      checkCost(limit, cost);
      const counter = this.#counter(limit, scope, now);
      const { mode, maximum } = counter.rule;
      const short = counter.spare() < cost - SLACK;
      const exceeded = short && mode !== 'unlimited';
      const enforced = mode === 'enforced';
      const waitMs = exceeded ? waitFor(counter, cost) : 0;
      // If the limit is not enforced, a bucket with too few tokens is not changed either: it can be empty, but not in debt.
      const taken = short && (enforced || limit.kind === 'bucket') ? 0 : cost;
      counter.spend(taken);
      const remaining = wholeUnits(counter.spare());
      readings[index] = { limit, maximum, remaining, exceeded, waitMs, enforced, taken };
      if (exceeded && enforced) allowed = false;
      if (limit.kind === 'concurrency') slots = true;
    }
    if (!allowed) return refuse(this.#refundAll(uses, readings, now));
    return allow(readings, slots ? this.#releaseOf(uses, readings) : undefined);
  }

  /** A refused call takes nothing, so the remaining units in its readings are available to others. */
  #refundAll(uses: readonly Use[], readings: readonly Reading[], now: number): Reading[] {
    const counters = uses.map(({ limit, scope }) => this.#counter(limit, scope, now));
    for (const [index, { taken }] of readings.entries()) (counters[index] as Counter).refund(taken);
    return readings.map((reading, index) => ({
      ...reading,
      taken: 0,
      remaining: wholeUnits((counters[index] as Counter).spare()),
    }));
  }

  async usage(limit: RateLimit, { where, most }: UsageQuery, now: number): Promise<Usage[]> {
    const meter = this.#meters.get(limit);
    if (!meter) return [];
    const found: Usage[] = [];
    for (const tree of [meter.young, meter.old]) {
      for (const [path, counter] of entriesOf(tree, limit, where)) {
        const scope = path.slice(0, limit.scope.length);
        if (!matches(scope, where)) continue;
        found.push(this.#usageOf(counter, limit, scope, now));
      }
    }
    return found.sort((a, b) => b.used - a.used).slice(0, most);
  }

  async fullest(limits: readonly RateLimit[], most: number, now: number): Promise<Filled[]> {
    const found: Filled[] = [];
    let left = LOOK_AT_MOST;
    for (const limit of limits) {
      const meter = this.#meters.get(limit);
      if (!meter) continue;
      let ofLimit = Math.min(left, LOOK_AT_LIMIT);
      for (const tree of [meter.young, meter.old]) {
        for (const [path, counter] of tree.entries()) {
          if (ofLimit === 0) break;
          ofLimit -= 1;
          left -= 1;
          found.push({ limit, ...this.#usageOf(counter, limit, path.slice(0, limit.scope.length), now) });
        }
      }
    }
    return fullestOf(found, most);
  }

  #usageOf(counter: Counter, limit: RateLimit, scope: readonly string[], now: number): Usage {
    this.#update(counter, limit, scope, now);
    const { maximum } = counter.rule;
    const spare = counter.spare();
    return { scope, used: maximum - Math.floor(spare + SLACK), remaining: wholeUnits(spare), maximum };
  }

  forget(): void {
    this.#meters.clear();
    this.#young = 0;
  }

  async clear(): Promise<void> {
    this.forget();
  }

  async close(): Promise<void> {}

  #counter(limit: RateLimit, scope: readonly string[], now: number): Counter {
    let meter = this.#meters.get(limit);
    if (meter === undefined) {
      meter = new Meter(limit);
      this.#meters.set(limit, meter);
    }
    const known = meter.young.get(scope);
    if (known === undefined) return this.#promote(meter, scope.map(scopeValue), now);
    this.#update(known, limit, scope, now);
    return known;
  }

  #update(counter: Counter, limit: RateLimit, scope: readonly string[], now: number): void {
    const { version } = this.#rules;
    if (counter.ruleVersion !== version) {
      counter.rule = this.#rules.of(limit, scope);
      counter.ruleVersion = version;
    }
    counter.settle(now);
  }

  /** Returns a counter that is not in the young generation: an old or a new one. */
  #promote(meter: Meter, scope: readonly string[], now: number): Counter {
    const { limit } = meter;
    const { version } = this.#rules;
    const known = meter.young.get(scope) ?? meter.old.get(scope);
    const counter = known ?? counterFor(limit, this.#rules.of(limit, scope), version, now);
    if (known !== undefined) this.#update(known, limit, scope, now);
    if (meter.young.get(scope) !== undefined) return counter;
    meter.old.delete(scope);
    if (limit.kind !== 'concurrency' && this.#young >= this.#generationSize) this.#turnOver();
    meter.young.set(scope, counter);
    if (limit.kind !== 'concurrency') this.#young++;
    return counter;
  }

  /** Drops the counters that were not used since the last turnover. */
  #turnOver(): void {
    for (const meter of this.#meters.values()) {
      if (meter.limit.kind === 'concurrency') continue;
      meter.old = meter.young;
      meter.young = new ScopeTree(meter.limit.scope.length);
    }
    this.#young = 0;
  }

  #releaseOf(uses: readonly Use[], readings: readonly Reading[]): () => void {
    const held = uses.flatMap(({ limit, scope }, index) => {
      const tree = limit.kind === 'concurrency' ? this.#meters.get(limit)?.young : undefined;
      const path = scope.map(scopeValue);
      const counter = tree?.get(path);
      return tree && counter ? [{ tree, path, counter, taken: (readings[index] as Reading).taken }] : [];
    });
    return () => {
      for (const { tree, path, counter, taken } of held.splice(0)) {
        counter.refund(taken);
        if (counter.spare() >= counter.rule.maximum && tree.get(path) === counter) tree.delete(path);
      }
    };
  }
}

/** All counters, or only the matching one if the query has every part of the scope. */
function entriesOf(
  tree: ScopeTree<Counter>,
  { scope }: RateLimit,
  where: UsageQuery['where'],
): Iterable<readonly [string[], Counter]> {
  if (scope.length === 0 || where.size < scope.length) return tree.entries();
  const path = scope.map((_part, index) => scopeValue(where.get(index) ?? ''));
  const counter = tree.get(path);
  return counter ? [[path, counter]] : [];
}

function waitFor(counter: Counter, cost: number): number {
  return cost > counter.rule.maximum + SLACK ? Number.POSITIVE_INFINITY : Math.max(0, counter.waitMs(cost));
}
