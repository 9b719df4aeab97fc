import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countOf, type QuotaWindow, windowAt, withMore } from '../../../src/kernel/limits/quota-window.ts';
import { MOST_BACKWARDS_MS, sliceLength } from '../../../src/kernel/limits/rates.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 1);
/** Index of the text with the earlier slices. */
const SLICES_TEXT = 5;

const after = (window: QuotaWindow | undefined, now: number, count: number, windowMs = HOUR): QuotaWindow =>
  withMore(windowAt(window, now, windowMs), count);

it('counts by slices: a count leaves the window with the end of its slice', () => {
  let window = after(undefined, START + 30_000, 2);
  window = after(window, START + 59_999, 1);
  window = after(window, START + MINUTE, 5);
  expect(countOf(windowAt(window, START + HOUR, HOUR))).toBe(8);
  expect(countOf(windowAt(window, START + HOUR + MINUTE - 1, HOUR))).toBe(8);
  expect(countOf(windowAt(window, START + HOUR + MINUTE, HOUR))).toBe(5);
  expect(countOf(windowAt(window, START + HOUR + 2 * MINUTE, HOUR))).toBe(0);
});

it('within a slice only its own count changes', () => {
  let window: QuotaWindow | undefined;
  for (let minute = 0; minute < 60; minute++) window = after(window, START + minute * MINUTE, 100);
  const before = windowAt(window, START + 59 * MINUTE + 1, HOUR);
  expect(before).toBe(window);
  const [from, count, ...rest] = before;
  expect(withMore(before, 3)).toEqual([from, count + 3, ...rest]);
  expect(before[SLICES_TEXT].length).toBeLessThan(200);
});

it('a clock that is a little behind counts in the slice that has begun; one that was set back forgets its future', () => {
  const window = after(after(undefined, START - 1, 4), START, 1);
  expect(after(window, START - MOST_BACKWARDS_MS, 1)).toMatchObject({ 0: START, 1: 2, 2: 4 });
  expect(countOf(windowAt(window, START - MOST_BACKWARDS_MS - 1, HOUR))).toBe(4);
});

it('after a change of its length, the window counts what was created within the new length', () => {
  let window: QuotaWindow | undefined;
  for (let minute = 0; minute < 60; minute++) window = after(window, START + minute * MINUTE, 1);
  const now = START + 59 * MINUTE;
  expect(countOf(windowAt(window, now, 10 * MINUTE))).toBe(11);
  expect(countOf(windowAt(windowAt(window, now, 10 * MINUTE), now, HOUR))).toBe(11);
  expect(countOf(windowAt(window, now, 10 * HOUR))).toBe(60);
});

it('never misses what was created within the window, nor keeps what was created two slices before it', () => {
  const step = fc.record({
    wait: fc.oneof(fc.constant(0), fc.nat(2 * MINUTE), fc.nat(HOUR)),
    behind: fc.nat(MOST_BACKWARDS_MS),
    count: fc.nat(5),
  });
  const lengths = fc.constantFrom(HOUR, HOUR + 7, 61, 59, 1, 24 * HOUR);
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), lengths, (steps, windowMs) => {
      const length = sliceLength(windowMs);
      const made: { at: number; count: number }[] = [];
      let window: QuotaWindow | undefined;
      let time = START;
      for (const { wait, behind, count } of steps) {
        time += wait;
        // If slices are shorter than the allowed difference between clocks, a clock that is behind counts as set back.
        const now = time - (length > MOST_BACKWARDS_MS ? behind : 0);
        const current = windowAt(window, now, windowMs);
        const within = (back: number): number =>
          made.filter(({ at }) => at > now - back).reduce((sum, each) => sum + each.count, 0);
        expect(countOf(current)).toBeGreaterThanOrEqual(within(windowMs));
        expect(countOf(current)).toBeLessThanOrEqual(within(windowMs + 2 * length + MOST_BACKWARDS_MS));
        expect(current[SLICES_TEXT].split(',').length).toBeLessThanOrEqual(62);
        window = withMore(current, count);
        made.push({ at: now, count });
      }
    }),
    { numRuns: 300 },
  );
});
