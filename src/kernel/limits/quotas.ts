import { collection, number, text } from '../store/collection.ts';
import type { Store, Tx } from '../store/types.ts';
import { pagesOf } from '../store/walk.ts';
import type { Overrides } from './overrides.ts';
import { matches, type Usage, type UsageQuery } from './rates.ts';
import { readScopeKey, scopeKey } from './scope.ts';
import type { QuotaLimit } from './table.ts';

export interface QuotaCount {
  readonly limit: string;
  readonly scope: string;
  readonly used: number;
}

/** One count per limit and scope in which there is something. */
export const quotaCounts = collection<QuotaCount>('kernel.quotas', {
  fields: { limit: text((it) => it.limit), used: number((it) => it.used) },
  indexes: [['limit', 'used']],
});

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

/** Scopes that are looked at for one page of use, when they are filtered. */
const LOOK_AT_MOST = 10_000;
const PAGE = 1000;

/** Counts things in the transactions that make and remove them, so that count and things never differ. */
export class Quotas {
  readonly #store: Store;
  readonly #overrides: Overrides;

  constructor(store: Store, overrides: Overrides) {
    this.#store = store;
    this.#overrides = overrides;
  }

  /** To be called before the things are written. Refused, it has changed nothing. */
  async take(tx: Tx, { limit, scope, count = 1, actual }: QuotaRequest): Promise<QuotaDecision> {
    checkCount(limit, count);
    const { mode, maximum } = this.#overrides.of(limit, scope);
    const key = keyOf(limit, scope);
    const stored = await held(tx, key);
    const current = stored ?? (actual ? await actual(tx) : 0);
    const exceeded = mode !== 'unlimited' && current + count > maximum;
    const allowed = !exceeded || mode !== 'enforced';
    if (allowed && count > 0) await write(tx, key, limit, scope, current + count);
    return { allowed, limit, maximum, current, requested: count, exceeded };
  }

  /** Never goes below nothing: what was not counted when it came is not missed when it goes. */
  async free(tx: Tx, { limit, scope, count = 1 }: Omit<QuotaRequest, 'actual'>): Promise<void> {
    checkCount(limit, count);
    const key = keyOf(limit, scope);
    const current = await held(tx, key);
    if (current === undefined || count === 0) return;
    if (current <= count) await tx.delete(quotaCounts, key);
    else await write(tx, key, limit, scope, current - count);
  }

  /** How one scope stands. */
  async standing(limit: QuotaLimit, scope: readonly string[]): Promise<{ used: number; maximum: number }> {
    const stored = await this.#store.get(quotaCounts, keyOf(limit, scope));
    return { used: stored?.value.used ?? 0, maximum: this.#overrides.of(limit, scope).maximum };
  }

  /** The fullest scopes of a limit. */
  async usage(limit: QuotaLimit, { where, most }: UsageQuery): Promise<Usage[]> {
    const found: Usage[] = [];
    const filter = { op: 'eq', field: 'limit', value: limit.name } as const;
    const order = [{ field: 'used', descending: true }];
    const pageSize = where.size === 0 ? Math.min(PAGE, most) : PAGE;
    let seen = 0;
    for await (const page of pagesOf(this.#store, quotaCounts, { filter, order, page: pageSize })) {
      seen += page.length;
      for (const { value } of page) {
        const scope = readScopeKey(value.scope, limit.scope.length);
        if (!matches(scope, where) || found.length >= most) continue;
        const { maximum } = this.#overrides.of(limit, scope);
        found.push({ scope, used: value.used, remaining: Math.max(0, maximum - value.used), maximum });
      }
      if (seen >= LOOK_AT_MOST || found.length >= most) break;
    }
    return found;
  }
}

const keyOf = (limit: QuotaLimit, scope: readonly string[]): string => `${limit.name}?${scopeKey(scope)}`;

/** The count, which nobody else changes until this transaction ends. Where there is none yet, there is no row to hold, but a name. */
async function held(tx: Tx, key: string): Promise<number | undefined> {
  const stored = await tx.get(quotaCounts, key);
  if (stored) return stored.value.used;
  await tx.lock(`${quotaCounts.name}:${key}`);
  return (await tx.get(quotaCounts, key))?.value.used;
}

async function write(tx: Tx, key: string, limit: QuotaLimit, scope: readonly string[], used: number): Promise<void> {
  await tx.put(quotaCounts, key, { limit: limit.name, scope: scopeKey(scope), used });
}

function checkCount(limit: QuotaLimit, count: number): void {
  if (Number.isSafeInteger(count) && count >= 0) return;
  throw new RangeError(`the limit '${limit.name}' counts whole things from 0 up, not ${count}`);
}
