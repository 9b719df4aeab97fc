import type { Tx } from '../store/types.ts';
import type { Position } from './position.ts';

export type ClockMode = 'shifted' | 'virtual' | 'system';

/** The only source of time. Services take `now()` from here and schedule work; they never sleep. */
export interface Clock {
  readonly mode: ClockMode;
  /** Milliseconds since 1970, by the jar's own reckoning. */
  now(): number;
}

export interface AdvanceResult {
  readonly now: number;
  /** How many work items ran on the way. */
  readonly fired: number;
}

/** The clock as the kernel has it: it can be waited on and, unless it is the system's, moved. */
export interface JarClock extends Clock {
  /** Grows by one with every reset; a time of an earlier epoch says nothing about this one. */
  readonly epoch: number;
  /**
   * Calls back once when the clock reaches `time`, whether it got there by itself or was moved. In memory only: what must
   * survive a restart is work. An advance waits for the promise, if the callback gives one.
   */
  wakeAt(time: number, callback: () => void | Promise<void>): () => void;
  /** Resolves when the clock is `ms` further; rejects with the signal's reason when that comes first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** How often `wakeAt` was called; marks a point for `nextWake`. */
  readonly wakesSet: number;
  /** Earliest time somebody waits for with `wakeAt`; of those who began to wait after `mark`, when given. */
  nextWake(mark?: number): number | undefined;
  /** Moves forward to `time`, durably and on all nodes, and calls back everybody who waited for it; never backwards. */
  moveTo(time: number): Promise<void>;
  /**
   * Back to where the clock began; gives that time. Within `tx`, if given, and then in force from its commit on. Whoever
   * waits for a time of the old epoch is called back.
   */
  reset(tx?: Tx): Promise<number>;
  /** What the clock shows by positions that were read from the store, at one moment with other things. */
  timeBy(stored: (key: string) => Position | undefined): number;
  /** To `time`, backwards too, within `tx` and in force from its commit on; false where the clock cannot be moved. */
  restore(tx: Tx, time: number): Promise<boolean>;
  /** Looks the position up: another node may have moved it without this one having heard. */
  refresh(): Promise<void>;
  /** Told whenever the clock was moved or reset, on whatever node. */
  onMove(listener: () => void): () => void;
  /** Calls back whoever still waits, so that nothing hangs on a clock that is no more. */
  close(): void;
}
