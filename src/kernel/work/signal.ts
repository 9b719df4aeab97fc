import { after } from '../time/timers.ts';

/** Notifies waiting tasks of a change. */
export class Signal {
  readonly #waiting = new Set<() => void>();

  raise(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  /** Resolves to true at the next `raise`, or to false after `ms` of real time. */
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
