import { DAY_MS } from '../../../kernel/time/index.ts';
import { errors } from '../errors.ts';
import { isSameZone } from '../zones/names.ts';
import { timeOfDay } from '../zones/wall.ts';
import { instantOf, type Times } from './times.ts';

const invalid = (target: string, reason: string): Error =>
  errors.ErrorPropertyValidationFailure({ reason }, { target });

/** An event may last no time at all, but not less. All-day events are whole days of one zone. */
export function checkTimes({ start, end, isAllDay }: Times): void {
  if (!isAllDay) {
    if (instantOf(end) < instantOf(start)) throw invalid('end', "The property 'end' is before the property 'start'.");
    return;
  }
  for (const [target, { wall }] of [['start', start] as const, ['end', end] as const])
    if (timeOfDay(wall) !== 0)
      throw invalid(target, `The property '${target}' of an all-day event needs to be set to midnight.`);
  if (!isSameZone(start.zone, end.zone))
    throw invalid('end', "The properties 'start' and 'end' of an all-day event need to be in the same time zone.");
  if (end.wall - start.wall < DAY_MS)
    throw invalid('end', 'The duration of an event marked as all day must be at least 24 hours.');
}
