/**
 * Distinguishes a long queue from an endless loop. The items waiting at an instant form a round; the items that they schedule for the same
 * instant form the next round. A large queue is one round; an item that reschedules itself creates rounds without end.
 */
export class Rounds {
  readonly #most: number;
  readonly #countWaiting: () => Promise<number>;
  #rounds = 0;
  #left = 0;
  #counting = false;
  #lastKind: string | undefined;

  constructor(most: number, countWaiting: () => Promise<number>) {
    this.#most = most;
    this.#countWaiting = countWaiting;
  }

  get exceeded(): boolean {
    return this.#rounds > this.#most;
  }

  /** The kind that ran last at this instant; in a loop, it is a part of the loop. */
  get lastKind(): string | undefined {
    return this.#lastKind;
  }

  /** Call when the time has advanced. */
  restart(): void {
    this.#rounds = 0;
    this.#left = 0;
    this.#lastKind = undefined;
  }

  /** Counts a wait for a time that had already passed. */
  again(): void {
    this.#rounds += 1;
  }

  ran(kind: string): void {
    this.#lastKind = kind;
    this.#left -= 1;
    if (this.#left > 0 || this.#counting) return;
    this.#rounds += 1;
    this.#counting = true;
    this.#countWaiting().then(
      (waiting) => {
        this.#left = waiting;
        this.#counting = false;
      },
      () => {
        this.#counting = false;
      },
    );
  }
}
