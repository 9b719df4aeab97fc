import type { Tx } from '../store/types.ts';
import { after, nextTurn } from '../time/timers.ts';
import { Alarms } from './alarms.ts';
import type { Position } from './position.ts';
import type { ClockMode, JarClock } from './types.ts';

/** Timers do not notice when the system time is set or the machine sleeps, so the time is checked at least this often. */
const LONGEST_NAP_MS = 60_000;

/** Callbacks and sleeping, common to all three clocks. */
export abstract class WaitableClock implements JarClock {
  abstract readonly mode: ClockMode;
  abstract readonly epoch: number;
  abstract now(): number;
  abstract moveTo(time: number): Promise<void>;
  abstract reset(tx?: Tx): Promise<number>;
  abstract timeBy(stored: (key: string) => Position | undefined): number;
  abstract refresh(): Promise<void>;
  abstract restore(tx: Tx, time: number): Promise<boolean>;

  /** Whether the clock runs without being moved, so that timers can wait for it. */
  readonly #flows: boolean;
  readonly #onError: (error: unknown) => void;
  readonly #alarms = new Alarms();
  readonly #listeners = new Set<() => void>();
  readonly #calledBack = new Set<Promise<void>>();
  #stopNap: (() => void) | undefined;
  #napUntil = Number.POSITIVE_INFINITY;
  #closed = false;

  constructor(flows: boolean, onError: (error: unknown) => void) {
    this.#flows = flows;
    this.#onError = onError;
  }

  get wakesSet(): number {
    return this.#alarms.everSet;
  }

  nextWake(mark?: number): number | undefined {
    return mark === undefined ? this.#alarms.first()?.time : this.#alarms.firstTimeAfter(mark);
  }

  wakeAt(time: number, callback: () => void | Promise<void>): () => void {
    const alarm = this.#alarms.set(time, callback);
    if (this.#closed) nextTurn(() => this.#ring(Number.POSITIVE_INFINITY));
    else this.#nap();
    return () => {
      this.#alarms.cancel(alarm);
      if (this.#alarms.size === 0) this.#endNap();
    };
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = (): void => {
        cancel();
        reject(signal?.reason);
      };
      const cancel = this.wakeAt(this.now() + ms, () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      });
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  onMove(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#listeners.clear();
    this.#ring(Number.POSITIVE_INFINITY);
  }

  /** Runs the callbacks that are due, or all of them if `all`. */
  protected moved(all = false): void {
    this.#endNap();
    this.#ring(all ? Number.POSITIVE_INFINITY : undefined);
    for (const listener of [...this.#listeners]) listener();
  }

  /** Runs the callbacks that are due, and resolves when they and the callbacks that they directly cause are done. */
  protected async callBack(): Promise<void> {
    this.#ring(undefined);
    while (this.#calledBack.size > 0) {
      await Promise.all(this.#calledBack);
      await new Promise<void>(nextTurn);
    }
  }

  #ring(until: number | undefined): void {
    for (const alarm of this.#alarms.takeDue(until ?? this.now())) {
      // An earlier callback may have cancelled this one.
      if (alarm.state === 'canceled') continue;
      const done: Promise<void> = this.#call(alarm.callback).finally(() => this.#calledBack.delete(done));
      this.#calledBack.add(done);
    }
    this.#nap();
  }

  async #call(callback: () => void | Promise<void>): Promise<void> {
    try {
      await callback();
    } catch (error) {
      this.#onError(error);
    }
  }

  /** Sets the timer for the earliest alarm, if the clock can reach it without being moved. */
  #nap(): void {
    const first = this.#alarms.first();
    if (first === undefined || this.#closed) {
      this.#endNap();
      return;
    }
    const wait = first.time - this.now();
    if (wait > 0 && !this.#flows) {
      this.#endNap();
      return;
    }
    if (this.#stopNap !== undefined && this.#napUntil <= first.time) return;
    this.#endNap();
    this.#napUntil = first.time;
    this.#stopNap = after(Math.min(Math.max(wait, 0), LONGEST_NAP_MS), () => {
      this.#endNap();
      this.#ring(undefined);
    });
  }

  #endNap(): void {
    this.#stopNap?.();
    this.#stopNap = undefined;
    this.#napUntil = Number.POSITIVE_INFINITY;
  }
}
