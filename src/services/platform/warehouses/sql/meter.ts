import type { Row } from './bound.ts';
import { problems } from './problem.ts';

/** Resource limits of a statement. */
export interface Bounds {
  /** Rows that it processes, in all of its parts together. */
  readonly rows: number;
  /** Values of these rows. */
  readonly cells: number;
  /** Characters of the texts in these rows. */
  readonly characters: number;
  /** Evaluation steps of all its expressions: one per value, and more for long texts. */
  readonly steps: number;
}

/** Limits of a statement that yields to other work of the jar. */
export const WIDE_BOUNDS: Bounds = {
  rows: 1_000_000,
  cells: 3_000_000,
  characters: 64 * 1024 * 1024,
  steps: 60_000_000,
};

/** Limits of statements that run synchronously, within a transaction. */
export const NARROW_BOUNDS: Bounds = { rows: 20_000, cells: 200_000, characters: 4 * 1024 * 1024, steps: 500_000 };

/** Number of steps after which a statement yields to other work. */
const STEPS_IN_A_TURN = 50_000;
/** Maximum number of steps between two yields. The evaluation of one row cannot be interrupted, so it needs a limit of its own. */
const MOST_STEPS_AT_ONCE = 1_200_000;
const STEPS_OF_A_ROW = 8;
const CHARACTERS_OF_A_STEP = 16;

/** Counts the resources that a statement uses, or several statements that share these bounds. Throws if a limit is exceeded. */
export class Meter {
  readonly #bounds: Bounds;
  #rows = 0;
  #cells = 0;
  #characters = 0;
  #steps = 0;
  #turnBegan = 0;

  constructor(bounds: Bounds = WIDE_BOUNDS) {
    this.#bounds = bounds;
  }

  /** Counts a row that is processed. */
  row(): void {
    const { rows } = this.#bounds;
    if (++this.#rows > rows) throw problems.tooMuch(`it goes through more than ${rows} rows`);
    this.spend(STEPS_OF_A_ROW);
  }

  /** Counts a row that is kept in memory. */
  keep(values: Row): void {
    const { cells, characters } = this.#bounds;
    for (const value of values) if (typeof value === 'string') this.#characters += value.length;
    this.#cells += values.length;
    if (this.#characters > characters) throw problems.tooMuch(`its rows have more than ${characters} characters`);
    if (this.#cells > cells) throw problems.tooMuch(`its rows have more than ${cells} values`);
    this.spend(values.length);
  }

  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > this.#bounds.steps || this.#steps - this.#turnBegan > MOST_STEPS_AT_ONCE)
      throw problems.tooMuch('it takes too many steps');
  }

  /** Counts work that scans a text. */
  read(text: string): void {
    this.spend(Math.ceil(text.length / CHARACTERS_OF_A_STEP));
  }

  get isTurnOver(): boolean {
    return this.#steps - this.#turnBegan >= STEPS_IN_A_TURN;
  }

  beginTurn(): void {
    this.#turnBegan = this.#steps;
  }
}

/** An asynchronous operation that the work awaits, such as reading the rows of a file. */
export type Waiting = () => Promise<void>;

/** Work that can be interrupted wherever it yields: to give way to other work, or to await an operation. */
export type Steps<T> = Generator<Waiting | undefined, T, undefined>;

/** Lets the runner of the work await an operation, and continues with its result. */
export function* waitFor<T>(work: () => Promise<T>): Steps<T> {
  const given: T[] = [];
  yield async () => {
    given.push(await work());
  };
  if (given.length === 0) throw new Error('the work continued before the awaited operation had ended');
  return given[0] as T;
}
