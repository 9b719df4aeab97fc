/**
 * Requests that are taken back together. A signal would do, were it not for its listeners, which cost more than the rest of a request's
 * book-keeping when many share one.
 */
export class Calls {
  readonly #underWay = new Set<() => void>();
  readonly #controller = new AbortController();

  /** For what wants a signal. */
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
