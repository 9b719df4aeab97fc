import { afterEach, describe, expect, it } from 'vitest';
import { readTime } from '../../../src/services/lifecycle/read-time.ts';

describe('a time in a query', () => {
  const zone = process.env.TZ;
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  it.each([
    ['2026-03-10', '2026-03-10T00:00:00.000Z'],
    ['2026-03-10T01:30', '2026-03-10T01:30:00.000Z'],
    ['2026-03-10T01:30:00.5', '2026-03-10T01:30:00.500Z'],
    ['2026-03-10t01:30:00z', '2026-03-10T01:30:00.000Z'],
    ['2026-03-10T01:30:00+02:00', '2026-03-09T23:30:00.000Z'],
    ['2026-03-10T01:30:00 02:00', '2026-03-09T23:30:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s is %s, wherever the jar is', (text, expected) => {
    process.env.TZ = 'America/New_York';
    expect(new Date(readTime('start', text)).toISOString()).toBe(expected);
  });

  it.each([
    '',
    'now',
    '1773144000',
    '2026-13-01',
    '2026-03-10 (noon)',
    '2026-03-10T25:00:00Z',
    '9999-12-31T23:59:59-23:59',
    '0000-01-01T00:00:00+23:59',
    '+012026-03-10',
  ])('is not %j', (text) => {
    expect(() => readTime('start', text)).toThrow(/'start' must be an ISO 8601 date/);
  });
});
