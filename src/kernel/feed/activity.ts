import type { Store, Tx } from '../store/types.ts';
import { followings } from './places.ts';

/**
 * Who is active, remembered until anybody's activity changes on any node: nearly every management call asks, and mostly nobody is.
 *
 * On SQLite there is one writer, so an answer is right. On PostgreSQL somebody may become active while a transaction that was told
 * otherwise goes on, here or on a node that has not heard of it yet. Then `overlooked` says that there may be a change which nobody was
 * woken for: when the news comes in, and after every such transaction that ends later than the news.
 */
export class Activity {
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

  /** Without a look into the store. */
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
    // Only then: until the commit it may be what this transaction itself has written, and may yet take back.
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
