import { DAY_MS } from '../../../kernel/time/index.ts';
import type { RecurrenceId } from '../ical/types.ts';
import { occurrences } from '../recurrence/expand.ts';
import type { Series } from '../recurrence/types.ts';
import { formatDate, parseDate } from '../zones/wall.ts';
import { toInstant } from '../zones/zone.ts';
import { dayOfTime } from './from-calendar.ts';

/**
 * Tells which of some starts the rules of a series have. The rules are followed once for all of them; where they are too much work to follow to the
 * end, they count as having any.
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
