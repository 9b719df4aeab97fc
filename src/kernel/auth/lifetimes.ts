import type { Clock } from '../clock/types.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Counter, Metrics } from '../telemetry/metrics.ts';
import { isoTime } from '../time/dates.ts';
import { wallNow } from '../time/timers.ts';

/** When a credential expires. Stored with it, or signed into it. */
export interface Lifetime {
  /** Time of the jar's clock. */
  readonly expiresAt: number;
  /** Time of the system's clock; absent if the caller requested this lifetime explicitly, which then ends by the jar's clock only. */
  readonly wallExpiresAt?: number;
  /** Time of the system's clock, at which it expires whatever the jar's clock says. */
  readonly wallEnd?: number;
}

type DefaultLifetime = Lifetime & { readonly wallExpiresAt: number };

export interface LifetimeOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** All credentials expire by the jar's clock only. */
  readonly strict: boolean;
  /** The system's clock; replaced in tests. */
  readonly wall?: () => number;
}

const ACCEPTED_LATE =
  "accepted a credential that has expired by the jar's clock but not by the system's: the jar's clock was moved after it was issued, and client libraries cache tokens by the system's clock. " +
  'With --strict-token-expiry such credentials are rejected. Logged only once';

/**
 * Decides whether a credential with a default lifetime is still valid: access tokens, refresh tokens, authorization codes, sessions. Client
 * libraries cache them by the system's clock and do not know that the jar's clock was moved, so a credential is valid until both clocks say
 * that it has expired. If the jar's clock is never moved, both agree.
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

  /** A default lifetime that starts now, or at `startedAt` by the jar's clock. */
  begin(ms: number, startedAt: number = this.#clock.now()): DefaultLifetime {
    const wallStart = this.#wall() - (this.#clock.now() - startedAt);
    return { expiresAt: startedAt + ms, wallExpiresAt: wallStart + ms };
  }

  isOver(lifetime: Lifetime): boolean {
    if (lifetime.wallEnd !== undefined && lifetime.wallEnd <= this.#wall()) return true;
    if (lifetime.expiresAt > this.#clock.now()) return false;
    if (!this.#isGoodByWall(lifetime)) return true;
    this.#accepted.inc();
    if (!this.#logged) {
      this.#logged = true;
      this.#log.warn({ expiredAt: isoTime(lifetime.expiresAt), now: isoTime(this.#clock.now()) }, ACCEPTED_LATE);
    }
    return false;
  }

  /** Whether a time that a client has set is reached on either clock. */
  hasCome(time: number): boolean {
    return time <= this.#clock.now() || (!this.#strict && time <= this.#wall());
  }

  /**
   * When to check again whether a stored credential can be deleted, by the jar's clock; `undefined` if it can be deleted now. A clock that
   * is moved by a year passes a day's lifetime 365 times without ending it, so the interval doubles.
   */
  nextLook(lifetime: Lifetime): number | undefined {
    const now = this.#clock.now();
    if (lifetime.expiresAt > now) return lifetime.expiresAt;
    if (!this.#isGoodByWall(lifetime)) return undefined;
    return now + Math.max(lifetime.wallExpiresAt - this.#wall(), now - lifetime.expiresAt);
  }

  /** The earlier time of both clocks, so that a program that checks `nbf` by the system's clock accepts it. */
  earliestNow(): number {
    return this.#strict ? this.#clock.now() : Math.min(this.#clock.now(), this.#wall());
  }

  /** The later end of both clocks, for lifetimes that only clients check. */
  latestEnd({ expiresAt, wallExpiresAt }: Lifetime): number {
    return this.#strict ? expiresAt : Math.max(expiresAt, wallExpiresAt ?? expiresAt);
  }

  #isGoodByWall(lifetime: Lifetime): lifetime is DefaultLifetime {
    return !this.#strict && lifetime.wallExpiresAt !== undefined && lifetime.wallExpiresAt > this.#wall();
  }
}
