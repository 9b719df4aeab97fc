/** Durations by classes, each a fifth longer than the one before: percentiles are exact to a tenth, whatever the number of durations. */
const SHORTEST_MS = 0.05;
const GROWTH = 1.2;
const LOG_GROWTH = Math.log(GROWTH);
/** The last class is for everything from about 75 seconds on. */
export const CLASSES = 80;

export function classOf(ms: number): number {
  if (ms <= SHORTEST_MS) return 0;
  return Math.min(CLASSES - 1, Math.floor(Math.log(ms / SHORTEST_MS) / LOG_GROWTH));
}

/** The middle of a class, to a tenth of a millisecond. */
const middleOf = (place: number): number => Math.round(SHORTEST_MS * GROWTH ** (place + 0.5) * 10) / 10;

/** By nearest rank; null if there are no durations. */
export function percentileOf(counts: ArrayLike<number>, share: number): number | null {
  let total = 0;
  for (let place = 0; place < counts.length; place++) total += counts[place] ?? 0;
  if (total === 0) return null;
  const rank = Math.max(1, Math.ceil(total * share));
  let seen = 0;
  for (let place = 0; place < counts.length; place++) {
    seen += counts[place] ?? 0;
    if (seen >= rank) return middleOf(place);
  }
  return null;
}
