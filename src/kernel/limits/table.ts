/**
 * A service declares its limits as rows of a table, and refers to a limit by its row. What a row does not say (whether it is
 * enforced on this jar, for whom it is raised) is in the overrides.
 */

export type Mode =
  /** Counts and refuses. */
  | 'enforced'
  /** Counts, notes what it would have refused, and lets it through. */
  | 'shadow'
  /** Counts; there is nothing it would refuse. */
  | 'unlimited';

interface Row {
  /** `management.reads`: the service or API, a dot, and what is limited. Unique in a jar. */
  readonly name: string;
  readonly title: string;
  /** What is counted apart: `['subscription', 'principal']`. Empty: one count for the whole jar. */
  readonly scope: readonly string[];
  /** What is counted: requests unless said otherwise; `groups`, `characters`. */
  readonly unit?: string;
  /** The real service does not raise it on request. Here every limit can be changed. */
  readonly fixed?: boolean;
  /** A throttle that is not the point of its service: only a shadow on a clock that stands still, where it would never let go. */
  readonly incidental?: boolean;
  /** `enforced` unless given. */
  readonly mode?: Mode;
}

/**
 * At most `limit` things at the same time, counted in the store by the transactions that make and remove them. With `windowMs` it is how many are
 * made within the time that lies so far back, by slices of a sixtieth as a sliding window counts: what is removed counts all the same.
 */
export interface QuotaLimit extends Row {
  readonly kind: 'quota';
  readonly limit: number;
  readonly windowMs?: number;
  /**
   * The quota of the same scope in whose documents this one, which has a window, is counted: both are taken together more often than apart, and then
   * they are read and written once.
   */
  readonly keptWith?: string;
  /** The kind of due work that is woken by a change of this limit, in the same transaction: for those who wait until there is room. */
  readonly wakes?: string;
}

/** How large, long or deep one thing may be. Nothing is counted: each thing is looked at by itself. */
export interface BoundLimit extends Row {
  readonly kind: 'bound';
  readonly limit: number;
}

/** `size` at once, filled again at a steady rate. */
export interface BucketLimit extends Row {
  readonly kind: 'bucket';
  readonly size: number;
  readonly refillPerSecond: number;
}

/**
 * `limit` in a window. A fixed window begins at the multiples of its length by the jar's clock. A sliding one is what lies
 * `windowMs` back from now, in slices of a sixtieth: no stretch of that length ever holds more than the limit.
 */
export interface WindowLimit extends Row {
  readonly kind: 'window';
  readonly window: 'fixed' | 'sliding';
  readonly limit: number;
  readonly windowMs: number;
}

/** `limit` at once, each until it ends. */
export interface ConcurrencyLimit extends Row {
  readonly kind: 'concurrency';
  readonly limit: number;
  /** In Redis: how long one counts whose jar died before it ended. Real time; ten minutes unless given. */
  readonly leaseMs?: number;
}

export type RateLimit = BucketLimit | WindowLimit | ConcurrencyLimit;
export type Limit = QuotaLimit | BoundLimit | RateLimit;

/** The bucket of "`count` per `seconds`": that many at once, and as many again over that time. */
export const bucketOf = (count: number, seconds: number): Pick<BucketLimit, 'size' | 'refillPerSecond'> => ({
  size: count,
  refillPerSecond: count / seconds,
});

/** The limits of one service. */
export interface ServiceLimits {
  readonly service: string;
  readonly limits: readonly Limit[];
}

export interface DeclaredLimit {
  readonly service: string;
  readonly limit: Limit;
}

const NAME = /^[a-z][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+$/;
const PART = /^[a-z][A-Za-z0-9]*$/;

/** Every limit by its name, in order of the names. A mistake in a table is a mistake of the program and keeps the jar from starting. */
export function readTables(tables: readonly ServiceLimits[]): ReadonlyMap<string, DeclaredLimit> {
  const declared = tables.flatMap(({ service, limits }) => limits.map((limit) => ({ service, limit })));
  const byName = new Map<string, DeclaredLimit>();
  for (const row of declared.sort((a, b) => (a.limit.name < b.limit.name ? -1 : 1))) {
    const { name } = row.limit;
    const other = byName.get(name);
    if (other) throw new Error(`the limit '${name}' of '${row.service}' is declared already, by '${other.service}'`);
    const mistake = findRowMistake(row.limit);
    if (mistake !== undefined) throw new Error(`the limit '${name}' of '${row.service}': ${mistake}`);
    byName.set(name, row);
  }
  for (const { service, limit } of byName.values()) {
    const mistake = findKeptMistake(limit, byName);
    if (mistake !== undefined) throw new Error(`the limit '${limit.name}' of '${service}': ${mistake}`);
  }
  return byName;
}

function findRowMistake(limit: Limit): string | undefined {
  if (!NAME.test(limit.name))
    return 'the name must be words of small letters, digits and dashes with dots between them';
  const part = limit.scope.find((each) => !PART.test(each));
  if (part !== undefined) return `'${part}' is no name for a part of a scope`;
  if (new Set(limit.scope).size < limit.scope.length) return 'a part of the scope is named twice';
  for (const [field, value] of Object.entries(numbersOf(limit))) {
    if (!Number.isFinite(value) || value < 0) return `${field} must be a number from 0 up, not ${value}`;
  }
  const { windowMs } = limit as { windowMs?: number };
  if (windowMs !== undefined && windowMs < 1) return 'windowMs must be at least 1';
  return undefined;
}

function findKeptMistake(limit: Limit, byName: ReadonlyMap<string, DeclaredLimit>): string | undefined {
  if (limit.kind !== 'quota' || limit.keptWith === undefined) return undefined;
  // Nothing is given back to it, so that a document never has to go because of it.
  if (limit.windowMs === undefined) return 'only a quota with a window can be kept with another';
  const other = byName.get(limit.keptWith)?.limit;
  const isSame = other?.scope.join() === limit.scope.join();
  if (other?.kind !== 'quota' || other.windowMs !== undefined || !isSame)
    return `'${limit.keptWith}', with which it is kept, must be a quota of the same scope without a window`;
  for (const { limit: each } of byName.values()) {
    const isSecond = each.kind === 'quota' && each.keptWith === limit.keptWith && each !== limit;
    if (isSecond) return `'${each.name}' is kept with '${limit.keptWith}' already`;
  }
  return undefined;
}

/** The numbers of a row, by their names. */
export function numbersOf(limit: Limit): Readonly<Record<string, number>> {
  if (limit.kind === 'bucket') return { size: limit.size, refillPerSecond: limit.refillPerSecond };
  if (limit.kind === 'window') return { limit: limit.limit, windowMs: limit.windowMs };
  if (limit.kind === 'quota' && limit.windowMs !== undefined) return { limit: limit.limit, windowMs: limit.windowMs };
  return { limit: limit.limit };
}
