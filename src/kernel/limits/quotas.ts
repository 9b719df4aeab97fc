import type { JarClock } from '../clock/types.ts';
import { deleteSome, SLICE } from '../store/delete-some.ts';
import type { Store, Tx } from '../store/types.ts';
import { pagesOf } from '../store/walk.ts';
import type { Overrides } from './overrides.ts';
import {
  type Count,
  countIn,
  countKey,
  heldCount,
  type QuotaCount,
  quotaCounts,
  type Slice,
  withCount,
  withoutCount,
  writeCount,
} from './quota-count.ts';
import { MOST_BACKWARDS_MS, matches, sliceLength, type Usage, type UsageQuery } from './rates.ts';
import { readScopeKey } from './scope.ts';
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
    const documents = new Map<string, QuotaCount | undefined>();
    const written = new Map<string, QuotaCount>();
    const decisions: QuotaDecision[] = [];
    for (const request of requests) {
      const { limit, scope, count = 1 } = request;
      const key = countKey(limit, scope);
      if (!documents.has(key)) documents.set(key, await heldCount(tx, key));
      const document = documents.get(key);
      const { decision, after } = await this.#decide(tx, request, countIn(document, limit));
      decisions.push(decision);
      if (!decision.allowed) return decisions;
      if (count === 0) continue;
      const changed = withCount(document, limit, scope, after);
      documents.set(key, changed);
      written.set(key, changed);
    }
    for (const [key, document] of written) await writeCount(tx, key, document);
    return decisions;
  }

  async #decide(
    tx: Tx,
    { limit, scope, count = 1, actual }: QuotaRequest,
    stored: Count | undefined,
  ): Promise<{ decision: QuotaDecision; after: Count }> {
    checkCount(limit, count);
    const { mode, maximum, windowMs } = this.#overrides.of(limit, scope);
    const slices = limit.windowMs === undefined ? undefined : this.#recent(stored?.slices ?? [], windowMs);
    const current = slices ? sum(slices) : (stored?.used ?? (actual ? await actual(tx) : 0));
    const exceeded = mode !== 'unlimited' && current + count > maximum;
    const allowed = !exceeded || mode !== 'enforced';
    const added = slices && withNow(slices, this.#clock.now(), sliceLength(windowMs), count);
    return {
      decision: { allowed, limit, maximum, current, requested: count, exceeded },
      after: { used: current + count, ...(added && { slices: added }) },
    };
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
    const key = countKey(limit, scope);
    const document = await heldCount(tx, key);
    if (document?.used === undefined || count === 0) return;
    const left = document.used - count;
    await writeCount(tx, key, left > 0 ? withCount(document, limit, scope, { used: left }) : withoutCount(document));
  }

  /** How one scope stands. */
  async standing(limit: QuotaLimit, scope: readonly string[]): Promise<{ used: number; maximum: number }> {
    const stored = await this.#store.get(quotaCounts, countKey(limit, scope));
    const { windowMs, maximum } = this.#overrides.of(limit, scope);
    return { used: this.#usedOf(countIn(stored?.value, limit), windowMs), maximum };
  }

  #usedOf(count: Count | undefined, windowMs: number): number {
    if (!count) return 0;
    return count.slices ? sum(this.#recent(count.slices, windowMs)) : count.used;
  }

  /** The fullest scopes of a limit. Those of one value of its first part are found by it, however many others there are. */
  async usage(limit: QuotaLimit, { where, most }: UsageQuery): Promise<Usage[]> {
    const first = where.get(0);
    if (first !== undefined && limit.scope.length === 1) {
      const stored = await this.#store.get(quotaCounts, countKey(limit, [first]));
      return stored && most > 0 ? this.#usageOf(limit, stored.value) : [];
    }
    const prefix = first === undefined ? `${limit.keptWith ?? limit.name}?` : `${countKey(limit, [first])}/`;
    let found: Usage[] = [];
    let seen = 0;
    for await (const page of pagesOf(this.#store, quotaCounts, { prefix, page: PAGE })) {
      seen += page.length;
      const matching = page
        .flatMap(({ value }) => this.#usageOf(limit, value))
        .filter(({ scope }) => matches(scope, where));
      found = [...found, ...matching].sort((a, b) => b.used - a.used).slice(0, most);
      if (seen >= LOOK_AT_MOST) break;
    }
    return found;
  }

  /** Nothing where the document only has counts of other limits. */
  #usageOf(limit: QuotaLimit, document: QuotaCount): Usage[] {
    const count = countIn(document, limit);
    if (!count) return [];
    const scope = readScopeKey(document.scope, limit.scope.length);
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
