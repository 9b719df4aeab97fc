import { after } from '../../../kernel/clock/timers.ts';
import type { Jar } from '../../../kernel/jar-context.ts';
import { type Runtime, runtimes } from '../collections.ts';

/** Commits of other nodes may go unheard. */
const LOOK_AGAIN_MS = 500;

/** Waits until a group is as wanted, or gone; false when it is not within `ms` of real time. */
export async function until(
  jar: Jar,
  key: string,
  ms: number,
  reached: (runtime: Runtime | undefined) => boolean,
): Promise<boolean> {
  let timeIsUp = false;
  let wake = (): void => {};
  const cancel = after(ms, () => {
    timeIsUp = true;
    wake();
  });
  const unsubscribe = jar.store.onCommit(({ collections }) => {
    if (collections.includes(runtimes.name)) wake();
  });
  try {
    for (;;) {
      const news = new Promise<void>((resolve) => {
        const stop = after(LOOK_AGAIN_MS, resolve);
        wake = () => {
          stop();
          resolve();
        };
      });
      if (reached((await jar.store.get(runtimes, key))?.value)) return true;
      if (timeIsUp || jar.closing.aborted) return false;
      await news;
    }
  } finally {
    wake();
    cancel();
    unsubscribe();
  }
}
