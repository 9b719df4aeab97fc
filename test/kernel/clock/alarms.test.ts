import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Alarm, Alarms } from '../../../src/kernel/clock/alarms.ts';

const nothing = (): void => {};

test('alarms are taken by time, then in the order they were set, without cancelled ones', () => {
  const steps = fc.array(fc.record({ time: fc.integer({ min: 0, max: 20 }), cancel: fc.boolean() }), {
    maxLength: 400,
  });
  fc.assert(
    fc.property(steps, fc.array(fc.integer({ min: 0, max: 21 }), { maxLength: 5 }), (planned, looks) => {
      const alarms = new Alarms();
      const set = planned.map(({ time }) => alarms.set(time, nothing));
      for (const [i, { cancel }] of planned.entries()) if (cancel) alarms.cancel(set[i]!);
      const live = set.filter((_, i) => !planned[i]!.cancel);
      expect(alarms.size).toBe(live.length);
      const taken: Alarm[] = [];
      for (const now of [...looks.sort((a, b) => a - b), 21]) {
        taken.push(...alarms.takeDue(now));
        expect(alarms.first()?.time ?? Number.POSITIVE_INFINITY).toBeGreaterThan(now);
      }
      expect(taken).toEqual(live.sort((a, b) => a.time - b.time || a.order - b.order));
      expect(alarms.size).toBe(0);
    }),
  );
});

test('the earliest alarm set since a mark is found', () => {
  const alarms = new Alarms();
  alarms.set(5, nothing);
  const mark = alarms.everSet;
  expect(alarms.firstTimeAfter(mark)).toBeUndefined();
  alarms.set(9, nothing);
  const seven = alarms.set(7, nothing);
  expect(alarms.firstTimeAfter(mark)).toBe(7);
  alarms.cancel(seven);
  expect(alarms.firstTimeAfter(mark)).toBe(9);
  expect(alarms.firstTimeAfter(0)).toBe(5);
});

test('an alarm that was taken can still be cancelled before it fires', () => {
  const alarms = new Alarms();
  const first = alarms.set(1, nothing);
  const second = alarms.set(1, nothing);
  expect(alarms.takeDue(1)).toEqual([first, second]);
  alarms.cancel(second);
  expect(second.state).toBe('canceled');
  expect(alarms.size).toBe(0);
});

test('alarms that are set and canceled over and over do not pile up', () => {
  const alarms = new Alarms();
  const kept = alarms.set(1000, nothing);
  for (let i = 0; i < 100_000; i += 1) alarms.cancel(alarms.set(2000 + i, nothing));
  expect(alarms.held).toBeLessThan(1000);
  expect(alarms.takeDue(1_000_000)).toEqual([kept]);
});
