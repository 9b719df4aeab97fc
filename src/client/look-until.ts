/** Of real time. Vitest and Jest end a test after 5 seconds: their message would hide what the wait has to report. */
export const DEFAULT_WAIT_MS = 4_000;

/** What waiting looks for: requests of inboxes, or mail. */
export type News = 'inbox' | 'mail';

/** Runs `callback` whenever there may be something new, until the function it gives is called. */
export type Watch = (news: News, callback: () => void) => () => void;

/** Runs `callback` once after `ms` of real time, unless the function it gives is called before. */
export type After = (ms: number, callback: () => void) => () => void;

/** What a wait needs of where the jar is. */
export interface Waiting {
  readonly watch: Watch;
  readonly after: After;
}

/** Looks now and after every piece of news, until there is something to give or the time is over. */
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
