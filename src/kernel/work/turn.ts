import { collection } from '../store/collection.ts';
import { StoreError } from '../store/errors.ts';
import type { Store } from '../store/types.ts';
import { every, pause, processTime } from '../time/timers.ts';

interface Holder {
  readonly node: string;
  /** Incremented while the holder lives; other nodes use it as a heartbeat. */
  readonly beat: number;
}

/** The holder of each turn. Only nodes that share a database need it; within a process there is a queue. */
export const mutexCollection = collection<Holder | { readonly node: null; readonly beat: number }>('kernel.turns', {
  permanent: true,
});

const BEAT_MS = 1000;
/** A holder without a heartbeat for this long is considered dead. Measured with the observer's own timer, so clocks of nodes may differ. */
const DEAD_AFTER_MS = 5 * BEAT_MS;
const LOOK_MS = 50;

/** A mutex: FIFO within this process, and shared between nodes if there can be several. */
export class Turn {
  readonly #store: Store;
  readonly #name: string;
  readonly #node: string;
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: Store, name: string, node: string) {
    this.#store = store;
    this.#name = name;
    this.#node = node;
  }

  /** Runs `body` while holding the mutex. `lost()` returns true if another node has taken it over, considering this node dead. */
  take<R>(body: (lost: () => boolean) => Promise<R>): Promise<R> {
    const run = this.#last.then(() => (this.#store.hasOtherWriters ? this.#acrossNodes(body) : body(() => false)));
    this.#last = run.catch(() => undefined);
    return run;
  }

  async #acrossNodes<R>(body: (lost: () => boolean) => Promise<R>): Promise<R> {
    let etag = await this.#acquire();
    let lost = false;
    let beat = 1;
    let renewing: Promise<void> = Promise.resolve();
    const renew = async (): Promise<void> => {
      try {
        const value = { node: this.#node, beat: ++beat };
        etag = (await this.#store.transact((tx) => tx.put(mutexCollection, this.#name, value, { ifMatch: etag }))).etag;
      } catch (error) {
        if (isTaken(error)) lost = true;
      }
    };
    const stop = every(BEAT_MS, () => {
      renewing = renewing.then(renew);
    });
    try {
      return await body(() => lost);
    } finally {
      stop();
      await renewing;
      if (!lost) await this.#release(etag);
    }
  }

  async #acquire(): Promise<string> {
    let seen: string | undefined;
    let since = processTime();
    for (;;) {
      const stored = await this.#store.get(mutexCollection, this.#name);
      if (stored?.etag !== seen) {
        seen = stored?.etag;
        since = processTime();
      }
      const free = stored === undefined || stored.value.node === null || processTime() - since > DEAD_AFTER_MS;
      if (free) {
        const condition = stored === undefined ? ({ ifNoneMatch: '*' } as const) : { ifMatch: stored.etag };
        try {
          const value = { node: this.#node, beat: 1 };
          return (await this.#store.transact((tx) => tx.put(mutexCollection, this.#name, value, condition))).etag;
        } catch (error) {
          if (!isTaken(error)) throw error;
        }
      }
      await pause(LOOK_MS);
    }
  }

  async #release(etag: string): Promise<void> {
    try {
      await this.#store.transact((tx) =>
        tx.put(mutexCollection, this.#name, { node: null, beat: 0 }, { ifMatch: etag }),
      );
    } catch {
      // Taken over or unreachable; in the latter case other nodes detect the missing heartbeat.
    }
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof StoreError && error.code === 'PRECONDITION_FAILED';
}
