import type { JarClock } from '../clock/types.ts';
import { deleteSome, SLICE } from '../store/delete-some.ts';
import type { Store, Stored, Tx } from '../store/types.ts';
import { pagesOf } from '../store/walk.ts';
import type { Overrides } from './overrides.ts';
import {
  type Count,
  countIn,
  countKey,
  countPrefix,
  heldCount,
  type QuotaCount,
  quotaCounts,
  readCountKey,
  withCount,
  withoutCount,
} from './quota-count.ts';
import { matches, type Usage, type UsageQuery } from './rates.ts';
import { readScopeKey } from './scope.ts';
import { countOf, recentSlices, withMore } from './slices.ts';
import type { QuotaLimit } from './table.ts';

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

/** A document that is held, as it will be written once all limits have let it through. */
interface Draft {
  readonly key: string;
  document: QuotaCount | undefined;
  isChanged: boolean;
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

  /** To be called before the things are written. All of these are taken or none: refused, it has changed nothing. */
  async take(tx: Tx, requests: readonly QuotaRequest[]): Promise<readonly QuotaDecision[]> {
    const drafts: Draft[] = [];
    const decisions: QuotaDecision[] = [];
    for (const request of requests) {
      const { limit, scope, actual } = request;
      const key = countKey(limit, scope);
      let draft = drafts.find((each) => each.key === key);
      if (!draft) {
        draft = { key, document: await heldCount(tx, key), isChanged: false };
        drafts.push(draft);
      }
      const stored = countIn(draft.document, limit) ?? (actual && { used: await actual(tx) });
      const decision = this.#takeFrom(draft, stored, request);
      decisions.push(decision);
      if (!decision.allowed) return decisions;
    }
    for (const { key, document, isChanged } of drafts)
      if (document && isChanged) await tx.put(quotaCounts, key, document);
    return decisions;
  }

  #takeFrom(draft: Draft, stored: Count | undefined, { limit, scope, count = 1 }: QuotaRequest): QuotaDecision {
    checkCount(limit, count);
    const { mode, maximum, windowMs } = this.#overrides.of(limit, scope);
    const now = this.#clock.now();
    const slices = limit.windowMs === undefined ? undefined : recentSlices(stored?.slices ?? [], now, windowMs);
    const current = slices ? countOf(slices) : (stored?.used ?? 0);
    const exceeded = mode !== 'unlimited' && current + count > maximum;
    const allowed = !exceeded || mode !== 'enforced';
    if (allowed && count > 0) {
      const after = slices ? { slices: withMore(slices, now, windowMs, count) } : { used: current + count };
      draft.document = withCount(draft.document, limit, after);
      draft.isChanged = true;
    }
    return { allowed, limit, maximum, current, requested: count, exceeded };
  }

  /** Never goes below nothing: what was not counted when it came is not missed when it goes. */
  async free(tx: Tx, { limit, scope, count = 1 }: Omit<QuotaRequest, 'actual'>): Promise<void> {
    checkCount(limit, count);
    if (limit.windowMs !== undefined)
      throw new Error(`nothing is given back to '${limit.name}', which counts what is made`);
    const key = countKey(limit, scope);
    const document = await heldCount(tx, key);
    if (document?.used === undefined || count === 0) return;
    const left = document.used - count;
    const after = left > 0 ? withCount(document, limit, { used: left }) : withoutCount(document);
    if (after) await tx.put(quotaCounts, key, after);
    else await tx.delete(quotaCounts, key);
  }

  /** How one scope stands. */
  async standing(limit: QuotaLimit, scope: readonly string[]): Promise<{ used: number; maximum: number }> {
    const stored = await this.#store.get(quotaCounts, countKey(limit, scope));
    const { windowMs, maximum } = this.#overrides.of(limit, scope);
    return { used: this.#usedOf(countIn(stored?.value, limit), windowMs), maximum };
  }

  #usedOf({ used = 0, slices }: Count = {}, windowMs: number): number {
    return slices ? countOf(recentSlices(slices, this.#clock.now(), windowMs)) : used;
  }

  /** The fullest scopes of a limit. Those of one value of its first part are found by it, however many others there are. */
  async usage(limit: QuotaLimit, { where, most }: UsageQuery): Promise<Usage[]> {
    const first = where.get(0);
    if (first !== undefined && limit.scope.length === 1) {
      const stored = await this.#store.get(quotaCounts, countKey(limit, [first]));
      return stored && most > 0 ? this.#usageOf(limit, stored) : [];
    }
    const prefix = first === undefined ? countPrefix(limit) : `${countKey(limit, [first])}/`;
    let found: Usage[] = [];
    let seen = 0;
    for await (const page of pagesOf(this.#store, quotaCounts, { prefix, page: PAGE })) {
      seen += page.length;
      const matching = page
        .flatMap((stored) => this.#usageOf(limit, stored))
        .filter(({ scope }) => matches(scope, where));
      found = [...found, ...matching].sort((a, b) => b.used - a.used).slice(0, most);
      if (seen >= LOOK_AT_MOST) break;
    }
    return found;
  }

  /** Nothing where the document only has counts of other limits. */
  #usageOf(limit: QuotaLimit, { key, value }: Stored<QuotaCount>): Usage[] {
    const count = countIn(value, limit);
    if (!count) return [];
    const scope = readScopeKey(readCountKey(key).scope, limit.scope.length);
    const { maximum, windowMs } = this.#overrides.of(limit, scope);
    const used = this.#usedOf(count, windowMs);
    return [{ scope, used, remaining: Math.max(0, maximum - used), maximum }];
  }
}

/**
 * For what owned things that were counted apart, once it is gone with all of them: removes the counts of every scope that begins with these values,
 * and those that are kept with them, a slice at most. Gives whether there may be more.
 */
export async function dropCounts(tx: Tx, limit: QuotaLimit, scope: readonly string[]): Promise<boolean> {
  const key = countKey(limit, scope);
  if (scope.length >= limit.scope.length) {
    await tx.delete(quotaCounts, key);
    return false;
  }
  return (await deleteSome(tx, quotaCounts, { prefix: `${key}/` })) >= SLICE;
}

function checkCount(limit: QuotaLimit, count: number): void {
  if (Number.isSafeInteger(count) && count >= 0) return;
  throw new RangeError(`the limit '${limit.name}' counts whole things from 0 up, not ${count}`);
}
