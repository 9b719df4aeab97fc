import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { occurrences } from '../../../../src/services/mail/recurrence/expand.ts';
import { crossesBoundary, neighbours } from '../../../../src/services/mail/recurrence/neighbours.ts';
import { series, wall } from './series.ts';

const WEEKLY = series('2026-01-05T09:00:00', 'FREQ=WEEKLY;COUNT=4');

describe('the neighbours of an occurrence', () => {
  test('are the slots before and after; the first and the last have one', () => {
    const [first, second, third] = ['2026-01-05T09:00:00', '2026-01-12T09:00:00', '2026-01-19T09:00:00'].map(wall);
    expect(neighbours(WEEKLY, second ?? 0)).toEqual({ previous: first, next: third });
    expect(neighbours(WEEKLY, first ?? 0)).toEqual({ next: second });
    expect(neighbours(WEEKLY, wall('2026-01-26T09:00:00'))).toEqual({ previous: third });
  });

  test('skip cancelled slots', () => {
    const cancelled = { ...WEEKLY, exDates: [wall('2026-01-12T09:00:00')] };
    expect(neighbours(cancelled, wall('2026-01-19T09:00:00')).previous).toBe(wall('2026-01-05T09:00:00'));
  });

  test('are found in a series of centuries, and of seconds', () => {
    const yearly = series('1626-01-05T09:00:00', 'FREQ=YEARLY;INTERVAL=100');
    expect(neighbours(yearly, wall('9926-01-05T09:00:00'))).toEqual({ previous: wall('9826-01-05T09:00:00') });
    const secondly = series('2026-01-05T09:00:00', 'FREQ=SECONDLY');
    const slot = wall('2029-01-05T09:00:00');
    expect(neighbours(secondly, slot)).toEqual({ previous: slot - 1000, next: slot + 1000 });
  });

  test('are those of the whole expansion', () => {
    const text = fc.constantFrom(
      'FREQ=DAILY;INTERVAL=9',
      'FREQ=MONTHLY;BYMONTHDAY=31',
      'FREQ=YEARLY;COUNT=9',
      'FREQ=WEEKLY;INTERVAL=40',
    );
    fc.assert(
      fc.property(text, fc.nat({ max: 8 }), (given, index) => {
        const of = series('2026-01-31T09:00:00', given);
        const all: number[] = [];
        for (const at of occurrences(of, { from: 0 })) {
          all.push(at);
          if (all.length > 9) break;
        }
        const [previous, next] = [all[index - 1], all[index + 1]];
        expect(neighbours(of, all[index] ?? 0)).toEqual({ ...(previous && { previous }), ...(next && { next }) });
      }),
    );
  });
});

describe('a moved occurrence', () => {
  const slot = wall('2026-01-12T09:00:00');

  test.each([
    ['to another time of its day', '2026-01-12T23:00:00', false],
    ['to the day after the previous one', '2026-01-06T00:00:00', false],
    ['to the day of the previous one', '2026-01-05T23:59:00', true],
    ['before the previous one', '2026-01-01T09:00:00', true],
    ['to the day before the next one', '2026-01-18T23:59:00', false],
    ['to the day of the next one', '2026-01-19T00:00:00', true],
    ['after the next one', '2026-02-01T09:00:00', true],
  ])('%s', (_title, to, crosses) => {
    expect(crossesBoundary(WEEKLY, slot, wall(to))).toBe(crosses);
  });

  test('may move anywhere before the first or after the last', () => {
    expect(crossesBoundary(WEEKLY, wall('2026-01-05T09:00:00'), wall('2020-01-01T09:00:00'))).toBe(false);
    expect(crossesBoundary(WEEKLY, wall('2026-01-26T09:00:00'), wall('2030-01-01T09:00:00'))).toBe(false);
  });

  test('respects the current times of its neighbours', () => {
    const moved = new Map([[wall('2026-01-19T09:00:00'), wall('2026-01-15T09:00:00')]]);
    expect(crossesBoundary(WEEKLY, slot, wall('2026-01-15T09:00:00'), moved)).toBe(true);
    expect(crossesBoundary(WEEKLY, slot, wall('2026-01-14T09:00:00'), moved)).toBe(false);
  });

  test('of an hourly series is compared with its neighbours by time', () => {
    const hourly = series('2026-01-05T09:00:00', 'FREQ=HOURLY');
    expect(crossesBoundary(hourly, wall('2026-01-05T11:00:00'), wall('2026-01-05T11:30:00'))).toBe(false);
    expect(crossesBoundary(hourly, wall('2026-01-05T11:00:00'), wall('2026-01-05T12:00:00'))).toBe(true);
  });
});
