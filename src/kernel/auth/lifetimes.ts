import type { Clock } from '../clock/types.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Counter, Metrics } from '../telemetry/metrics.ts';
import { isoTime } from '../time/dates.ts';
import { wallNow } from '../time/timers.ts';

/** How long a credential is good for. Stored with it, or signed into it. */
export interface Lifetime {
  /** By the jar's clock. */
  readonly expiresAt: number;
  /** By the system's clock; absent where somebody asked for this very lifetime, which the jar's clock alone then ends. */
  readonly wallExpiresAt?: number;
}

export interface LifetimeOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** The jar's clock alone decides, for every credential. */
  readonly strict: boolean;
  /** The system's clock; tests of a day's length bring their own. */
  readonly wall?: () => number;
}

const ACCEPTED_LATE =
  "accepted a credential that has expired by the jar's clock but not by the system's: the jar's clock was moved since it was issued, and client libraries keep tokens by the system's clock. " +
  'With --strict-token-expiry such credentials are refused. This is logged once';

/**
 * The one place that decides whether a credential with a default lifetime is still good: access tokens, refresh tokens, authorization codes,
 * sessions. Client libraries cache them by the system's clock and cannot know that the jar's was moved, so a credential is good while
 * either clock says so. While the jar's clock is not moved, both say the same.
 */
export class Lifetimes {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #strict: boolean;
  readonly #wall: () => number;
  readonly #accepted: Counter;
  #logged = false;

  constructor({ clock, log, metrics, strict, wall = wallNow }: LifetimeOptions) {
    this.#clock = clock;
    this.#log = log;
    this.#strict = strict;
    this.#wall = wall;
    this.#accepted = metrics
      .counter({
        name: 'cloudjar_expired_credentials_accepted_total',
        help: "Credentials accepted after their expiry by the jar's clock, since they had not expired by the system's.",
      })
      .with();
  }

  /** A default lifetime, from now or from `startedAt` by the jar's clock. */
  begin(ms: number, startedAt: number = this.#clock.now()): Required<Lifetime> {
    const wallStart = this.#wall() - (this.#clock.now() - startedAt);
    return { expiresAt: startedAt + ms, wallExpiresAt: wallStart + ms };
  }

  isOver(lifetime: Lifetime): boolean {
    if (lifetime.expiresAt > this.#clock.now()) return false;
    if (!this.#isGoodByWall(lifetime)) return true;
    this.#accepted.inc();
    if (!this.#logged) {
      this.#logged = true;
      this.#log.warn({ expiredAt: isoTime(lifetime.expiresAt), now: isoTime(this.#clock.now()) }, ACCEPTED_LATE);
    }
    return false;
  }

  /** Whether a time that somebody else set has come, by either clock. */
  hasCome(time: number): boolean {
    return time <= this.#clock.now() || (!this.#strict && time <= this.#wall());
  }

  /**
   * When to look again whether a stored credential can be removed, by the jar's clock; `undefined` when it can be now. A clock that is moved
   * by a year passes a day's lifetime 365 times without ending it, so the waits double.
   */
  nextLook(lifetime: Lifetime): number | undefined {
    const now = this.#clock.now();
    if (lifetime.expiresAt > now) return lifetime.expiresAt;
    if (!this.#isGoodByWall(lifetime)) return undefined;
    return now + Math.max(lifetime.wallExpiresAt - this.#wall(), now - lifetime.expiresAt);
  }

  /** The earliest that either clock shows: a program that checks `nbf` by the system's clock takes it for the present or the past. */
  earliestNow(): number {
    return this.#strict ? this.#clock.now() : Math.min(this.#clock.now(), this.#wall());
  }

  /** The latest end by either clock, for what only clients check. */
  latestEnd({ expiresAt, wallExpiresAt }: Lifetime): number {
    return this.#strict ? expiresAt : Math.max(expiresAt, wallExpiresAt ?? expiresAt);
  }

  #isGoodByWall(lifetime: Lifetime): lifetime is Required<Lifetime> {
    return !this.#strict && lifetime.wallExpiresAt !== undefined && lifetime.wallExpiresAt > this.#wall();
  }
}
