import type { Logger } from '../telemetry/log.ts';
import { wallNow } from '../time/timers.ts';
import { scopeKey } from './scope.ts';

/** Who asks, so that a client which comes back too early can be named. */
export interface Client {
  /** Tells clients apart: an object id, a key, an address. */
  readonly id: string;
  /** For people. */
  readonly name?: string;
}

/** A client that was told when to come back and came before. */
export interface EarlyRetry {
  readonly client: string;
  readonly name?: string;
  readonly times: number;
  /** By the jar's clock. */
  readonly lastAt: number;
  /** How much too early it was at its earliest. */
  readonly earliestBySeconds: number;
}

const MOST_TOLD = 10_000;
const MOST_NAMED = 100;
const LONGEST_NAME = 200;
const LOG_EVERY_MS = 60_000;

/** Watches over one limit whether clients wait as long as they were told. */
export class EarlyRetries {
  readonly #limit: string;
  readonly #log: Logger;
  /** When each may come back, by client and scope; the oldest are forgotten first. */
  readonly #told = new Map<string, number>();
  readonly #named = new Map<string, EarlyRetry>();
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(limit: string, log: Logger) {
    this.#limit = limit;
    this.#log = log;
  }

  /** Whether this client comes too early. */
  came(client: Client, scope: readonly string[], now: number): boolean {
    if (this.#told.size === 0) return false;
    const key = keyOf(client, scope);
    const until = this.#told.get(key);
    if (until === undefined) return false;
    if (now >= until) {
      this.#told.delete(key);
      return false;
    }
    this.#name(client.id.slice(0, LONGEST_NAME), client.name, now, (until - now) / 1000);
    return true;
  }

  told(client: Client, scope: readonly string[], until: number): void {
    const key = keyOf(client, scope);
    this.#told.delete(key);
    if (this.#told.size >= MOST_TOLD) this.#told.delete(this.#told.keys().next().value as string);
    this.#told.set(key, until);
  }

  /** The last one first. */
  list(): EarlyRetry[] {
    return [...this.#named.values()].reverse();
  }

  clear(): void {
    this.#told.clear();
    this.#named.clear();
  }

  #name(client: string, name: string | undefined, now: number, early: number): void {
    const known = this.#named.get(client);
    this.#named.delete(client);
    if (this.#named.size >= MOST_NAMED) this.#named.delete(this.#named.keys().next().value as string);
    const retry: EarlyRetry = {
      client,
      ...(name !== undefined && { name: name.slice(0, LONGEST_NAME) }),
      times: (known?.times ?? 0) + 1,
      lastAt: now,
      earliestBySeconds: Math.max(known?.earliestBySeconds ?? 0, early),
    };
    this.#named.set(client, retry);
    if (wallNow() - this.#loggedAt < LOG_EVERY_MS) return;
    this.#loggedAt = wallNow();
    this.#log.warn(
      { limit: this.#limit, client, name: retry.name, times: retry.times, earlyBySeconds: early },
      'a client came back before its Retry-After was over',
    );
  }
}

/** A client that has to wait in one subscription may go on in another. */
const keyOf = ({ id }: Client, scope: readonly string[]): string => scopeKey([id, ...scope]);
