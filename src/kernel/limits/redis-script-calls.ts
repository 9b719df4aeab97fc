import { nextTurn, wallNow } from '../time/timers.ts';
import type { RuleSource } from './memory-rates.ts';
import { type Reading, sliceLength, type Use } from './rates.ts';
import type { RedisConnection } from './redis-connection.ts';
import { TAKE, TAKE_SHA } from './redis-script.ts';
import type { Rule } from './rules.ts';
import { scopeKey } from './scope.ts';
import type { RateLimit } from './table.ts';

/** Maximum number of decisions per call: Redis does nothing else meanwhile. */
const MOST_AT_ONCE = 100;
const LEASE_MS = 600_000;
/** Counts expire in real time, some time after they are obsolete in the jar's time; on a standing clock that may take long. */
const EXPIRY_MARGIN_MS = 60_000;
const STANDING_CLOCK_EXPIRY_MS = 7 * 86_400_000;
const LONGEST_EXPIRY_MS = 30 * 86_400_000;

export interface Evaluation {
  readonly allowed: boolean;
  readonly readings: readonly Reading[];
  /** Remaining whole units; negative if more was accepted than the limit allows. */
  readonly spares: readonly number[];
}

/** A decision waiting to be sent. */
interface Asked {
  readonly uses: readonly Use[];
  readonly rules: readonly Rule[];
  readonly now: number;
  readonly id: string;
  readonly resolve: (evaluation: Evaluation) => void;
  readonly reject: (error: unknown) => void;
}

/** Calls the script. Decisions requested in one turn of the event loop are batched: one call evaluates them in order. */
export class ScriptCalls {
  readonly #redis: RedisConnection;
  readonly #rules: RuleSource;
  readonly #prefix: string;
  readonly #shortestExpiryMs: number;
  readonly #asked: Asked[] = [];

  constructor(redis: RedisConnection, rules: RuleSource, prefix: string, standingClock: boolean) {
    this.#redis = redis;
    this.#rules = rules;
    this.#prefix = prefix;
    this.#shortestExpiryMs = standingClock ? STANDING_CLOCK_EXPIRY_MS : EXPIRY_MARGIN_MS;
  }

  keyOf(limit: RateLimit, scope: readonly string[]): string {
    return `${this.#prefix}${limit.name}:${scopeKey(scope)}`;
  }

  /** `id` identifies the slots taken. */
  evaluate(uses: readonly Use[], now: number, id: string): Promise<Evaluation> {
    const rules = uses.map(({ limit, scope }) => this.#rules.of(limit, scope));
    return new Promise((resolve, reject) => {
      if (this.#asked.length === 0) nextTurn(() => this.#send());
      this.#asked.push({ uses, rules, now, id, resolve, reject });
    });
  }

  #send(): void {
    const asked = this.#asked.splice(0);
    for (let from = 0; from < asked.length; from += MOST_AT_ONCE) {
      const part = asked.slice(from, from + MOST_AT_ONCE);
      this.#sendTogether(part).catch((error) => {
        for (const { reject } of part) reject(error);
      });
    }
  }

  async #sendTogether(asked: readonly Asked[]): Promise<void> {
    const keys: string[] = [];
    const values: string[] = [];
    for (const { uses, rules, now, id } of asked) {
      values.push(String(now), id, String(uses.length));
      for (let index = 0; index < uses.length; index++) {
        const { limit, scope, cost = 1 } = uses[index] as Use;
        keys.push(this.keyOf(limit, scope));
        this.#describe(values, limit, rules[index] as Rule, cost);
      }
    }
    const answer = await this.#run([String(keys.length), ...keys, ...values]);
    let at = 0;
    for (const { uses, rules, resolve } of asked) {
      resolve(readAnswer(answer, at, uses, rules));
      at += 1 + uses.length * 3;
    }
  }

  /** A server forgets the script when it is restarted or flushed. */
  async #run(rest: readonly string[]): Promise<readonly number[]> {
    try {
      return (await this.#redis.send(['EVALSHA', TAKE_SHA, ...rest])) as number[];
    } catch (error) {
      if (!(error as Error).message.startsWith('NOSCRIPT')) throw error;
      return (await this.#redis.send(['EVAL', TAKE, ...rest])) as number[];
    }
  }

  /** Appends the script's arguments for one use; kind and mode are given by their first letters. */
  #describe(into: string[], limit: RateLimit, rule: Rule, cost: number): void {
    const { maximum, refillPerSecond, windowMs } = rule;
    const mode = rule.mode.charAt(0);
    if (limit.kind === 'bucket') {
      const fullMs = refillPerSecond > 0 ? (maximum / refillPerSecond) * 1000 : LONGEST_EXPIRY_MS;
      into.push(`b${mode}`, String(cost), String(maximum), this.#expiry(fullMs), String(refillPerSecond), '0');
    } else if (limit.kind === 'window') {
      const slice = sliceLength(windowMs);
      const expiry = this.#expiry(windowMs + slice);
      into.push(limit.window.charAt(0) + mode, String(cost), String(maximum), expiry, String(windowMs), String(slice));
    } else {
      const leaseMs = limit.leaseMs ?? LEASE_MS;
      const wall = wallNow();
      const expiry = String(Math.ceil(leaseMs + EXPIRY_MARGIN_MS));
      into.push(`c${mode}`, String(cost), String(maximum), expiry, String(wall), String(wall + leaseMs));
    }
  }

  #expiry(ms: number): string {
    return String(Math.ceil(Math.min(LONGEST_EXPIRY_MS, Math.max(this.#shortestExpiryMs, ms + EXPIRY_MARGIN_MS))));
  }
}

/** Parses the part of an answer that starts at `at` and belongs to one decision. */
function readAnswer(answer: readonly number[], at: number, uses: readonly Use[], rules: readonly Rule[]): Evaluation {
  const allowed = answer[at] === 1;
  const spares: number[] = [];
  const readings = uses.map(({ limit, cost = 1 }, index): Reading => {
    const { mode, maximum } = rules[index] as Rule;
    const short = answer[at + 1 + index * 3] as number;
    const spare = answer[at + 2 + index * 3] as number;
    const wait = answer[at + 3 + index * 3] as number;
    spares.push(spare);
    return {
      limit,
      maximum,
      remaining: Math.max(0, spare),
      exceeded: short === 1,
      waitMs: wait < 0 ? Number.POSITIVE_INFINITY : wait,
      enforced: mode === 'enforced',
      taken: allowed && !(short > 0 && limit.kind === 'bucket') ? cost : 0,
    };
  });
  return { allowed, readings, spares };
}
