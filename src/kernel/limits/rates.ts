import type { Limit, RateLimit } from './table.ts';

/** One limit that a call has to pass, and its cost. */
export interface Use {
  readonly limit: RateLimit;
  /** The values of the limit's scope, in its order. */
  readonly scope: readonly string[];
  /** Default: 1. A cost of 0 only reads the state. */
  readonly cost?: number;
}

/** The state of one of the call's limits after the decision. */
export interface Reading {
  readonly limit: RateLimit;
  readonly maximum: number;
  /** Remaining whole units. */
  readonly remaining: number;
  /** True if this limit refused, or would have refused in shadow mode. */
  readonly exceeded: boolean;
  /** If exceeded: the time until enough units are available; infinite if that never happens. */
  readonly waitMs: number;
  readonly enforced: boolean;
  /** The units taken by this use. */
  readonly taken: number;
}

/** The decision on a call. */
export interface Decision {
  readonly allowed: boolean;
  /** For `Retry-After`: at least 1 if refused, otherwise 0. Exact with respect to the refill: a client that waits this long is accepted. */
  readonly retryAfterSeconds: number;
  /** The limit that refused; if several did, the one with the longest wait. */
  readonly refusedBy: RateLimit | undefined;
  /** The cost is greater than the limit's maximum, so waiting does not help. */
  readonly exceedsMaximum: boolean;
  /** One per use, in the same order. */
  readonly readings: readonly Reading[];
  /** Frees the slots of concurrency limits; present if the call took any. */
  readonly release: (() => void) | undefined;
}

/** The usage of one scope. */
export interface Usage {
  readonly scope: readonly string[];
  readonly used: number;
  readonly remaining: number;
  readonly maximum: number;
}

/** A scope of a limit, for the list of the scopes that are nearest to their limit. */
export interface Filled extends Usage {
  readonly limit: Limit;
}

/** The share of the limit that is used; 1 and above if nothing is left. */
export const shareOf = ({ used, maximum }: Usage): number => (maximum > 0 ? used / maximum : 1);

/** In any order, with what is used at all. */
export const fullestOf = (found: readonly Filled[], most: number): Filled[] =>
  found
    .filter(({ used }) => used > 0)
    .sort((a, b) => shareOf(b) - shareOf(a))
    .slice(0, most);

export interface UsageQuery {
  /** Only scopes with these values, given by the position of the part. */
  readonly where: ReadonlyMap<number, string>;
  readonly most: number;
}

/** Where rates are counted: in this process, or in Redis for all processes that share it. One test suite checks both. */
export interface Rates {
  /** All or nothing: a refused call takes nothing from any limit. `now` is the jar's time. */
  take(uses: readonly Use[], now: number): Decision | Promise<Decision>;
  /** The scopes with the highest usage. */
  usage(limit: RateLimit, query: UsageQuery, now: number): Promise<Usage[]>;
  /** The scopes with the highest share of their limit, among a bounded number of scopes of these limits. */
  fullest(limits: readonly RateLimit[], most: number, now: number): Promise<Filled[]>;
  /** Clears all counts, including shared ones. */
  clear(): Promise<void>;
  /** Clears the counts of this process; another process has cleared the shared ones. */
  forget(): void;
  close(): Promise<void>;
}

/** The number of slices in a sliding window. */
export const SLICES = 60;

export const sliceLength = (windowMs: number): number => Math.max(1, Math.ceil(windowMs / SLICES));

/**
 * Clocks of nodes that share a count differ slightly; the later of two times is used. A clock that jumps back further than this was set
 * back: waiting for it to catch up would freeze the count.
 */
export const MOST_BACKWARDS_MS = 5000;

/** Tolerance for rounding errors of the refill. */
export const SLACK = 1e-6;

export const wholeUnits = (units: number): number => Math.max(0, Math.floor(units + SLACK));

export function checkCost(limit: RateLimit, cost: number): void {
  if (Number.isFinite(cost) && cost >= 0) return;
  throw new RangeError(`the cost for the limit '${limit.name}' must be a number of 0 or more, not ${cost}`);
}

export function matches(scope: readonly string[], where: ReadonlyMap<number, string>): boolean {
  for (const [index, value] of where) if (scope[index] !== value) return false;
  return true;
}

export const allow = (readings: readonly Reading[], release?: () => void): Decision => ({
  allowed: true,
  retryAfterSeconds: 0,
  refusedBy: undefined,
  exceedsMaximum: false,
  readings,
  release,
});

/** A year: no client waits longer. */
const LONGEST_RETRY_SECONDS = 31_536_000;

/** If several limits refuse, the decision names the one with the longest wait. */
export function refuse(readings: readonly Reading[]): Decision {
  const refusing = readings.filter(({ exceeded, enforced }) => exceeded && enforced);
  const { limit, waitMs } = refusing.reduce((longest, each) => (each.waitMs > longest.waitMs ? each : longest));
  return {
    allowed: false,
    // Rounded up, so that the wait is certainly over.
    retryAfterSeconds: Math.min(LONGEST_RETRY_SECONDS, Math.max(1, Math.ceil(waitMs / 1000 - 1e-9))),
    refusedBy: limit,
    exceedsMaximum: waitMs === Number.POSITIVE_INFINITY,
    readings,
    release: undefined,
  };
}
