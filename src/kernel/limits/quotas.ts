import type { JarClock } from '../clock/types.ts';
import { collection } from '../store/collection.ts';
import { deleteSome, SLICE } from '../store/delete-some.ts';
import type { Store, Tx } from '../store/types.ts';
import { pagesOf } from '../store/walk.ts';
import type { Overrides } from './overrides.ts';
import { MOST_BACKWARDS_MS, matches, sliceLength, type Usage, type UsageQuery } from './rates.ts';
import { readScopeKey, scopeKey } from './scope.ts';
import type { QuotaLimit } from './table.ts';

export interface QuotaCount {
  readonly limit: string;
  readonly scope: string;
  readonly used: number;
  /** Of a limit with a window: how many were made from each of these times on, for the length of a slice. */
  readonly slices?: readonly Slice[];
}

type Slice = readonly [from: number, count: number];

/** One count per limit and scope in which there is something. Without fields: every index would be written with every count. */
export const quotaCounts = collection<QuotaCount>('kernel.quotas');

export interface QuotaDecision {
  readonly allowed: boolean;
  readonly limit: QuotaLimit;
  readonly maximum: number;
  /** Before this. */
  readonly current: number;
  readonly requested: number;
  /** It is over the limit, whether that is enforced or not. */
  readonly exceeded: boolean;
}

export interface QuotaRequest {
  readonly limit: QuotaLimit;
  /** The values of the limit's scope, in its order. */
  readonly scope: readonly string[];
  /** How many; 1 unless given. */
  readonly count?: number;
  /**
   * Counts what is there. Asked when nothing was counted in this scope so far, so that things which came by another way (a seed,
   * a database of before the limit) are not left out.
   */
  readonly actual?: (tx: Tx) => Promise<number>;
}

/** Scopes that are looked at for one page of use. */
const LOOK_AT_MOST = 100_000;
const PAGE = 1000;

/** Counts things in the transactions that make and remove them, so that count and things never differ. */
export class Quotas {
  readonly #store: Store;
  readonly #overrides: Overrides;
  readonly #clock: Pick<JarClock, 'now'>;

  constructor(store: Store, overrides: Overrides, clock: Pick<JarClock, 'now'>) {
    this.#store = store;
    this.#overrides = overrides;
    this.#clock = clock;
  }

  /** To be called before the things are written. Refused, it has changed nothing. */
  async take(tx: Tx, { limit, scope, count = 1, actual }: QuotaRequest): Promise<QuotaDecision> {
    checkCount(limit, count);
    const rule = this.#overrides.of(limit, scope);
    const { mode, maximum } = rule;
    const key = keyOf(limit, scope);
    const stored = await held(tx, key);
    const slices = limit.windowMs === undefined ? undefined : this.#recent(stored?.slices ?? [], rule.windowMs);
    const current = slices ? sum(slices) : (stored?.used ?? (actual ? await actual(tx) : 0));
    const exceeded = mode !== 'unlimited' && current + count > maximum;
    const allowed = !exceeded || mode !== 'enforced';
    if (allowed && count > 0) {
      const added = slices && withNow(slices, this.#clock.now(), sliceLength(rule.windowMs), count);
      await write(tx, key, limit, scope, current + count, added);
    }
    return { allowed, limit, maximum, current, requested: count, exceeded };
  }

  /** The slices of which some part still lies in the window. A clock that was set back has those of its future go. */
  #recent(slices: readonly Slice[], windowMs: number): readonly Slice[] {
    const now = this.#clock.now();
    const length = sliceLength(windowMs);
    return slices.filter(([from]) => from <= now + MOST_BACKWARDS_MS && from + length > now - windowMs);
  }

  /** Never goes below nothing: what was not counted when it came is not missed when it goes. */
  async free(tx: Tx, { limit, scope, count = 1 }: Omit<QuotaRequest, 'actual'>): Promise<void> {
    checkCount(limit, count);
    if (limit.windowMs !== undefined)
      throw new Error(`nothing is given back to '${limit.name}', which counts what is made`);
    const key = keyOf(limit, scope);
    const current = (await held(tx, key))?.used;
    if (current === undefined || count === 0) return;
    if (current <= count) await tx.delete(quotaCounts, key);
    else await write(tx, key, limit, scope, current - count);
  }

  /** How one scope stands. */
  async standing(limit: QuotaLimit, scope: readonly string[]): Promise<{ used: number; maximum: number }> {
    const stored = await this.#store.get(quotaCounts, keyOf(limit, scope));
    const rule = this.#overrides.of(limit, scope);
    return { used: stored ? this.#usedOf(stored.value, rule.windowMs) : 0, maximum: rule.maximum };
  }

  #usedOf({ used, slices }: QuotaCount, windowMs: number): number {
    return slices ? sum(this.#recent(slices, windowMs)) : used;
  }

  /** The fullest scopes of a limit. Those of one value of its first part are found by it, however many others there are. */
  async usage(limit: QuotaLimit, { where, most }: UsageQuery): Promise<Usage[]> {
    const first = where.get(0);
    if (first !== undefined && limit.scope.length === 1) {
      const stored = await this.#store.get(quotaCounts, keyOf(limit, [first]));
      return stored && most > 0 ? [this.#usageOf(limit, stored.value)] : [];
    }
    const prefix = first === undefined ? `${limit.name}?` : `${keyOf(limit, [first])}/`;
    let found: Usage[] = [];
    let seen = 0;
    for await (const page of pagesOf(this.#store, quotaCounts, { prefix, page: PAGE })) {
      seen += page.length;
      const matching = page
        .map(({ value }) => this.#usageOf(limit, value))
        .filter(({ scope }) => matches(scope, where));
      found = [...found, ...matching].sort((a, b) => b.used - a.used).slice(0, most);
      if (seen >= LOOK_AT_MOST) break;
    }
    return found;
  }

  #usageOf(limit: QuotaLimit, value: QuotaCount): Usage {
    const scope = readScopeKey(value.scope, limit.scope.length);
    const { maximum, windowMs } = this.#overrides.of(limit, scope);
    const used = this.#usedOf(value, windowMs);
    return { scope, used, remaining: Math.max(0, maximum - used), maximum };
  }
}

const keyOf = (limit: QuotaLimit, scope: readonly string[]): string => `${limit.name}?${scopeKey(scope)}`;

/**
 * For what owned things that were counted apart, once it is gone with all of them: removes the counts of every scope that begins with these values, a
 * slice at most. Gives whether there may be more.
 */
export async function dropCounts(tx: Tx, limit: QuotaLimit, scope: readonly string[]): Promise<boolean> {
  const key = keyOf(limit, scope);
  if (scope.length >= limit.scope.length) {
    await tx.delete(quotaCounts, key);
    return false;
  }
  return (await deleteSome(tx, quotaCounts, { prefix: `${key}/` })) >= SLICE;
}

/** The count, which nobody else changes until this transaction ends. Where there is none yet, there is no row to hold, but a name. */
async function held(tx: Tx, key: string): Promise<QuotaCount | undefined> {
  const stored = await tx.get(quotaCounts, key);
  if (stored) return stored.value;
  await tx.lock(`${quotaCounts.name}:${key}`);
  return (await tx.get(quotaCounts, key))?.value;
}

async function write(
  tx: Tx,
  key: string,
  limit: QuotaLimit,
  scope: readonly string[],
  used: number,
  slices?: readonly Slice[],
): Promise<void> {
  await tx.put(quotaCounts, key, { limit: limit.name, scope: scopeKey(scope), used, ...(slices && { slices }) });
}

const sum = (slices: readonly Slice[]): number => slices.reduce((total, [, count]) => total + count, 0);

/** So many more in the slice of now. */
function withNow(slices: readonly Slice[], now: number, length: number, count: number): readonly Slice[] {
  const from = Math.floor(now / length) * length;
  // Nodes are a little apart in time, so that the slice of now need not be the last one.
  const at = slices.findLastIndex(([start]) => start === from);
  const added: Slice = [from, (slices[at]?.[1] ?? 0) + count];
  return at < 0 ? [...slices, added] : slices.with(at, added);
}

function checkCount(limit: QuotaLimit, count: number): void {
  if (Number.isSafeInteger(count) && count >= 0) return;
  throw new RangeError(`the limit '${limit.name}' counts whole things from 0 up, not ${count}`);
}
