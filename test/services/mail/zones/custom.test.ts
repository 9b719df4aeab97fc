import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CustomRules,
  formatCustomZone,
  parseCustomZone,
  type YearlyChange,
} from '../../../../src/services/mail/zones/custom.ts';
import { offsetAt, toInstant, toWall } from '../../../../src/services/mail/zones/zone.ts';

const MINUTE = 60_000;

const weekday = fc.constantFrom<0 | 1 | 2 | 3 | 4 | 5 | 6>(0, 1, 2, 3, 4, 5, 6);
const time = fc.integer({ min: -48, max: 100 }).map((hours) => hours * 60 * MINUTE);
const change: fc.Arbitrary<YearlyChange> = fc.oneof(
  fc.record({
    day: fc.record({
      kind: fc.constant('weekday' as const),
      month: fc.integer({ min: 1, max: 12 }),
      week: fc.integer({ min: 1, max: 5 }),
      weekday,
    }),
    time,
  }),
  fc.record({
    day: fc.record({ kind: fc.constant('date' as const), yearDay: fc.integer({ min: 1, max: 365 }) }),
    time,
  }),
);
const offset = fc.integer({ min: -14 * 60, max: 14 * 60 }).map((minutes) => minutes * MINUTE);
const rules: fc.Arbitrary<CustomRules> = fc.oneof(
  fc.record({ standard: offset }),
  fc.record({ standard: offset, daylight: fc.record({ offset, begin: change, end: change }) }),
);

describe('a zone without a name', () => {
  test('is written and read again', () => {
    fc.assert(
      fc.property(rules, (given) => {
        expect(parseCustomZone(formatCustomZone(given))).toEqual(given);
      }),
    );
  });

  test('has offsets at any time, whatever its rules are', () => {
    fc.assert(
      fc.property(rules, fc.integer({ min: Date.UTC(1900, 0), max: Date.UTC(2200, 0) }), (given, instant) => {
        const zone = formatCustomZone(given);
        const allowed = [given.standard, given.daylight?.offset];
        expect(allowed).toContain(offsetAt(zone, instant));
        expect(Number.isFinite(toInstant(zone, toWall(zone, instant)))).toBe(true);
      }),
    );
  });

  test('has the offsets of a named zone with the same rules', () => {
    const berlin = 'posix:STD-1DST-2,M3.5.0/2,M10.5.0/3';
    const jerusalem = 'posix:STD-2DST-3,M3.4.4/26,M10.5.0/2';
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(2014, 0), max: Date.UTC(2036, 0) }), (instant) => {
        expect(offsetAt(berlin, instant)).toBe(offsetAt('Europe/Berlin', instant));
        expect(offsetAt(jerusalem, instant)).toBe(offsetAt('Asia/Jerusalem', instant));
      }),
    );
  });

  test.each(
    [
      'posix:',
      'posix:EST5EDT',
      'posix:STD5DST4',
      'posix:STD99',
      'posix:STD5DST4,M13.1.0,M11.1.0',
      'posix:STD5DST4,M3.6.0,M11.1.0',
      'posix:STD5DST4,J0,J366',
      'posix:STD5DST4,M3.2.0/999,M11.1.0',
      `posix:STD5${' '.repeat(1000)}`,
      'STD5',
    ].map((text) => [text.slice(0, 40), text] as const),
  )('"%s" is none', (_shown, text) => {
    expect(parseCustomZone(text)).toBeUndefined();
  });
});
