import { after } from '../time/timers.ts';

/** Tells whoever waits that something has changed. */
export class Signal {
  readonly #waiting = new Set<() => void>();

  raise(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  /** Resolves at the next `raise`, true, or after `ms` of real time, false. */
  wait(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (raised: boolean): void => {
        this.#waiting.delete(wake);
        cancel();
        resolve(raised);
      };
      const wake = (): void => end(true);
      const cancel = after(ms, () => end(false));
      this.#waiting.add(wake);
    });
  }
}
