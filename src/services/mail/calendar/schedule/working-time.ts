import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../kernel/time/index.ts';
import type { MailboxSettings } from '../../mailbox/types.ts';
import { DAYS_OF_WEEK } from '../../recurrence/types.ts';
import { weekdayOf } from '../../zones/civil.ts';
import { dayOfWall, timeOfDay } from '../../zones/wall.ts';
import { toWall } from '../../zones/zone.ts';
import type { Span } from '../times.ts';

const WEEKEND: readonly string[] = ['saturday', 'sunday'];

/** True if a span is within the user's working hours on one day. `withWeekend` applies these hours to weekends too. */
export function isWorkingTime(
  hours: MailboxSettings['workingHours'],
  { from, to }: Span,
  withWeekend: boolean,
): boolean {
  const start = toWall(hours.zone, from);
  const end = toWall(hours.zone, to);
  const day: string = DAYS_OF_WEEK[weekdayOf(dayOfWall(start))] ?? '';
  const isDay = hours.daysOfWeek.includes(day) || (withWeekend && WEEKEND.includes(day));
  const length = timeOfDay(start) + (end - start);
  return isDay && timeOfDay(start) >= timeOf(hours.startTime) && length <= timeOf(hours.endTime);
}

/** `08:00:00.0000000` in milliseconds. */
function timeOf(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number);
  return hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS;
}
