import { DAY_MS } from '../../../kernel/time/index.ts';
import type { RecurrenceId } from '../ical/types.ts';
import { occurrences } from '../recurrence/expand.ts';
import type { Series } from '../recurrence/types.ts';
import { formatDate, parseDate } from '../zones/wall.ts';
import { toInstant } from '../zones/zone.ts';
import { dayOfTime } from './from-calendar.ts';

/**
 * Creates a test for starts that the rules of a series have. The rules are expanded once for all starts. If the expansion exceeds its
 * bound, every start counts as present.
 */
export function slotTest(series: Series, asked: readonly RecurrenceId[]): (slot: RecurrenceId) => boolean {
  const zoned = { wall: series.start, zone: series.zone };
  const days = asked.flatMap((slot) => parseDate(dayOfTime(slot, zoned)) ?? []);
  const instants = new Set<number>();
  const dates = new Set<string>();
  if (days.length === 0) return () => true;
  const from = days.reduce((least, day) => Math.min(least, day));
  const to = days.reduce((most, day) => Math.max(most, day)) + DAY_MS;
  const found = occurrences(series, { from, to });
  for (const wall of found) {
    instants.add(toInstant(series.zone, wall));
    dates.add(formatDate(wall));
  }
  if (found.isIncomplete) return () => true;
  return (slot) =>
    slot.isDate ? dates.has(dayOfTime(slot, zoned)) : instants.has(toInstant(slot.time.zone, slot.time.wall));
}
