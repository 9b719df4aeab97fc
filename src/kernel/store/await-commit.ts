import { after } from '../time/timers.ts';
import type { Collection, Store } from './types.ts';

/** Notices of commits on other nodes can be lost, so the condition is also polled. */
const POLL_INTERVAL_MS = 500;

export interface CommitWait {
  readonly store: Store;
  /** Only commits to this collection trigger a check. It must be `cached`, since commit notices name only cached collections. */
  // biome-ignore lint/suspicious/noExplicitAny: only its name counts
  readonly collection: Collection<any>;
  /** Timeout, in real time. */
  readonly ms: number;
  /** If any of them aborts, waiting ends. */
  readonly signals: readonly AbortSignal[];
}

/** Checks `reached` now and after every commit until it returns true. Returns false on timeout. */
export async function awaitCommit(
  { store, collection, ms, signals }: CommitWait,
  reached: () => Promise<boolean>,
): Promise<boolean> {
  if (await reached()) return true;
  let over = false;
  let wake = (): void => {};
  const end = (): void => {
    over = true;
    wake();
  };
  const cancel = after(ms, end);
  const unsubscribe = store.onCommit(({ collections }) => {
    if (collections.includes(collection.name)) wake();
  });
  for (const signal of signals) signal.addEventListener('abort', end);
  try {
    while (!over && !signals.some((signal) => signal.aborted)) {
      const news = new Promise<void>((resolve) => {
        const stop = after(POLL_INTERVAL_MS, resolve);
        wake = () => {
          stop();
          resolve();
        };
      });
      if (await reached()) return true;
      if (!over) await news;
    }
    return reached();
  } finally {
    wake();
    cancel();
    unsubscribe();
    for (const signal of signals) signal.removeEventListener('abort', end);
  }
}
