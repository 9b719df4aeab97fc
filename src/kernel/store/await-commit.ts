import { after } from '../time/timers.ts';
import type { Collection, Store } from './types.ts';

/** Commits of other nodes may go unheard. */
const LOOK_AGAIN_MS = 500;

export interface CommitWait {
  readonly store: Store;
  /** Commits to this one are worth a look; a `cached` one, since the news of a commit tell of no others. */
  // biome-ignore lint/suspicious/noExplicitAny: only its name counts
  readonly collection: Collection<any>;
  /** Of real time. */
  readonly ms: number;
  /** Any of them ends the waiting. */
  readonly signals: readonly AbortSignal[];
}

/** Looks, and looks again after every commit, until `reached` says yes; false when that is not within the time. */
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
        const stop = after(LOOK_AGAIN_MS, resolve);
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
