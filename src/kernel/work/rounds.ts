/**
 * Tells a long queue from a circle. The items that wait at an instant are a round; when they have run, what they scheduled for
 * the same instant is the next one. A large queue is one round; an item that schedules itself again makes rounds without end.
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

  /** The kind that ran last at this instant: with a circle, one that is part of it. */
  get lastKind(): string | undefined {
    return this.#lastKind;
  }

  /** Time has moved on. */
  restart(): void {
    this.#rounds = 0;
    this.#left = 0;
    this.#lastKind = undefined;
  }

  /** Somebody waited for a time that had already come. */
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
