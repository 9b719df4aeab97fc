import type { JarClock } from '../clock/types.ts';
import { shortId } from '../ids/index.ts';

const TIME_DIGITS = 10;
const COUNT_DIGITS = 4;
const RADIX = 32;
const MOST_PER_MS = RADIX ** COUNT_DIGITS;
const CHANCE_DIGITS = 5;

/** Ids that sort by creation: time, a counter, and random digits to distinguish nodes. */
export class DeliveryIds {
  readonly #clock: JarClock;
  #epoch = -1;
  #time = 0;
  #count = 0;

  constructor(clock: JarClock) {
    this.#clock = clock;
  }

  next(): string {
    const now = Math.max(0, Math.floor(this.#clock.now()));
    if (this.#epoch !== this.#clock.epoch || now > this.#time) {
      this.#epoch = this.#clock.epoch;
      this.#time = now;
      this.#count = 0;
    } else if (++this.#count === MOST_PER_MS) {
      this.#time += 1;
      this.#count = 0;
    }
    const time = this.#time.toString(RADIX).padStart(TIME_DIGITS, '0');
    return `${time}${this.#count.toString(RADIX).padStart(COUNT_DIGITS, '0')}${shortId(CHANCE_DIGITS)}`;
  }
}

/** Lower bound of ids that are created at this time or later, for filters by time. */
export function firstIdAt(time: number): string {
  return Math.max(0, Math.floor(time)).toString(RADIX).padStart(TIME_DIGITS, '0');
}
