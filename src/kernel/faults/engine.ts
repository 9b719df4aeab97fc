import { shortId } from '../ids/index.ts';
import type { Store, Tx } from '../store/types.ts';
import { redactUrl } from '../telemetry/log.ts';
import type { Counter, Metrics } from '../telemetry/metrics.ts';
import { type FaultEffect, plainAnswer } from './effect.ts';
import { faultErrors } from './errors.ts';
import type { AppliedFault, Faults, FaultsOptions, ListedFault } from './index.ts';
import {
  type FaultCounts,
  type FaultRule,
  faultCounts,
  faultRules,
  firesOn,
  isExhausted,
  type NewFaultRule,
  NO_COUNTS,
} from './rule.ts';
import { type FaultSubject, matches } from './subject.ts';

/** More rules than are written by hand; every request is matched against all of them. */
export const MOST_RULES = 500;
/** The metric has separate series for this many rules; the others are counted together. */
const MOST_SERIES = 100;

interface LiveRule {
  readonly rule: FaultRule;
  exhausted: boolean;
}

/**
 * Every node keeps the rules in memory, so a request that matches none of them needs no read. The counts are in the store and are updated
 * in a transaction, which keeps them exact across nodes.
 */
export class FaultEngine implements Faults {
  readonly #options: FaultsOptions;
  readonly #total: ReturnType<typeof declareTotal>;
  #rules: readonly LiveRule[] = [];
  #armed = false;
  #stale = false;
  #reading: Promise<void> | undefined;

  constructor(options: FaultsOptions) {
    this.#options = options;
    this.#total = declareTotal(options.metrics);
    options.store.onCommit((news) => {
      if (!news.collections.includes(faultRules.name)) return;
      // Requests that arrive before the new rules are read wait for them.
      this.#armed = true;
      this.reload().catch((error: unknown) => options.log.warn({ err: error }, 'the fault rules could not be read'));
    });
  }

  get armed(): boolean {
    return this.#armed;
  }

  /** Resolves when rules committed before the call are active on this node. */
  reload(): Promise<void> {
    this.#stale = true;
    this.#reading ??= this.#readWhileStale().finally(() => {
      this.#reading = undefined;
      this.#setArmed();
    });
    return this.#reading;
  }

  concerns(subject: FaultSubject): boolean {
    return (
      this.#reading !== undefined ||
      this.#rules.some(({ rule, exhausted }) => !exhausted && matches(rule.match, subject))
    );
  }

  async strike(subject: FaultSubject): Promise<AppliedFault | undefined> {
    if (this.#reading) await this.#reading;
    const candidates = this.#rules.filter(({ rule, exhausted }) => !exhausted && matches(rule.match, subject));
    if (candidates.length === 0) return undefined;
    const now = this.#options.clock.now();
    const { acting, usedUp } = await this.#options.store.transact((tx) => count(tx, candidates, now));
    for (const each of usedUp) each.exhausted = true;
    if (usedUp.length > 0) this.#setArmed();
    if (!acting) return undefined;
    const { id, effect } = acting.rule;
    this.#total.with(id, subject.direction).inc();
    const { direction, service, method, path } = subject;
    // On debug level, because the log line of the request or delivery names the rule too.
    this.#options.log.debug(
      { fault: id, direction, service, effect: Object.keys(effect) },
      `fault on ${method} ${redactUrl(path)}`,
    );
    return { ...(direction === 'outbound' ? ofReceiver(effect) : effect), rule: id };
  }

  async add(rule: NewFaultRule): Promise<ListedFault> {
    const id = shortId();
    const createdAt = this.#options.clock.now();
    const made = await this.#options.store.transact(async (tx) => {
      await tx.lock(faultRules.name);
      if ((await tx.count(faultRules)) >= MOST_RULES) throw faultErrors.TooManyFaults({ most: MOST_RULES });
      const last = await tx.query(faultRules, { order: [{ field: 'order', descending: true }], limit: 1 });
      const order = (last.items[0]?.value.order ?? 0) + 1;
      await tx.put(faultCounts, id, NO_COUNTS);
      return (await tx.put(faultRules, id, { id, order, createdAt, ...rule })).value;
    });
    await this.reload();
    return { rule: made, counts: NO_COUNTS };
  }

  async list(): Promise<ListedFault[]> {
    return readAll(this.#options.store);
  }

  async find(id: string): Promise<ListedFault | undefined> {
    const { store } = this.#options;
    const [rule, counts] = await Promise.all([store.get(faultRules, id), store.get(faultCounts, id)]);
    return rule && { rule: rule.value, counts: counts?.value ?? NO_COUNTS };
  }

  async change(
    id: string,
    change: (rule: FaultRule) => NewFaultRule,
    { restart }: { readonly restart: boolean },
  ): Promise<ListedFault | undefined> {
    const changed = await this.#options.store.transact(async (tx) => {
      // The counts first, in the same order as `count`, which avoids deadlocks.
      const counts = (await tx.get(faultCounts, id))?.value ?? NO_COUNTS;
      const before = (await tx.get(faultRules, id))?.value;
      if (!before) return undefined;
      const { order, createdAt } = before;
      const after: FaultRule = { id, order, createdAt, ...change(before) };
      if (restart) await tx.put(faultCounts, id, NO_COUNTS);
      await tx.put(faultRules, id, after);
      return { rule: after, counts: restart ? NO_COUNTS : counts };
    });
    await this.reload();
    return changed;
  }

  async remove(id: string): Promise<boolean> {
    const removed = await this.#options.store.transact((tx) => removeOne(tx, id));
    await this.reload();
    return removed;
  }

  async removeAll(): Promise<number> {
    const removed = await this.#options.store.transact(async (tx) => {
      await tx.lock(faultRules.name);
      const { items } = await tx.query(faultRules, { order: [{ field: 'order' }], limit: MOST_RULES });
      for (const { key } of items) await removeOne(tx, key);
      return items.length;
    });
    await this.reload();
    return removed;
  }

  async #readWhileStale(): Promise<void> {
    while (this.#stale) {
      this.#stale = false;
      const rules = await readAll(this.#options.store);
      const enabled = rules.filter(({ rule }) => rule.enabled !== false);
      this.#rules = enabled.map(({ rule, counts }) => ({ rule, exhausted: isExhausted(rule, counts) }));
    }
  }

  #setArmed(): void {
    this.#armed = this.#reading !== undefined || this.#rules.some(({ exhausted }) => !exhausted);
  }
}

/** Receivers have no common error format, so the sender gets a plain response. */
function ofReceiver(effect: FaultEffect): FaultEffect {
  const { throttledAs500, ...rest } = effect;
  return throttledAs500 ? { ...rest, ...plainAnswer(effect) } : effect;
}

async function readAll(store: Store): Promise<ListedFault[]> {
  const rules = await store.query(faultRules, { order: [{ field: 'order' }], limit: MOST_RULES });
  if (rules.items.length === 0) return [];
  const counts = await store.query(faultCounts, { limit: MOST_RULES });
  const byId = new Map(counts.items.map(({ key, value }) => [key, value]));
  return rules.items.map(({ key, value }) => ({ rule: value, counts: byId.get(key) ?? NO_COUNTS }));
}

/** Deletes the counts first, in the same order as `count`, which avoids deadlocks. */
async function removeOne(tx: Tx, id: string): Promise<boolean> {
  await tx.delete(faultCounts, id);
  return tx.delete(faultRules, id);
}

/**
 * Counts a match for each candidate; the first rule that fires takes effect. Always in the order of the rules, which avoids deadlocks
 * between nodes.
 */
async function count(
  tx: Tx,
  candidates: readonly LiveRule[],
  now: number,
): Promise<{ acting: LiveRule | undefined; usedUp: LiveRule[] }> {
  let acting: LiveRule | undefined;
  const usedUp: LiveRule[] = [];
  for (const candidate of candidates) {
    const { rule } = candidate;
    const before = await tx.get(faultCounts, rule.id);
    // The rule was removed after this node read its rules.
    if (!before) continue;
    let counts: FaultCounts = before.value;
    if (!isExhausted(rule, counts)) {
      const matched = counts.matched + 1;
      const acts = acting === undefined && firesOn(rule, matched);
      if (acts) acting = candidate;
      counts = acts ? { matched, hits: counts.hits + 1, lastHitAt: now } : { ...counts, matched };
      await tx.put(faultCounts, rule.id, counts);
    }
    if (isExhausted(rule, counts)) usedUp.push(candidate);
  }
  return { acting, usedUp };
}

function declareTotal(metrics: Metrics): { with(rule: string, direction: string): Counter } {
  return metrics.counter({
    name: 'cloudjar_faults_total',
    help: 'Requests affected by a fault rule, by rule and direction.',
    labels: ['rule', 'direction'],
    maxSeries: MOST_SERIES,
  });
}
