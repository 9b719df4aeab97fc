import type { Store, Tx } from '../store/types.ts';
import { ClockError } from '../time/errors.ts';
import { wallNow } from '../time/timers.ts';
import { type Position, StoredPosition } from './position.ts';
import type { ClockMode, JarClock } from './types.ts';
import { WaitableClock } from './waiting.ts';

export interface ClockOptions {
  readonly mode: ClockMode;
  /** Start time of a virtual clock if the store has no time yet; by default the system's time. */
  readonly start?: number;
  readonly store: Store;
  /** Called with errors from callbacks of `wakeAt`. */
  readonly onError?: (error: unknown) => void;
}

/** The largest time of a `Date`. */
const LAST_TIME = 8.64e15;

const FIXED = `the clock is the system's and cannot be moved; start with --clock shifted or --clock virtual to move it`;

export async function openClock({ mode, start, store, onError = ignore }: ClockOptions): Promise<JarClock> {
  if (start !== undefined && !(Number.isInteger(start) && Math.abs(start) <= LAST_TIME)) {
    throw new ClockError('BAD_TIME', `a clock cannot start at ${start}; give whole milliseconds since 1970`);
  }
  if (mode === 'system') return new SystemClock(onError);
  if (mode === 'virtual') return VirtualClock.open(store, start ?? wallNow(), onError);
  return ShiftedClock.open(store, onError);
}

/** Throws if the clock cannot be moved. */
export function assertMovable(clock: { readonly mode: ClockMode }): void {
  if (clock.mode === 'system') throw new ClockError('FIXED_CLOCK', FIXED);
}

class SystemClock extends WaitableClock {
  readonly mode = 'system';
  readonly epoch = 0;

  constructor(onError: (error: unknown) => void) {
    super(true, onError);
  }

  now(): number {
    return wallNow();
  }

  async moveTo(): Promise<void> {
    throw new ClockError('FIXED_CLOCK', FIXED);
  }

  async reset(): Promise<number> {
    return wallNow();
  }

  timeBy(): number {
    return wallNow();
  }

  async restore(): Promise<boolean> {
    return false;
  }

  async refresh(): Promise<void> {}
}

/** A clock whose position is in the store. */
abstract class MovableClock extends WaitableClock {
  #position!: StoredPosition;
  readonly #store: Store;

  constructor(flows: boolean, store: Store, onError: (error: unknown) => void) {
    super(flows, onError);
    this.#store = store;
  }

  get epoch(): number {
    return this.#position.current.epoch;
  }

  async reset(tx?: Tx): Promise<number> {
    const body = (inside: Tx): Promise<Position> => this.#position.reset(inside);
    const next = tx ? await body(tx) : await this.#store.transact(body);
    return this.timeAt(next);
  }

  timeBy(stored: (key: string) => Position | undefined): number {
    return this.timeAt(stored(this.#position.key) ?? this.#position.current);
  }

  refresh(): Promise<void> {
    return this.#position.refresh();
  }

  async restore(tx: Tx, time: number): Promise<boolean> {
    await this.#position.reset(tx, this.placeOf(time));
    return true;
  }

  override close(): void {
    this.#position.close();
    super.close();
  }

  /** The time of this clock at a position. */
  protected abstract timeAt(position: Position): number;
  /** The position at which this clock shows `time` now. */
  protected abstract placeOf(time: number): number;
  protected abstract show(position: Position): void;

  protected async follow(key: string, start: number): Promise<void> {
    this.#position = await StoredPosition.open(this.#store, key, start, (from, to) => {
      this.show(to);
      this.moved(to.epoch !== from.epoch);
    });
    this.show(this.#position.current);
  }

  protected async raise(at: number): Promise<void> {
    await this.#position.raise(at);
    await this.callBack();
  }
}

/** Runs at real speed, shifted against the system's time. */
class ShiftedClock extends MovableClock {
  readonly mode = 'shifted';
  #shift = 0;

  static async open(store: Store, onError: (error: unknown) => void): Promise<ShiftedClock> {
    const clock = new ShiftedClock(true, store, onError);
    await clock.follow('shifted', 0);
    return clock;
  }

  now(): number {
    return wallNow() + this.#shift;
  }

  async moveTo(time: number): Promise<void> {
    await this.raise(Math.ceil(time) - wallNow());
  }

  protected timeAt({ at }: Position): number {
    return wallNow() + at;
  }

  protected placeOf(time: number): number {
    return time - wallNow();
  }

  protected show({ at }: Position): void {
    this.#shift = at;
  }
}

/** Moves only when it is advanced. */
class VirtualClock extends MovableClock {
  readonly mode = 'virtual';
  #now = 0;

  static async open(store: Store, start: number, onError: (error: unknown) => void): Promise<VirtualClock> {
    const clock = new VirtualClock(false, store, onError);
    await clock.follow('virtual', start);
    return clock;
  }

  now(): number {
    return this.#now;
  }

  async moveTo(time: number): Promise<void> {
    await this.raise(Math.ceil(time));
  }

  protected timeAt({ at }: Position): number {
    return at;
  }

  protected placeOf(time: number): number {
    return time;
  }

  protected show({ at }: Position): void {
    this.#now = at;
  }
}

function ignore(): void {}
