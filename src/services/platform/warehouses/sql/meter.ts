import type { Row } from './bound.ts';
import { problems } from './problem.ts';

/** What a statement may use. */
export interface Bounds {
  /** Rows that it goes through, in all of its parts together. */
  readonly rows: number;
  /** Values of these rows. */
  readonly cells: number;
  /** Of the texts in these rows. */
  readonly characters: number;
  /** Steps of all its expressions: one for each value, and more for long texts. */
  readonly steps: number;
}

/** Of a statement that gives way to other work of the jar. */
export const WIDE_BOUNDS: Bounds = {
  rows: 1_000_000,
  cells: 3_000_000,
  characters: 64 * 1024 * 1024,
  steps: 60_000_000,
};

/** Of statements that run in one go, within a transaction. */
export const NARROW_BOUNDS: Bounds = { rows: 20_000, cells: 200_000, characters: 4 * 1024 * 1024, steps: 500_000 };

/** After so many steps the jar does something else. */
const STEPS_IN_A_TURN = 50_000;
/** Between two turns. What is worked out for one row cannot be interrupted, and so has to be bounded by itself. */
const MOST_STEPS_AT_ONCE = 1_200_000;
const STEPS_OF_A_ROW = 8;
const CHARACTERS_OF_A_STEP = 16;

/** Counts what a statement uses, or several that share these bounds. Throws where it is more than they may. */
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

  /** Counts a row that is looked at. */
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

  /** For work that goes through a text. */
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

/** Something outside that the work waits for, such as the rows of a file. */
export type Waiting = () => Promise<void>;

/** Work that can be interrupted wherever it yields: where its turn is over, or to wait for something. */
export type Steps<T> = Generator<Waiting | undefined, T, undefined>;

/** Lets whoever runs the work wait for something, and goes on with what it gave. */
export function* waitFor<T>(work: () => Promise<T>): Steps<T> {
  const given: T[] = [];
  yield async () => {
    given.push(await work());
  };
  if (given.length === 0) throw new Error('the work went on before what it waits for was there');
  return given[0] as T;
}
