import type { Store, Tx } from '../store/types.ts';
import { followings } from './positions.ts';

/**
 * Caches which followers are active, until any follower is activated or deactivated on any node: nearly every management call asks, and
 * usually no follower is active.
 * SQLite has one writer, so the answer is always correct. On PostgreSQL a follower may be activated during a transaction that was told
 * otherwise, here or on a node that has not received the notification yet. Then `overlooked` is called, because a follower may not have
 * been woken for a change: when the notification arrives, and after every such transaction that ends later.
 */
export class ActiveFollowers {
  readonly #known = new Map<string, boolean>();
  readonly #overlooked: (() => void) | undefined;
  #news = 0;

  constructor(store: Store, overlooked: () => void) {
    this.#overlooked = store.hasOtherWriters ? overlooked : undefined;
    store.onCommit(({ collections }) => {
      if (!collections.includes(followings.name)) return;
      this.#news += 1;
      this.#known.clear();
      this.#overlooked?.();
    });
  }

  /** From the cache only. */
  isKnownIdle(tx: Tx, name: string): boolean {
    if (this.#known.get(name) !== false) return false;
    this.#watch(tx);
    return true;
  }

  async isActive(tx: Tx, name: string): Promise<boolean> {
    return this.#known.get(name) ?? this.#look(tx, name);
  }

  async #look(tx: Tx, name: string): Promise<boolean> {
    const news = this.#news;
    const active = (await tx.get(followings, name, 'none')) !== undefined;
    // Only after the commit: before, the answer may depend on writes of this transaction, which may be rolled back.
    tx.afterCommit(() => {
      if (news === this.#news) this.#known.set(name, active);
    });
    if (!active) this.#watch(tx);
    return active;
  }

  #watch(tx: Tx): void {
    const overlooked = this.#overlooked;
    if (!overlooked) return;
    const news = this.#news;
    tx.afterCommit(() => {
      if (news !== this.#news) overlooked();
    });
  }
}
