import type { CommitNews, Store } from '../kernel/store/types.ts';
import { after } from '../kernel/time/timers.ts';

/** Of real time. Vitest and Jest end a test after 5 seconds: their message would hide what the wait has to report. */
export const DEFAULT_WAIT_MS = 4_000;

/** Looks now and after every commit that is news, until there is something to give or the time is over. */
export async function lookUntil<T>(
  store: Store,
  timeoutMs: number,
  isNews: (news: CommitNews) => boolean,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  let late = false;
  let news = false;
  let wake = (): void => {};
  const stop = store.onCommit((commit) => {
    if (!isNews(commit)) return;
    news = true;
    wake();
  });
  const cancel = after(timeoutMs, () => {
    late = true;
    wake();
  });
  try {
    for (;;) {
      news = false;
      const found = await look();
      if (found !== undefined || late) return found;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (news || late) resolve();
      });
    }
  } finally {
    cancel();
    stop();
  }
}
