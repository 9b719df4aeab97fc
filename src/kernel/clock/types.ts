import type { Tx } from '../store/types.ts';
import type { Position } from './position.ts';

export type ClockMode = 'shifted' | 'virtual' | 'system';

/** The only source of time. Services read `now()` and schedule work; they never sleep. */
export interface Clock {
  readonly mode: ClockMode;
  /** Milliseconds since 1970, by the jar's clock. */
  now(): number;
}

export interface AdvanceResult {
  readonly now: number;
  /** Number of work items that ran during the advance. */
  readonly fired: number;
}

/** The clock for the kernel: code can wait for its times, and it can be moved unless it is the system's. */
export interface JarClock extends Clock {
  /** Increases with every reset; times of different epochs cannot be compared. */
  readonly epoch: number;
  /**
   * Calls back once when the clock reaches `time`, either by running or by being moved. In memory only: anything that must survive a
   * restart is scheduled as work. If the callback returns a promise, an advance waits for it.
   */
  wakeAt(time: number, callback: () => void | Promise<void>): () => void;
  /** Resolves when the clock has moved on by `ms`; rejects with the signal's reason if it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Number of calls of `wakeAt`; can be passed to `nextWake` as `mark`. */
  readonly wakesSet: number;
  /** Earliest time of a pending `wakeAt`; with `mark`, only of those set after it. */
  nextWake(mark?: number): number | undefined;
  /** Moves the clock forward to `time`, durably and on all nodes, and runs the callbacks that become due. Never moves it backwards. */
  moveTo(time: number): Promise<void>;
  /**
   * Resets the clock to its start and returns that time. With `tx`, the reset takes effect on its commit. All pending callbacks of the old
   * epoch are called.
   */
  reset(tx?: Tx): Promise<number>;
  /** The time according to stored positions that were read together with other data. */
  timeBy(stored: (key: string) => Position | undefined): number;
  /** Sets the clock to `time`, possibly backwards, in `tx` and effective on its commit. Returns false if the clock cannot be moved. */
  restore(tx: Tx, time: number): Promise<boolean>;
  /** Reads the stored position, in case a notification from another node was lost. */
  refresh(): Promise<void>;
  /** Registers a listener for every move or reset of the clock, on any node. */
  onMove(listener: () => void): () => void;
  /** Calls all pending callbacks, so that nothing waits on a closed clock. */
  close(): void;
}
