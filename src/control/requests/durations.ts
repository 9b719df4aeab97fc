/** Durations in milliseconds, and their percentiles by nearest rank. */
export class Durations {
  readonly #values: number[] = [];
  #isSorted = true;

  add(ms: number): void {
    this.#values.push(ms);
    this.#isSorted = false;
  }

  /** Null if there are none. */
  percentile(share: number): number | null {
    if (!this.#isSorted) this.#values.sort((a, b) => a - b);
    this.#isSorted = true;
    return this.#values[Math.max(0, Math.ceil(this.#values.length * share) - 1)] ?? null;
  }
}
