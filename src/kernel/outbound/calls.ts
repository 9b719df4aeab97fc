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
    const cancelCalls = (): void => calls.cancelCalls();
    if (signal.aborted) cancelCalls();
    signal.addEventListener('abort', cancelCalls, { once: true });
    try {
      return await body(calls);
    } finally {
      signal.removeEventListener('abort', cancelCalls);
    }
  }

  /** For APIs that need an AbortSignal. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get areCancelled(): boolean {
    return this.#controller.signal.aborted;
  }

  add(cancelCalls: () => void): void {
    this.#underWay.add(cancelCalls);
  }

  remove(cancelCalls: () => void): void {
    this.#underWay.delete(cancelCalls);
  }

  cancelCalls(): void {
    this.#controller.abort();
    for (const cancelCalls of [...this.#underWay]) cancelCalls();
  }
}
