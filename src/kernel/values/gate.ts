/** Too many wait already. */
export class GateFullError extends Error {}

/** Lets so many tasks run at once, and so many more wait for their turn, in the order in which they came. */
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
      // Whoever ends hands its place on.
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
