/**
 * A group of requests that are cancelled together. An AbortSignal is not used, because many listeners on one signal cost more than the rest
 * of a request's bookkeeping.
 */
export class Calls {
  readonly #underWay = new Set<() => void>();
  readonly #controller = new AbortController();

  /** Runs `body` with calls that are cancelled if the signal is aborted. */
  static async during<R>(signal: AbortSignal, body: (calls: Calls) => Promise<R>): Promise<R> {
    const calls = new Calls();
    const takeBack = (): void => calls.takeBack();
    if (signal.aborted) takeBack();
    signal.addEventListener('abort', takeBack, { once: true });
    try {
      return await body(calls);
    } finally {
      signal.removeEventListener('abort', takeBack);
    }
  }

  /** For APIs that need an AbortSignal. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get takenBack(): boolean {
    return this.#controller.signal.aborted;
  }

  add(takeBack: () => void): void {
    this.#underWay.add(takeBack);
  }

  remove(takeBack: () => void): void {
    this.#underWay.delete(takeBack);
  }

  takeBack(): void {
    this.#controller.abort();
    for (const takeBack of [...this.#underWay]) takeBack();
  }
}
