import type { Logger } from '../telemetry/log.ts';
import { wallNow } from '../time/timers.ts';
import { scopeKey } from './scope.ts';

/** The caller, named in reports about early retries. */
export interface Client {
  /** Identifies the client: an object id, a key, an address. */
  readonly id: string;
  /** Display name. */
  readonly name?: string;
}

/** A client that retried before its `Retry-After` was over. */
export interface EarlyRetry {
  readonly client: string;
  readonly name?: string;
  readonly times: number;
  /** In the jar's time. */
  readonly lastAt: number;
  /** The earliest retry, in seconds before the end of the wait. */
  readonly earliestBySeconds: number;
}

const MOST_WAITS = 10_000;
const MOST_REPORTED = 100;
const LONGEST_NAME = 200;
const LOG_EVERY_MS = 60_000;

/** Detects for one limit whether clients wait as long as `Retry-After` says. */
export class EarlyRetries {
  readonly #limit: string;
  readonly #log: Logger;
  /** When each client may retry, by client and scope; the oldest entries are evicted first. */
  readonly #waits = new Map<string, number>();
  readonly #reported = new Map<string, EarlyRetry>();
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(limit: string, log: Logger) {
    this.#limit = limit;
    this.#log = log;
  }

  /** Returns true if this client retries too early. */
  isEarly(client: Client, scope: readonly string[], now: number): boolean {
    if (this.#waits.size === 0) return false;
    const key = keyOf(client, scope);
    const until = this.#waits.get(key);
    if (until === undefined) return false;
    if (now >= until) {
      this.#waits.delete(key);
      return false;
    }
    this.#name(client.id.slice(0, LONGEST_NAME), client.name, now, (until - now) / 1000);
    return true;
  }

  recordWait(client: Client, scope: readonly string[], until: number): void {
    const key = keyOf(client, scope);
    this.#waits.delete(key);
    if (this.#waits.size >= MOST_WAITS) this.#waits.delete(this.#waits.keys().next().value as string);
    this.#waits.set(key, until);
  }

  /** Latest first. */
  list(): EarlyRetry[] {
    return [...this.#reported.values()].reverse();
  }

  clear(): void {
    this.#waits.clear();
    this.#reported.clear();
  }

  #name(client: string, name: string | undefined, now: number, early: number): void {
    const known = this.#reported.get(client);
    this.#reported.delete(client);
    if (this.#reported.size >= MOST_REPORTED) this.#reported.delete(this.#reported.keys().next().value as string);
    const retry: EarlyRetry = {
      client,
      ...(name !== undefined && { name: name.slice(0, LONGEST_NAME) }),
      times: (known?.times ?? 0) + 1,
      lastAt: now,
      earliestBySeconds: Math.max(known?.earliestBySeconds ?? 0, early),
    };
    this.#reported.set(client, retry);
    if (wallNow() - this.#loggedAt < LOG_EVERY_MS) return;
    this.#loggedAt = wallNow();
    this.#log.warn(
      { limit: this.#limit, client, name: retry.name, times: retry.times, earlyBySeconds: early },
      'a client retried before its Retry-After was over',
    );
  }
}

/** A wait applies only to the scope that was refused, for example one subscription. */
const keyOf = ({ id }: Client, scope: readonly string[]): string => scopeKey([id, ...scope]);
