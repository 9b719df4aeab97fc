import { HOUR_MS } from '../../../kernel/time/index.ts';
import { dayOfWall, type Wall } from '../zones/wall.ts';
import { occurrences } from './expand.ts';
import type { Series } from './types.ts';

export interface Neighbours {
  readonly previous?: Wall;
  readonly next?: Wall;
}

const lastIn = (series: Series, from: Wall, to: Wall): Wall | undefined => {
  let last: Wall | undefined;
  for (const wall of occurrences(series, { from, to })) last = wall;
  return last;
};

/**
 * Searches backwards in growing spans, so that a series over centuries costs no more than its last gap. COUNT is counted from the start
 * anyway.
 */
const previousOf = (series: Series, slot: Wall): Wall | undefined => {
  const earliest = series.dates.reduce((first, date) => Math.min(first, date), series.start);
  const isCounted = series.rules.some(({ count }) => count !== undefined);
  let to = slot;
  for (let span = HOUR_MS; to > earliest; span *= 4) {
    const from = isCounted ? earliest : Math.max(earliest, slot - span);
    const found = lastIn(series, from, to);
    if (found !== undefined) return found;
    to = from;
  }
  return undefined;
};

const nextOf = (series: Series, slot: Wall): Wall | undefined => {
  for (const wall of occurrences(series, { from: slot + 1 })) return wall;
  return undefined;
};

/** The occurrences before and after a slot. */
export const neighbours = (series: Series, slot: Wall): Neighbours => {
  const [previous, next] = [previousOf(series, slot), nextOf(series, slot)];
  return { ...(previous !== undefined && { previous }), ...(next !== undefined && { next }) };
};

/**
 * True if a move would bring an occurrence to or past the day of a neighbour, which the API rejects (ErrorOccurrenceCrossingBoundary).
 * Occurrences of one day, which only rules of other calendars have, are compared by time. `moved` has the current starts of occurrences
 * that are not at their slot.
 */
export const crossesBoundary = (
  series: Series,
  slot: Wall,
  movedTo: Wall,
  moved: ReadonlyMap<Wall, Wall> = new Map(),
): boolean => {
  const { previous, next } = neighbours(series, slot);
  /** Negative, zero or positive if `movedTo` is before, on or after the neighbour. */
  const compare = (neighbour: Wall): number => {
    const present = moved.get(neighbour) ?? neighbour;
    return dayOfWall(neighbour) === dayOfWall(slot) ? movedTo - present : dayOfWall(movedTo) - dayOfWall(present);
  };
  return (previous !== undefined && compare(previous) <= 0) || (next !== undefined && compare(next) >= 0);
};
