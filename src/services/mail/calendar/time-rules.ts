import { DAY_MS } from '../../../kernel/time/index.ts';
import { errors } from '../errors.ts';
import { isSameZone } from '../zones/names.ts';
import { timeOfDay } from '../zones/wall.ts';
import { instantOf, type Times } from './times.ts';

const invalid = (target: string, reason: string): Error =>
  errors.ErrorPropertyValidationFailure({ reason }, { target });

/** Property names in error messages. */
const OF_EVENT = { start: 'start', end: 'end' };

/** The end is not before the start; both may be equal. All-day events are whole days in one zone. */
export function checkTimes({ start, end, isAllDay }: Times, { start: from, end: to } = OF_EVENT): void {
  if (!isAllDay) {
    if (instantOf(end) < instantOf(start)) throw invalid(to, `The property '${to}' is before the property '${from}'.`);
    return;
  }
  for (const [target, { wall }] of [[from, start] as const, [to, end] as const])
    if (timeOfDay(wall) !== 0)
      throw invalid(target, `The property '${target}' of an all-day event needs to be set to midnight.`);
  if (!isSameZone(start.zone, end.zone))
    throw invalid(to, `The properties '${from}' and '${to}' of an all-day event need to be in the same time zone.`);
  if (end.wall - start.wall < DAY_MS)
    throw invalid(to, 'The duration of an event marked as all day must be at least 24 hours.');
}
