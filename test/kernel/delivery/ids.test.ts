import { expect, test } from 'vitest';
import type { JarClock } from '../../../src/kernel/clock/types.ts';
import { DeliveryIds, firstIdAt } from '../../../src/kernel/delivery/ids.ts';

/** Ids need only the time and the epoch of a clock. */
function clockAt(now: number, epoch = 0) {
  const clock = { at: now, epoch, now: () => clock.at };
  return clock as typeof clock & JarClock;
}

test('ids sort in the order in which they were made, however many there are in a millisecond', () => {
  const clock = clockAt(1_000_000_000_000);
  const ids = new DeliveryIds(clock);
  const made: string[] = [];
  for (let ms = 0; ms < 20; ms++) {
    for (let i = 0; i < 2000; i++) made.push(ids.next());
    clock.at += ms % 3 === 0 ? -1 : 1;
  }
  expect(made).toEqual(made.toSorted());
  expect(new Set(made).size).toBe(made.length);
});

test('ids begin with the time, also after a reset has put it back', () => {
  const clock = clockAt(2000);
  const ids = new DeliveryIds(clock);
  const before = ids.next();
  expect(before >= firstIdAt(2000) && before < firstIdAt(2001)).toBe(true);
  Object.assign(clock, { at: 1000, epoch: 1 });
  const after = ids.next();
  expect(after >= firstIdAt(1000) && after < firstIdAt(1001)).toBe(true);
});
