/**
 * A service declares its limits as rows of a table, and refers to a limit by its row. Settings that are not part of a row (whether it is
 * enforced on this jar, for which scopes it is raised) are overrides.
 */

export type Mode =
  /** Counts and refuses. */
  | 'enforced'
  /** Counts, records what it would have refused, and accepts it. */
  | 'shadow'
  /** Counts, but has no maximum. */
  | 'unlimited';

interface Row {
  /** `management.reads`: the service or API, a dot, and the limited thing. Unique in a jar. */
  readonly name: string;
  readonly title: string;
  /** The parts that counts are keyed by: `['subscription', 'principal']`. Empty: one count for the whole jar. */
  readonly scope: readonly string[];
  /** The unit that is counted, such as `groups` or `characters`; default requests. */
  readonly unit?: string;
  /** The real service does not raise this limit on request. Here every limit can be changed. */
  readonly fixed?: boolean;
  /**
   * A throttle that is not central to its service. On a virtual clock it runs in shadow mode, because it would refuse calls until the clock
   * is advanced.
   */
  readonly incidental?: boolean;
  /** Default: `enforced`. */
  readonly mode?: Mode;
}

/**
 * At most `limit` things at the same time, counted in the store by the transactions that create and remove them. With `windowMs`, limits
 * how many are created within that time, in slices of a sixtieth like a sliding window: removed things still count.
 */
export interface QuotaLimit extends Row {
  readonly kind: 'quota';
  readonly limit: number;
  readonly windowMs?: number;
  /**
   * The quota with the same scope in whose documents this quota, which has a window, is counted. Both are usually taken together, and are
   * then read and written once.
   */
  readonly keptWith?: string;
  /** The kind of due work that is woken when this limit changes, in the same transaction: for work that waits for capacity. */
  readonly wakes?: string;
}

/** The maximum size, length or depth of one thing. Nothing is counted: each thing is checked on its own. */
export interface BoundLimit extends Row {
  readonly kind: 'bound';
  readonly limit: number;
}

/** A token bucket of `size` tokens, refilled at a constant rate. */
export interface BucketLimit extends Row {
  readonly kind: 'bucket';
  readonly size: number;
  readonly refillPerSecond: number;
}

/**
 * At most `limit` per window. A fixed window starts at multiples of its length in the jar's time. A sliding window covers the last
 * `windowMs`, in slices of a sixtieth: no period of that length ever contains more than the limit.
 */
export interface WindowLimit extends Row {
  readonly kind: 'window';
  readonly window: 'fixed' | 'sliding';
  readonly limit: number;
  readonly windowMs: number;
}

/** At most `limit` at once, each until it ends. */
export interface ConcurrencyLimit extends Row {
  readonly kind: 'concurrency';
  readonly limit: number;
  /** With Redis: how long a slot counts if its jar died before freeing it. Real time; default ten minutes. */
  readonly leaseMs?: number;
}

export type RateLimit = BucketLimit | WindowLimit | ConcurrencyLimit;
export type Limit = QuotaLimit | BoundLimit | RateLimit;

/** The bucket for "`count` per `seconds`": a burst of `count`, refilled over that time. */
export const bucketOf = (count: number, seconds: number): Pick<BucketLimit, 'size' | 'refillPerSecond'> => ({
  size: count,
  refillPerSecond: count / seconds,
});

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

/** Returns all limits by name, sorted by name. Throws on a mistake in a table, which is a programming error that prevents the start. */
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
    return 'the name must consist of words of lower-case letters, digits and dashes, separated by dots';
  const part = limit.scope.find((each) => !PART.test(each));
  if (part !== undefined) return `'${part}' is not a valid name for a part of a scope`;
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
  // A windowed quota is never freed, so it never causes the shared document to be deleted.
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

/** The numeric fields of a row. */
export function numbersOf(limit: Limit): Readonly<Record<string, number>> {
  if (limit.kind === 'bucket') return { size: limit.size, refillPerSecond: limit.refillPerSecond };
  if (limit.kind === 'window') return { limit: limit.limit, windowMs: limit.windowMs };
  if (limit.kind === 'quota' && limit.windowMs !== undefined) return { limit: limit.limit, windowMs: limit.windowMs };
  return { limit: limit.limit };
}
