const MOST_SUSPECTS = 10_000;

/** The addresses that have sent a wrong token lately. Only these are looked up before every request. On this node. */
export class Suspects {
  readonly #lastAt = new Map<string, number>();

  /** Whoever has been quiet for longest is forgotten first, so that a crowd of others does not clear a guesser. */
  note(source: string, now: number): void {
    this.#lastAt.delete(source);
    const [oldest] = this.#lastAt.keys();
    if (oldest !== undefined && this.#lastAt.size >= MOST_SUSPECTS) this.#lastAt.delete(oldest);
    this.#lastAt.set(source, now);
  }

  /** When the address last sent a wrong token. */
  lastAt(source: string): number | undefined {
    return this.#lastAt.get(source);
  }

  clear(source: string): void {
    this.#lastAt.delete(source);
  }

  /** All state was replaced. */
  forget(): void {
    this.#lastAt.clear();
  }
}
