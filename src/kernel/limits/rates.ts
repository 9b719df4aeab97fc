import type { RateLimit } from './table.ts';

/** One limit that a call has to pass, and how much it takes of it. */
export interface Use {
  readonly limit: RateLimit;
  /** The values of the limit's scope, in its order. */
  readonly scope: readonly string[];
  /** 1 unless given; 0 only looks. */
  readonly cost?: number;
}

/** How one of the limits of a call stands after the decision. */
export interface Reading {
  readonly limit: RateLimit;
  readonly maximum: number;
  /** Whole units that are left. */
  readonly remaining: number;
  /** This limit refused, or in shadow mode would have. */
  readonly exceeded: boolean;
  /** Of what has exceeded: how long until there is enough; infinite when there never will be. */
  readonly waitMs: number;
  readonly enforced: boolean;
  /** Units that this use took. */
  readonly taken: number;
}

/** Whether a call may go on. */
export interface Decision {
  readonly allowed: boolean;
  /** For `Retry-After`: at least 1 when refused, 0 when not. Exact by the refill: a client that waits as long gets through. */
  readonly retryAfterSeconds: number;
  /** The limit that refused; of several the one that takes longest. */
  readonly refusedBy: RateLimit | undefined;
  /** It asks for more than that limit will ever have, so that waiting does not help. */
  readonly hopeless: boolean;
  /** One for each use, in their order. */
  readonly readings: readonly Reading[];
  /** Ends what counts only while it runs; present when the call was let through a concurrency limit. */
  readonly release: (() => void) | undefined;
}

/** One scope in which something was counted. */
export interface Usage {
  readonly scope: readonly string[];
  readonly used: number;
  readonly remaining: number;
  readonly maximum: number;
}

export interface UsageQuery {
  /** Values by the position of their part; only scopes with these. */
  readonly where: ReadonlyMap<number, string>;
  readonly most: number;
}

/** Where rates are counted: in this process, or in Redis for all that share it. One suite holds both to the same behaviour. */
export interface Rates {
  /** All or nothing: what is refused takes nothing of any limit. `now` is the jar's time. */
  take(uses: readonly Use[], now: number): Decision | Promise<Decision>;
  /** The fullest scopes of a limit. */
  usage(limit: RateLimit, query: UsageQuery, now: number): Promise<Usage[]>;
  /** Forgets everything, for all who share it. */
  clear(): Promise<void>;
  /** Forgets what only this process knows; another one has cleared the rest. */
  forget(): void;
  close(): Promise<void>;
}

/** Slices of a sliding window. */
export const SLICES = 60;

export const sliceLength = (windowMs: number): number => Math.max(1, Math.ceil(windowMs / SLICES));

/**
 * Nodes that share a count are a little apart in time, and of two times the later one counts. A clock that went back further
 * than this was set back: waiting for it to catch up would freeze the count.
 */
export const MOST_BACKWARDS_MS = 5000;

/** Refilling adds up fractions; a millionth of a unit must not decide. */
export const SLACK = 1e-6;

export const whole = (units: number): number => Math.max(0, Math.floor(units + SLACK));

export function checkCost(limit: RateLimit, cost: number): void {
  if (Number.isFinite(cost) && cost >= 0) return;
  throw new RangeError(`a use of the limit '${limit.name}' must cost a number from 0 up, not ${cost}`);
}

export function matches(scope: readonly string[], where: ReadonlyMap<number, string>): boolean {
  for (const [index, value] of where) if (scope[index] !== value) return false;
  return true;
}

export const allow = (readings: readonly Reading[], release?: () => void): Decision => ({
  allowed: true,
  retryAfterSeconds: 0,
  refusedBy: undefined,
  hopeless: false,
  readings,
  release,
});

/** A year: beyond that no client waits. */
const LONGEST_RETRY_SECONDS = 31_536_000;

/** What is told of several limits that refuse is the one that takes longest. */
export function refuse(readings: readonly Reading[]): Decision {
  const refusing = readings.filter(({ exceeded, enforced }) => exceeded && enforced);
  const { limit, waitMs } = refusing.reduce((longest, each) => (each.waitMs > longest.waitMs ? each : longest));
  return {
    allowed: false,
    // Whole seconds after which the wait is certainly over.
    retryAfterSeconds: Math.min(LONGEST_RETRY_SECONDS, Math.max(1, Math.ceil(waitMs / 1000 - 1e-9))),
    refusedBy: limit,
    hopeless: waitMs === Number.POSITIVE_INFINITY,
    readings,
    release: undefined,
  };
}
