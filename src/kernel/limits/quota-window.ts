import { MOST_BACKWARDS_MS, sliceLength } from './rates.ts';

/**
 * The number of things created within a window, counted in time slices. Only the current slice changes when something is created, so the
 * earlier slices are stored as one text, which is parsed when a slice begins or leaves, and otherwise copied: 60 slices as numbers would
 * cost more than the rest of a count.
 */
export type QuotaWindow = readonly [
  /** Start of the current slice. */
  from: number,
  /** Count of the current slice. */
  count: number,
  /** Sum of the earlier slices. */
  earlier: number,
  /** When the oldest slice leaves the window. */
  until: number,
  windowMs: number,
  /** The counts of the earlier slices, oldest first, without gaps: `5,,2s`. */
  slices: string,
];

type Slice = readonly [from: number, count: number];

const RADIX = 36;

export const countOf = (window: QuotaWindow): number => window[1] + window[2];

/** Adds to the current slice. */
export const withMore = ([from, count, earlier, until, windowMs, slices]: QuotaWindow, more: number): QuotaWindow => [
  from,
  count + more,
  earlier,
  until,
  windowMs,
  slices,
];

/** Returns the window at the current time. */
export function windowAt(stored: QuotaWindow | undefined, now: number, windowMs: number): QuotaWindow {
  return stored && isCurrent(stored, now, windowMs) ? stored : moved(stored, now, windowMs);
}

/** The start of the slice that contains a time. */
function sliceOf(time: number, windowMs: number): number {
  const length = sliceLength(windowMs);
  return Math.floor(time / length) * length;
}

/** Clocks of nodes differ slightly: a node that is behind counts in the slice that another node has started. */
function isCurrent([from, , , until, ofMs]: QuotaWindow, now: number, windowMs: number): boolean {
  return ofMs === windowMs && now < until && from >= sliceOf(now, windowMs) && from <= now + MOST_BACKWARDS_MS;
}

/** Drops slices that have left the window, and slices in the future after a clock was set back. */
function moved(stored: QuotaWindow | undefined, now: number, windowMs: number): QuotaWindow {
  const length = sliceLength(windowMs);
  const recent = slicesOf(stored, windowMs).filter(
    ([begin, count]) => count > 0 && begin <= now + MOST_BACKWARDS_MS && now < begin + length + windowMs,
  );
  const from = Math.max(sliceOf(now, windowMs), ...recent.map(([begin]) => begin));
  const first = recent[0]?.[0] ?? from;
  const counts = new Array<number>((from - first) / length + 1).fill(0);
  for (const [begin, count] of recent) {
    const index = (begin - first) / length;
    counts[index] = (counts[index] ?? 0) + count;
  }
  const count = counts.pop() ?? 0;
  const earlier = counts.reduce((total, each) => total + each, 0);
  return [from, count, earlier, first + length + windowMs, windowMs, textOf(counts)];
}

/**
 * All slices, oldest first. Slices of a window with another length count from their start: shortening a window in a test takes effect
 * immediately.
 */
function slicesOf(stored: QuotaWindow | undefined, windowMs: number): readonly Slice[] {
  if (!stored) return [];
  const [from, last, , , ofMs, text] = stored;
  const counts = [...countsIn(text), last];
  const length = sliceLength(ofMs);
  return counts.map((count, index) => {
    const begin = from - (counts.length - 1 - index) * length;
    return [sliceOf(begin, windowMs), count];
  });
}

const countsIn = (text: string): readonly number[] =>
  text === '' ? [] : text.split(',').map((count) => (count === '' ? 0 : Number.parseInt(count, RADIX)));

const textOf = (counts: readonly number[]): string =>
  counts.map((count) => (count === 0 ? '' : count.toString(RADIX))).join(',');
