import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDuration, LONGEST_DURATION_MS, parseDuration } from '../../../src/kernel/time/duration.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('a duration', () => {
  test.each([
    ['36h', 36 * HOUR],
    ['PT36H', 36 * HOUR],
    ['3d', 3 * DAY],
    ['90s', 90 * SECOND],
    ['1h30m', 90 * MINUTE],
    ['500ms', 500],
    ['P1DT2H', 26 * HOUR],
    ['5m', 5 * MINUTE],
    ['1d12h30m15s250ms', DAY + 12 * HOUR + 30 * MINUTE + 15 * SECOND + 250],
    ['1.5h', 90 * MINUTE],
    ['PT0.5S', 500],
    ['P2W', 14 * DAY],
    ['PT1H30M', 90 * MINUTE],
    [' 1H ', HOUR],
    ['pt1m', MINUTE],
    ['0s', 0],
    ['365d', 365 * DAY],
    [1500, 1500],
    [0, 0],
    [1.4, 1],
  ])('%j is read', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test.each([
    '',
    ' ',
    'P',
    'PT',
    'P1DT',
    '1',
    '36',
    'h',
    '1y',
    '1h1h',
    '30m1h',
    '1h 30m',
    'P1Y',
    'P1M',
    'tomorrow',
    '1e3s',
    '١h',
  ])('%j is refused with the forms that are read', (text) => {
    expect(() => parseDuration(text)).toThrow(`'${text}' is not a duration; give a number of`);
  });

  test.each([
    [Number.NaN, 'NaN is not a duration'],
    [-1, '-1 is negative'],
    ['-1h', `'-1h' is not a duration`],
    [Number.POSITIVE_INFINITY, 'Infinity is more than 100 years'],
    [LONGEST_DURATION_MS + 1, 'is more than 100 years'],
    ['36526d', `'36526d' is more than 100 years`],
  ])('%j is refused with its reason', (value, reason) => {
    expect(() => parseDuration(value)).toThrow(reason);
    expect(() => parseDuration(value)).toThrow(expect.objectContaining({ code: 'BAD_DURATION' }));
  });

  test('of a hundred years is read', () => {
    expect(parseDuration('36525d')).toBe(LONGEST_DURATION_MS);
  });

  test('is written so that it is read back as the same', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: LONGEST_DURATION_MS }), (ms) => {
        expect(parseDuration(formatDuration(ms))).toBe(ms);
      }),
    );
  });

  test.each([
    [0, '0s'],
    [90, '90ms'],
    [36 * HOUR, '1d12h'],
    [61 * SECOND, '1m1s'],
  ])('of %j ms is written as %j', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});
