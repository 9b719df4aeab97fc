/** The queue is full. */
export class GateFullError extends Error {}

/** A concurrency limit with a bounded FIFO queue. */
export class Gate {
  readonly #bounds: { readonly running: number; readonly waiting: number };
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(bounds: { readonly running: number; readonly waiting: number }) {
    this.#bounds = bounds;
  }

  async pass<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running < this.#bounds.running) this.#running += 1;
    else {
      if (this.#waiting.length >= this.#bounds.waiting) throw new GateFullError('too many tasks wait already');
      // A finished task passes its slot to the next one.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
