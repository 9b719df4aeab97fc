import { expect, test } from 'vitest';
import { dayOf, isoTime, startOfDay } from '../../../src/kernel/time/dates.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/kernel/time/units.ts';

test('times are written in UTC, days begin at its midnight', () => {
  const at = Date.UTC(2026, 2, 10, 23, 59, 59, 999);
  expect(isoTime(at)).toBe('2026-03-10T23:59:59.999Z');
  expect(dayOf(at)).toBe('2026-03-10');
  expect(dayOf(at + 1)).toBe('2026-03-11');
  expect(startOfDay('2026-03-11')).toBe(at + 1);
});

test('a day has 24 hours, an hour 60 minutes, a minute 60 seconds', () => {
  expect([SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS]).toEqual([1000, 60_000, 3_600_000, 86_400_000]);
});
