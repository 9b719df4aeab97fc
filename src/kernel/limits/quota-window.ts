import { MOST_BACKWARDS_MS, sliceLength } from './rates.ts';

/**
 * How many were made within a window, counted by slices of time. Only the slice of now changes with each that is made, so the earlier ones are kept
 * as one text, which is read when a slice begins or leaves, and copied otherwise: 60 slices as numbers would cost more than all else of a count.
 */
export type QuotaWindow = readonly [
  /** When the slice of now began. */
  from: number,
  /** How many were made in it. */
  count: number,
  /** How many in the slices before it. */
  earlier: number,
  /** When the first slice leaves the window. */
  until: number,
  windowMs: number,
  /** The counts of the slices before it, oldest first, without gaps: `5,,2s`. */
  slices: string,
];

type Slice = readonly [from: number, count: number];

const RADIX = 36;

export const countOf = (window: QuotaWindow): number => window[1] + window[2];

/** With so many more in the slice of now. */
export const withMore = ([from, count, earlier, until, windowMs, slices]: QuotaWindow, more: number): QuotaWindow => [
  from,
  count + more,
  earlier,
  until,
  windowMs,
  slices,
];

/** The window as it stands now. */
export function windowAt(stored: QuotaWindow | undefined, now: number, windowMs: number): QuotaWindow {
  return stored && isCurrent(stored, now, windowMs) ? stored : moved(stored, now, windowMs);
}

/** When the slice began that a time lies in. */
function sliceOf(time: number, windowMs: number): number {
  const length = sliceLength(windowMs);
  return Math.floor(time / length) * length;
}

/** Nodes are a little apart in time: one that is behind counts in the slice that has begun for another. */
function isCurrent([from, , , until, ofMs]: QuotaWindow, now: number, windowMs: number): boolean {
  return ofMs === windowMs && now < until && from >= sliceOf(now, windowMs) && from <= now + MOST_BACKWARDS_MS;
}

/** Slices go of which no part lies in the window any more, and where a clock was set back those of its future. */
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

/** All of them, oldest first. Those of a window of another length count from their beginning: one that a test makes shorter is short at once. */
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
