import type { Wall } from '../zones/wall.ts';
import type { Series } from './types.ts';

export interface Window {
  /** Occurrences that start before this are left out. */
  readonly from: Wall;
  /** Occurrences that start at or after this are left out. */
  readonly to?: Wall;
  /** Upper bound of the work: candidates looked at. */
  readonly work?: number;
}

export interface Occurrences extends Iterable<Wall> {
  /** True once the expansion gave up at its bound of work: there may be more occurrences than it gave. */
  readonly isIncomplete: boolean;
}

export declare const occurrences: (series: Series, window: Window) => Occurrences;
