import { MOST_BACKWARDS_MS, SLACK, sliceLength } from './rates.ts';
import type { Rule } from './rules.ts';
import type { RateLimit } from './table.ts';

/** What was used in one scope of one limit. `settle` brings it to the present before anything is asked. */
export interface Counter {
  /** What is in force, and since which change of the overrides. */
  rule: Rule;
  ruleVersion: number;
  settle(now: number): void;
  /** Units that are left, whole or not; below 0 where a limit was lowered under its use. */
  spare(): number;
  spend(cost: number): void;
  refund(cost: number): void;
  /** How long until `cost` units are there, given that there can be as many. */
  waitMs(cost: number): number;
}

export function counterFor(limit: RateLimit, rule: Rule, ruleVersion: number, now: number): Counter {
  if (limit.kind === 'bucket') return new Bucket(rule, ruleVersion, now);
  if (limit.kind === 'concurrency') return new Slots(rule, ruleVersion);
  return limit.window === 'fixed' ? new FixedWindow(rule, ruleVersion, now) : new SlidingWindow(rule, ruleVersion, now);
}

class Bucket implements Counter {
  rule: Rule;
  ruleVersion: number;
  #tokens: number;
  #at: number;
  #now: number;
  /** Of the rule that was in force last. */
  #maximum: number;

  constructor(rule: Rule, ruleVersion: number, now: number) {
    this.rule = rule;
    this.ruleVersion = ruleVersion;
    this.#tokens = rule.maximum;
    this.#maximum = rule.maximum;
    this.#at = now;
    this.#now = now;
  }

  settle(now: number): void {
    const elapsed = now - this.#at;
    if (elapsed > 0) this.#tokens += (elapsed * this.rule.refillPerSecond) / 1000;
    if (elapsed > 0 || elapsed < -MOST_BACKWARDS_MS) this.#at = now;
    this.#now = now;
    // Made larger, it has so much more at once; to let it fill up first would leave a clock that stands still without.
    if (this.rule.maximum > this.#maximum) this.#tokens += this.rule.maximum - this.#maximum;
    this.#maximum = this.rule.maximum;
    if (this.#tokens > this.rule.maximum) this.#tokens = this.rule.maximum;
  }

  spare(): number {
    return this.#tokens;
  }

  spend(cost: number): void {
    this.#tokens -= cost;
  }

  refund(cost: number): void {
    this.#tokens += cost;
  }

  waitMs(cost: number): number {
    // Where another clock was ahead, it fills again from there on.
    return Math.max(0, this.#at - this.#now) + ((cost - this.#tokens) * 1000) / this.rule.refillPerSecond;
  }
}

class FixedWindow implements Counter {
  rule: Rule;
  ruleVersion: number;
  #now: number;
  #start: number;
  #used = 0;

  constructor(rule: Rule, ruleVersion: number, now: number) {
    this.rule = rule;
    this.ruleVersion = ruleVersion;
    this.#now = now;
    this.#start = startOf(now, rule.windowMs);
  }

  settle(now: number): void {
    this.#now = now;
    const start = startOf(now, this.rule.windowMs);
    if (start === this.#start || (start < this.#start && this.#start - now <= MOST_BACKWARDS_MS)) return;
    this.#start = start;
    this.#used = 0;
  }

  spare(): number {
    return this.rule.maximum - this.#used;
  }

  spend(cost: number): void {
    this.#used += cost;
  }

  refund(cost: number): void {
    this.#used -= cost;
  }

  waitMs(): number {
    return this.#start + this.rule.windowMs - this.#now;
  }
}

const startOf = (now: number, windowMs: number): number => Math.floor(now / windowMs) * windowMs;

/** Uses are kept by slice. Those of a slice count until the whole of it has left the window. */
class SlidingWindow implements Counter {
  rule: Rule;
  ruleVersion: number;
  #now: number;
  #sliceMs: number;
  /** Numbers of slices and what was used in them, oldest first; a slice begins at its number times its length. */
  #slices: { readonly slice: number; used: number }[] = [];
  #used = 0;

  constructor(rule: Rule, ruleVersion: number, now: number) {
    this.rule = rule;
    this.ruleVersion = ruleVersion;
    this.#now = now;
    this.#sliceMs = sliceLength(rule.windowMs);
  }

  settle(now: number): void {
    const last = this.#slices.at(-1);
    const sliceMs = sliceLength(this.rule.windowMs);
    const setBack = last !== undefined && last.slice * this.#sliceMs - now > MOST_BACKWARDS_MS;
    if (setBack || sliceMs !== this.#sliceMs) {
      this.#sliceMs = sliceMs;
      this.#slices = [];
      this.#used = 0;
    }
    this.#now = now;
    while (this.#slices[0] !== undefined && this.#leavesAt(this.#slices[0].slice) <= now) {
      this.#used -= (this.#slices.shift() as { used: number }).used;
    }
    if (this.#slices.length === 0) this.#used = 0;
  }

  spare(): number {
    return this.rule.maximum - this.#used;
  }

  spend(cost: number): void {
    if (cost === 0) return;
    const last = this.#slices.at(-1);
    const slice = Math.floor(this.#now / this.#sliceMs);
    if (last !== undefined && last.slice >= slice) last.used += cost;
    else this.#slices.push({ slice, used: cost });
    this.#used += cost;
  }

  refund(cost: number): void {
    const last = this.#slices.at(-1);
    if (cost === 0 || last === undefined) return;
    last.used -= cost;
    this.#used -= cost;
    if (last.used <= 0) this.#slices.pop();
  }

  waitMs(cost: number): number {
    let missing = cost - this.spare();
    let wait = 0;
    for (const { slice, used } of this.#slices) {
      if (missing <= SLACK) break;
      missing -= used;
      wait = this.#leavesAt(slice) - this.#now;
    }
    return wait;
  }

  #leavesAt(slice: number): number {
    return (slice + 1) * this.#sliceMs + this.rule.windowMs;
  }
}

/** When one of those that run will end is not known; a second is what clients are told. */
export const CONCURRENCY_WAIT_MS = 1000;

class Slots implements Counter {
  rule: Rule;
  ruleVersion: number;
  #taken = 0;

  constructor(rule: Rule, ruleVersion: number) {
    this.rule = rule;
    this.ruleVersion = ruleVersion;
  }

  settle(): void {}

  spare(): number {
    return this.rule.maximum - this.#taken;
  }

  spend(cost: number): void {
    this.#taken += cost;
  }

  refund(cost: number): void {
    this.#taken -= cost;
  }

  waitMs(): number {
    return CONCURRENCY_WAIT_MS;
  }
}
