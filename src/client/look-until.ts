/** Real time. Vitest and Jest end a test after 5 seconds; this is shorter, so that the error of the wait is shown and not theirs. */
export const DEFAULT_WAIT_MS = 4_000;

/** The kinds of things to wait for: requests of inboxes, or mail. */
export type News = 'inbox' | 'mail';

/** Runs `callback` whenever there may be something new, until the returned function is called. */
export type Watch = (news: News, callback: () => void) => () => void;

/** Runs `callback` once after `ms` of real time, unless the returned function is called before. */
export type After = (ms: number, callback: () => void) => () => void;

/** Notifications and timers for a wait. */
export interface Waiting {
  readonly watch: Watch;
  readonly after: After;
}

/** Calls `look` now and after every notification, until it returns a value or the time is over. */
export async function lookUntil<T>(
  { watch, after }: Waiting,
  news: News,
  timeoutMs: number,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  let late = false;
  let hasNews = false;
  let wake = (): void => {};
  const stop = watch(news, () => {
    hasNews = true;
    wake();
  });
  const cancel = after(timeoutMs, () => {
    late = true;
    wake();
  });
  try {
    for (;;) {
      hasNews = false;
      const found = await look();
      if (found !== undefined || late) return found;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (hasNews || late) resolve();
      });
    }
  } finally {
    cancel();
    stop();
  }
}
