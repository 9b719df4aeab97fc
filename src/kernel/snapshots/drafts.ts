import { uuid } from '../ids/index.ts';
import type { Store, Tx } from '../store/types.ts';
import { walk } from '../store/walk.ts';
import { every, wallNow } from '../time/timers.ts';
import { chunkKey, chunks, type Draft, drafts } from './collections.ts';

const SIGN_OF_LIFE_MS = 10_000;
/** A node without a heartbeat for this long is considered dead; the clocks of nodes must differ by less. */
const ABANDONED_AFTER_MS = 120_000;
const REMOVED_AT_ONCE = 50;

/**
 * Content is written in steps while the jar runs, so a crash can leave a part of it behind. A draft is therefore written before any
 * content, and removed by the transaction that finishes the snapshot. If a draft's writer is dead, its content is an orphan and can be
 * removed.
 */
export class Drafts {
  readonly #store: Store;
  /** Identifies this process. With SQLite there is no other, so every draft of another node belongs to a dead one. */
  readonly #node = uuid();
  readonly #abandonedAfterMs: number;

  constructor(store: Store, abandonedAfterMs = ABANDONED_AFTER_MS) {
    this.#store = store;
    this.#abandonedAfterMs = abandonedAfterMs;
  }

  /** Runs `body` with an id for new content, and removes the content if `body` throws. */
  async write<R>(body: (id: string) => Promise<R>): Promise<R> {
    await this.clean();
    const id = uuid();
    await this.#store.transact((tx) => tx.put(drafts, id, this.#alive()));
    const stop = every(SIGN_OF_LIFE_MS, () => void this.#showLife(id));
    try {
      return await body(id);
    } catch (error) {
      await this.#remove(id).catch(() => {
        // The store does not answer; a later `clean` finds the draft.
      });
      throw error;
    } finally {
      stop();
    }
  }

  /** The same for content that is needed only until `body` returns. */
  writeTemporarily<R>(body: (id: string) => Promise<R>): Promise<R> {
    return this.write(async (id) => {
      const result = await body(id);
      await this.#remove(id);
      return result;
    });
  }

  /**
   * Call within the transaction that finishes the content. Returns false if another node considered this writer dead and removed the draft.
   */
  finish(tx: Tx, id: string): Promise<boolean> {
    return tx.delete(drafts, id);
  }

  /** Call within the transaction that makes content superfluous; `clean` removes it later. */
  async discard(tx: Tx, id: string): Promise<void> {
    await tx.put(drafts, id, { node: this.#node });
  }

  /** Removes all orphaned content. */
  async clean(): Promise<void> {
    for await (const { key, value } of walk(this.#store, drafts)) if (this.#isAbandoned(value)) await this.#remove(key);
  }

  /** Chunks are numbered without gaps, so they can be removed without being read first. */
  async #remove(id: string): Promise<void> {
    let more = true;
    const removeSome = async (tx: Tx): Promise<boolean> => {
      const draft = await tx.get(drafts, id);
      if (!draft) return false;
      const { removed = 0 } = draft.value;
      for (let i = 0; i < REMOVED_AT_ONCE; i++) {
        if (await tx.delete(chunks, chunkKey(id, removed + i))) continue;
        await tx.delete(drafts, id);
        return false;
      }
      await tx.put(drafts, id, { node: this.#node, removed: removed + REMOVED_AT_ONCE });
      return true;
    };
    while (more) more = await this.#store.transact(removeSome);
  }

  #isAbandoned({ node, aliveAt }: Draft): boolean {
    if (aliveAt === undefined) return true;
    if (node === this.#node) return false;
    return !this.#store.hasOtherWriters || wallNow() - aliveAt > this.#abandonedAfterMs;
  }

  async #showLife(id: string): Promise<void> {
    try {
      await this.#store.transact((tx) => tx.put(drafts, id, this.#alive(), { ifMatch: '*' }));
    } catch {
      // The draft is gone or the store is unreachable; `finish` reports that.
    }
  }

  #alive(): Draft {
    return { node: this.#node, aliveAt: wallNow() };
  }
}
