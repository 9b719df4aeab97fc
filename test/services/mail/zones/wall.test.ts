import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  civilOf,
  dayOfCivil,
  daysInMonth,
  FIRST_YEAR,
  LAST_YEAR,
  weekBegin,
  weekdayOf,
} from '../../../../src/services/mail/zones/civil.ts';
import {
  FIRST_WALL,
  formatDate,
  formatWall,
  LAST_WALL,
  parseDate,
  parseWall,
  parseWrittenTime,
} from '../../../../src/services/mail/zones/wall.ts';

const anyWall = fc.integer({ min: FIRST_WALL, max: LAST_WALL });

describe('wall-clock times', () => {
  test('are written with seven digits of a second', () => {
    expect(formatWall(Date.UTC(2026, 0, 5, 9))).toBe('2026-01-05T09:00:00.0000000');
    expect(formatWall(Date.UTC(2026, 0, 5, 9, 1, 2, 34))).toBe('2026-01-05T09:01:02.0340000');
    expect(formatWall(FIRST_WALL)).toBe('0001-01-01T00:00:00.0000000');
    expect(formatWall(LAST_WALL)).toBe('9999-12-31T23:59:59.9990000');
  });

  test.each([
    ['2026-01-05T09:00:00.0000000', '2026-01-05T09:00:00.0000000'],
    ['2026-01-05T09:00:00', '2026-01-05T09:00:00.0000000'],
    ['2026-01-05T09:00', '2026-01-05T09:00:00.0000000'],
    ['2026-01-05', '2026-01-05T00:00:00.0000000'],
    ['2024-02-29T23:59:59.9999999', '2024-02-29T23:59:59.9990000'],
    ['2026-01-05t09:00:00.5', '2026-01-05T09:00:00.5000000'],
  ])('%s is read', (text, expected) => {
    const wall = parseWall(text);
    expect(wall === undefined ? undefined : formatWall(wall)).toBe(expected);
  });

  test.each(
    [
      '',
      'tomorrow',
      '2026-02-29T00:00:00',
      '2026-13-01T00:00:00',
      '2026-00-01',
      '2026-01-00',
      '2026-01-05T24:00:00',
      '2026-01-05T09:60:00',
      '2026-01-05T09:00:60',
      '0000-01-01',
      '12026-01-05',
      '2026-01-05T09:00:00Z',
      '2026-01-05T09:00:00+01:00',
      `2026-01-05T09:00:00.${'0'.repeat(1000)}`,
    ].map((text) => [text.slice(0, 40), text] as const),
  )('"%s" is no wall-clock time', (_shown, text) => {
    expect(parseWall(text)).toBeUndefined();
  });

  test.each([
    ['2026-01-05T09:00:00Z', 0],
    ['2026-01-05T09:00:00+01:00', 3_600_000],
    ['2026-01-05T09:00:00.1234567-0330', -12_600_000],
  ])('%s carries an offset, which is given beside the wall-clock time', (text, offset) => {
    const written = parseWrittenTime(text);
    expect(written?.offset).toBe(offset);
    expect(formatWall(written?.wall ?? 0)).toMatch(/^2026-01-05T09:00:00/);
  });

  test('an offset of more than a day is refused', () => {
    expect(parseWrittenTime('2026-01-05T09:00:00+24:00')).toBeUndefined();
    expect(parseWrittenTime('2026-01-05T09:00:00+01:60')).toBeUndefined();
  });

  test('a written id can be read again', () => {
    fc.assert(fc.property(anyWall, (wall) => parseWall(formatWall(wall)) === wall));
    fc.assert(fc.property(anyWall, (wall) => formatDate(parseDate(formatDate(wall)) ?? 0) === formatDate(wall)));
  });
});

describe('the calendar', () => {
  test('agrees with Date from the first to the last year', () => {
    fc.assert(
      fc.property(fc.integer({ min: FIRST_WALL / 86_400_000, max: Math.floor(LAST_WALL / 86_400_000) }), (day) => {
        const date = new Date(day * 86_400_000);
        expect(civilOf(day)).toEqual({
          year: date.getUTCFullYear(),
          month: date.getUTCMonth() + 1,
          day: date.getUTCDate(),
        });
        expect(weekdayOf(day)).toBe(date.getUTCDay());
      }),
    );
  });

  test('a date and its day are each other’s inverse', () => {
    const anyDate = fc
      .tuple(fc.integer({ min: FIRST_YEAR, max: LAST_YEAR }), fc.integer({ min: 1, max: 12 }))
      .chain(([year, month]) =>
        fc.tuple(fc.constant(year), fc.constant(month), fc.integer({ min: 1, max: daysInMonth(year, month) })),
      );
    fc.assert(
      fc.property(anyDate, ([year, month, day]) => {
        expect(civilOf(dayOfCivil(year, month, day))).toEqual({ year, month, day });
      }),
    );
  });

  test('a week begins on its first weekday, at most six days before', () => {
    const weekday = fc.constantFrom(0, 1, 2, 3, 4, 5, 6) as fc.Arbitrary<0 | 1 | 2 | 3 | 4 | 5 | 6>;
    fc.assert(
      fc.property(fc.integer({ min: -700_000, max: 2_900_000 }), weekday, (day, start) => {
        const begin = weekBegin(day, start);
        expect(weekdayOf(begin)).toBe(start);
        expect(day - begin).toBeGreaterThanOrEqual(0);
        expect(day - begin).toBeLessThan(7);
      }),
    );
  });
});
