import { MOST_BACKWARDS_MS, SLACK, sliceLength } from './rates.ts';
import type { Rule } from './rules.ts';
import type { RateLimit } from './table.ts';

/** The usage of one limit in one scope. Call `settle` to advance it to the current time before any other method. */
export interface Counter {
  /** The rule in force, and the version of the overrides that it was read at. */
  rule: Rule;
  ruleVersion: number;
  settle(now: number): void;
  /** Remaining units, possibly fractional; negative if the limit was lowered below the usage. */
  spare(): number;
  spend(cost: number): void;
  refund(cost: number): void;
  /** The time until `cost` units are available, if the limit allows that many. */
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
  /** The maximum of the previous rule. */
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
    // A raised maximum adds tokens immediately; if the bucket had to refill first, the change would have no effect on a standing clock.
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
    // If another node's clock was ahead, refilling resumes at that node's time.
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

/** Usage is counted per slice. A slice counts until all of it has left the window. */
class SlidingWindow implements Counter {
  rule: Rule;
  ruleVersion: number;
  #now: number;
  #sliceMs: number;
  /** Slice numbers with their usage, oldest first; a slice starts at its number times the slice length. */
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

/** The end of the running calls is unknown, so clients are told to wait a second. */
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
