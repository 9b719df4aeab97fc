import type { JarClock } from '../clock/types.ts';
import { deleteSome, SLICE } from '../store/delete-some.ts';
import type { Position, Store, Stored, Tx } from '../store/types.ts';
import { pagesOf } from '../store/walk.ts';
import type { Overrides } from './overrides.ts';
import {
  countKey,
  countPrefix,
  documentOf,
  keyAfter,
  type QuotaCount,
  quotaCounts,
  readCountKey,
} from './quota-count.ts';
import { countOf, type QuotaWindow, windowAt, withMore } from './quota-window.ts';
import { type Filled, fullestOf, matches, type Usage, type UsageQuery } from './rates.ts';
import { readScopeKey } from './scope.ts';
import type { QuotaLimit } from './table.ts';

export interface QuotaDecision {
  readonly allowed: boolean;
  readonly limit: QuotaLimit;
  readonly maximum: number;
  /** The count before this request. */
  readonly current: number;
  readonly requested: number;
  /** True if the limit is exceeded, whether it is enforced or not. */
  readonly exceeded: boolean;
}

export interface QuotaRequest {
  readonly limit: QuotaLimit;
  /** The values of the limit's scope, in its order. */
  readonly scope: readonly string[];
  /** Default: 1. */
  readonly count?: number;
  /**
   * Counts existing things. Called if the scope has no count yet, so that things created in other ways (a seed, a database from before the
   * limit) are included.
   */
  readonly actual?: (tx: Tx) => Promise<number>;
}

/** A locked count document with its new content, written after all limits have accepted. */
interface Draft extends Pick<QuotaRequest, 'limit' | 'scope'> {
  readonly key: string;
  used: number | undefined;
  window: QuotaWindow | undefined;
  isChanged: boolean;
}

const isKeptIn = (draft: Draft, { limit, scope }: QuotaRequest): boolean =>
  documentOf(draft.limit) === documentOf(limit) && scope.every((value, index) => value === draft.scope[index]);

/** Maximum number of scopes read for one page of usage. */
const LOOK_AT_MOST = 100_000;
const PAGE = 1000;
/** Scopes that are read for the fullest: of all limits, and of one. */
const LOOK_FOR_FULLEST = 2_000;
const LOOK_AT_LIMIT = 200;

/** Counts things in the transactions that create and remove them, so that the count is always exact. */
export class Quotas {
  readonly #store: Store;
  readonly #overrides: Overrides;
  readonly #clock: Pick<JarClock, 'now'>;

  constructor(store: Store, overrides: Overrides, clock: Pick<JarClock, 'now'>) {
    this.#store = store;
    this.#overrides = overrides;
    this.#clock = clock;
  }

  /** Call before the things are written. Takes all of these or none: a refusal changes nothing. */
  async take(tx: Tx, requests: readonly QuotaRequest[]): Promise<readonly QuotaDecision[]> {
    const drafts: Draft[] = [];
    const decisions: QuotaDecision[] = [];
    for (const request of requests) {
      let draft = drafts.find((each) => isKeptIn(each, request));
      if (!draft) {
        draft = await lockCount(tx, request);
        drafts.push(draft);
      }
      if (draft.used === undefined && request.actual) draft.used = await request.actual(tx);
      const decision = this.#takeFrom(draft, request);
      decisions.push(decision);
      if (!decision.allowed) return decisions;
    }
    for (const draft of drafts) if (draft.isChanged) await write(tx, draft);
    return decisions;
  }

  #takeFrom(draft: Draft, { limit, scope, count = 1 }: QuotaRequest): QuotaDecision {
    checkCount(limit, count);
    const { mode, maximum, windowMs } = this.#overrides.of(limit, scope);
    const window = limit.windowMs === undefined ? undefined : windowAt(draft.window, this.#clock.now(), windowMs);
    const current = window ? countOf(window) : (draft.used ?? 0);
    const exceeded = mode !== 'unlimited' && current + count > maximum;
    const allowed = !exceeded || mode !== 'enforced';
    if (allowed && count > 0) {
      if (window) draft.window = withMore(window, count);
      else draft.used = current + count;
      draft.isChanged = true;
    }
    return { allowed, limit, maximum, current, requested: count, exceeded };
  }

  /** Never goes below zero, because the removed things may have been created without being counted. */
  async free(tx: Tx, { limit, scope, count = 1 }: Omit<QuotaRequest, 'actual'>): Promise<void> {
    checkCount(limit, count);
    if (limit.windowMs !== undefined)
      throw new Error(`the limit '${limit.name}' counts what was created, and cannot be freed`);
    const draft = await lockCount(tx, { limit, scope });
    if (draft.used === undefined || count === 0) return;
    draft.used = draft.used > count ? draft.used - count : undefined;
    await write(tx, draft);
  }

  /** The usage of one scope. */
  async standing(limit: QuotaLimit, scope: readonly string[]): Promise<{ used: number; maximum: number }> {
    const stored = await this.#store.get(quotaCounts, countKey(limit, scope));
    const { maximum } = this.#overrides.of(limit, scope);
    return { used: this.#usedOf(limit, scope, stored?.value) ?? 0, maximum };
  }

  /** Returns undefined if nothing was counted. */
  #usedOf(limit: QuotaLimit, scope: readonly string[], { used, window }: QuotaCount = {}): number | undefined {
    if (limit.windowMs === undefined) return used;
    return window && countOf(windowAt(window, this.#clock.now(), this.#overrides.of(limit, scope).windowMs));
  }

  /** The scopes with the highest usage. If the query gives the first part of the scope, only scopes with that value are read. */
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

  /** The scopes with the highest share of their limit, among a bounded number of scopes of each limit. */
  async fullest(limits: readonly QuotaLimit[], most: number): Promise<Filled[]> {
    const byDocument = Map.groupBy(limits, documentOf);
    let found: Filled[] = [];
    let after: Position | undefined;
    for (let seen = 0; seen < LOOK_FOR_FULLEST; ) {
      const order = [{ field: 'key' }];
      const page = await this.#store.query(quotaCounts, { order, limit: LOOK_AT_LIMIT, ...(after && { after }) });
      seen += page.items.length;
      const used = page.items.flatMap((stored) =>
        (byDocument.get(readCountKey(stored.key).limit) ?? []).flatMap((limit) =>
          this.#usageOf(limit, stored).map((usage) => ({ limit, ...usage })),
        ),
      );
      found = fullestOf([...found, ...used], most);
      const [first, last] = [page.items[0], page.items.at(-1)];
      if (!page.next || !first || !last) break;
      const { limit } = readCountKey(last.key);
      // A page of one limit is enough of that limit.
      after = readCountKey(first.key).limit === limit ? [keyAfter(limit)] : page.next;
    }
    return found;
  }

  /** Returns nothing if the document has only counts of other limits. */
  #usageOf(limit: QuotaLimit, { key, value }: Stored<QuotaCount>): Usage[] {
    const scope = readScopeKey(readCountKey(key).scope, limit.scope.length);
    const used = this.#usedOf(limit, scope, value);
    if (used === undefined) return [];
    const { maximum } = this.#overrides.of(limit, scope);
    return [{ scope, used, remaining: Math.max(0, maximum - used), maximum }];
  }
}

/**
 * Reads the count and locks it until the transaction ends. If there is no document yet, a name is locked, since there is no row to lock.
 */
async function lockCount(tx: Tx, { limit, scope }: Pick<QuotaRequest, 'limit' | 'scope'>): Promise<Draft> {
  const key = countKey(limit, scope);
  let stored = await tx.get(quotaCounts, key);
  if (!stored) {
    await tx.lock(`${quotaCounts.name}:${key}`);
    stored = await tx.get(quotaCounts, key);
  }
  const { used, window } = stored?.value ?? {};
  return { limit, scope, key, used, window, isChanged: false };
}

/** Scopes with a count of zero have no document. */
const write = (tx: Tx, { key, used, window }: Draft): Promise<unknown> =>
  used === undefined && window === undefined ? tx.delete(quotaCounts, key) : tx.put(quotaCounts, key, { used, window });

/**
 * For a deleted owner of things that were counted in scopes of its own: removes the counts of all scopes that begin with these values,
 * including counts that are kept with them, at most one slice per call. Returns true if there may be more.
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
  throw new RangeError(`the limit '${limit.name}' counts in integers of 0 or more, not ${count}`);
}
