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

  /** If `signal` is aborted before the task begins, the task does not begin, and its place in the queue is free. */
  async pass<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#running < this.#bounds.running) this.#running += 1;
    else {
      if (this.#waiting.length >= this.#bounds.waiting) throw new GateFullError('too many tasks wait already');
      // A finished task passes its slot to the next one.
      await this.#turn(signal);
    }
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1);
        reject(signal?.reason);
      };
      this.#waiting.push(begin);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }
}
