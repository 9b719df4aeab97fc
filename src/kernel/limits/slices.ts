import { MOST_BACKWARDS_MS, sliceLength } from './rates.ts';

/**
 * How many were made when, for a quota with a window: the beginning of a slice of time and the count in it, one pair after the other in a flat list,
 * which takes half the time of a list of pairs to read and write as JSON.
 */
export type Slices = readonly number[];

/** The slices of which some part still lies in the window. A clock that was set back has those of its future go. */
export function recentSlices(slices: Slices | undefined = [], now: number, windowMs: number): Slices {
  const oldest = now - windowMs - sliceLength(windowMs);
  const newest = now + MOST_BACKWARDS_MS;
  const recent: number[] = [];
  for (let index = 0; index < slices.length; index += 2) {
    const from = slices[index] as number;
    if (from > oldest && from <= newest) recent.push(from, slices[index + 1] as number);
  }
  return recent;
}

export function countOf(slices: Slices): number {
  let total = 0;
  for (let index = 1; index < slices.length; index += 2) total += slices[index] as number;
  return total;
}

/** So many more in the slice of now. */
export function withMore(slices: Slices, now: number, windowMs: number, count: number): Slices {
  const length = sliceLength(windowMs);
  const from = Math.floor(now / length) * length;
  // From the end, but not only there: nodes are a little apart in time, so that the slice of now need not be the last one.
  for (let index = slices.length - 2; index >= 0; index -= 2) {
    if (slices[index] === from) return slices.with(index + 1, (slices[index + 1] as number) + count);
  }
  return [...slices, from, count];
}
