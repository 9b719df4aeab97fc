import { uuid } from '../ids/index.ts';
import type { Store, Tx } from '../store/types.ts';
import { walk } from '../store/walk.ts';
import { every, wallNow } from '../time/timers.ts';
import { chunkKey, chunks, type Draft, drafts } from './collections.ts';

const SIGN_OF_LIFE_MS = 10_000;
/** A node that shows no sign of life for this long has died; the clocks of nodes may differ by less. */
const ABANDONED_AFTER_MS = 120_000;
const REMOVED_AT_ONCE = 50;

/**
 * Content is written bit by bit while the jar runs, so a crash can leave a part of it behind. Whoever writes content first writes a
 * draft that says so; the transaction that finishes the snapshot removes the draft. What a draft is still there for when its
 * writer is gone belongs to nobody.
 */
export class Drafts {
  readonly #store: Store;
  /** Of this process; there is none other on SQLite, so that any draft of another name is a dead one's. */
  readonly #node = uuid();
  readonly #abandonedAfterMs: number;

  constructor(store: Store, abandonedAfterMs = ABANDONED_AFTER_MS) {
    this.#store = store;
    this.#abandonedAfterMs = abandonedAfterMs;
  }

  /** Runs `body` with the id for new content, and removes that content when it throws. */
  async write<R>(body: (id: string) => Promise<R>): Promise<R> {
    await this.clean();
    const id = uuid();
    await this.#store.transact((tx) => tx.put(drafts, id, this.#alive()));
    const stop = every(SIGN_OF_LIFE_MS, () => void this.#showLife(id));
    try {
      return await body(id);
    } catch (error) {
      await this.#remove(id).catch(() => {
        // The store does not answer; the next one to clean finds the draft.
      });
      throw error;
    } finally {
      stop();
    }
  }

  /** Within the transaction that finishes the content; false when somebody has thought its writer dead. */
  finish(tx: Tx, id: string): Promise<boolean> {
    return tx.delete(drafts, id);
  }

  /** Within the transaction that makes content superfluous; `clean` removes it then. */
  async discard(tx: Tx, id: string): Promise<void> {
    await tx.put(drafts, id, { node: this.#node });
  }

  /** Removes all content that belongs to nobody. */
  async clean(): Promise<void> {
    for await (const { key, value } of walk(this.#store, drafts)) if (this.#isAbandoned(value)) await this.#remove(key);
  }

  /** Chunks are numbered without gaps, so that they can be removed without being read. */
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
      // Gone or unreachable: the end of the writing tells.
    }
  }

  #alive(): Draft {
    return { node: this.#node, aliveAt: wallNow() };
  }
}
