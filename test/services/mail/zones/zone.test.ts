import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ianaZones } from '../../../../src/services/mail/zones/names.ts';
import {
  isZone,
  offsetAt,
  offsetOnce,
  toInstant,
  toWall,
  transitionsBetween,
} from '../../../../src/services/mail/zones/zone.ts';
import { wall } from '../recurrence/series.ts';

const HOUR = 3_600_000;

/** Computes the offset independently, from the date and time that the runtime formats. */
const offsetByRuntime = (zone: string, instant: number): number => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = [
    'year',
    'month',
    'day',
    'hour',
    'minute',
    'second',
  ].map((type) => parts.get(type as Intl.DateTimeFormatPartTypes));
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000;
};

const anyZone = fc.constantFrom(...ianaZones());
const anyInstant = fc.integer({ min: Date.UTC(1975, 0), max: Date.UTC(2060, 0) });

describe('the offset of a zone', () => {
  test.each([
    ['Europe/Berlin', '2026-03-29T00:59:59', 1],
    ['Europe/Berlin', '2026-03-29T01:00:00', 2],
    ['Europe/Berlin', '2026-10-25T00:59:59', 2],
    ['Europe/Berlin', '2026-10-25T01:00:00', 1],
    ['Australia/Sydney', '2026-01-01T00:00:00', 11],
    ['Australia/Sydney', '2026-07-01T00:00:00', 10],
    ['Asia/Kathmandu', '2026-07-01T00:00:00', 5.75],
    ['UTC', '2026-07-01T00:00:00', 0],
    ['America/New_York', '9999-07-01T00:00:00', -4],
    ['posix:STD5DST4,M3.2.0/2,M11.1.0/2', '2026-03-08T06:59:59', -5],
    ['posix:STD5DST4,M3.2.0/2,M11.1.0/2', '2026-03-08T07:00:00', -4],
    ['posix:STD-1', '2026-03-08T07:00:00', 1],
  ])('%s at %s UTC is %d hours', (zone, instant, hours) => {
    expect(offsetAt(zone, wall(instant)) / HOUR).toBe(hours);
    expect(offsetOnce(zone, wall(instant)) / HOUR).toBe(hours);
  });

  test('is what the runtime shows, in every zone and at any time', () => {
    fc.assert(
      fc.property(anyZone, anyInstant, (zone, instant) => {
        expect(offsetAt(zone, instant), zone).toBe(offsetByRuntime(zone, instant));
      }),
      { numRuns: 200 },
    );
  });

  test('all changes of a year are found, four in Cairo in 2014', () => {
    const changes = transitionsBetween('Africa/Cairo', wall('2014-01-01'), wall('2015-01-01'));
    expect(changes.map(({ at, after }) => [new Date(at).toISOString(), after / HOUR])).toEqual([
      ['2014-05-15T22:00:00.000Z', 3],
      ['2014-06-26T21:00:00.000Z', 2],
      ['2014-07-31T22:00:00.000Z', 3],
      ['2014-09-25T21:00:00.000Z', 2],
    ]);
  });

  test('a name that the runtime does not know is no zone, and asking for its offset is a mistake of the caller', () => {
    expect(isZone('Europe/Nowhere')).toBe(false);
    expect(isZone('posix:nonsense')).toBe(false);
    expect(() => offsetAt('Europe/Nowhere', 0)).toThrow(RangeError);
  });
});

describe('between instants and wall-clock times', () => {
  test.each([
    ['a time in a gap has the offset before it', 'Europe/Berlin', '2026-03-29T02:30:00', '2026-03-29T01:30:00'],
    ['the first moment of a gap', 'Europe/Berlin', '2026-03-29T02:00:00', '2026-03-29T01:00:00'],
    ['the first moment after a gap', 'Europe/Berlin', '2026-03-29T03:00:00', '2026-03-29T01:00:00'],
    ['an ambiguous time is the first', 'Europe/Berlin', '2026-10-25T02:30:00', '2026-10-25T00:30:00'],
    ['the end of the ambiguous hour', 'Europe/Berlin', '2026-10-25T03:00:00', '2026-10-25T02:00:00'],
    ['a gap in the south', 'America/Santiago', '2026-09-06T00:30:00', '2026-09-06T04:30:00'],
    ['an ambiguous time in the south', 'Australia/Sydney', '2026-04-05T02:30:00', '2026-04-04T15:30:00'],
    ['half an hour of Lord Howe', 'Australia/Lord_Howe', '2026-10-04T02:15:00', '2026-10-03T15:45:00'],
    ['the day that Samoa skipped', 'Pacific/Apia', '2011-12-30T12:00:00', '2011-12-30T22:00:00'],
  ])('%s', (_title, zone, local, instant) => {
    expect(toInstant(zone, wall(local))).toBe(wall(instant));
  });

  test('an instant keeps its wall-clock time there and back, and is the same or the first of two', () => {
    fc.assert(
      fc.property(anyZone, anyInstant, (zone, instant) => {
        const local = toWall(zone, instant);
        const back = toInstant(zone, local);
        expect(toWall(zone, back), zone).toBe(local);
        expect(back).toBeLessThanOrEqual(instant);
        expect(instant - back).toBeLessThanOrEqual(24 * HOUR);
      }),
      { numRuns: 300 },
    );
  });

  test('around every change of a year, only skipped times change on the way there and back', () => {
    fc.assert(
      fc.property(
        anyZone,
        fc.integer({ min: 1990, max: 2040 }),
        fc.integer({ min: -180, max: 180 }),
        (zone, year, minutes) => {
          for (const { at, before, after } of transitionsBetween(zone, Date.UTC(year, 0), Date.UTC(year + 1, 0))) {
            const local = at + before + minutes * 60_000;
            const isSkipped = local >= at + before && local < at + after;
            expect(toWall(zone, toInstant(zone, local)) === local, `${zone} ${local}`).toBe(!isSkipped);
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});
