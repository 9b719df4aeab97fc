import { errors } from '../errors.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { extrasOf } from '../messages/extras.ts';
import { crossesBoundary } from '../recurrence/neighbours.ts';
import { parseDate, timeOfDay, type Wall } from '../zones/wall.ts';
import { toWall } from '../zones/zone.ts';
import { withoutAnswers } from './changes.ts';
import { exceptionOf, isMaster, type Master, occurrenceOn, seriesOf, slotOf } from './content.ts';
import type { EventInput } from './input.ts';
import { isTimeChange, nextStamp, notifiesAll, notifyAttendees } from './invite.ts';
import { checkTimes } from './time-rules.ts';
import { instantOf } from './times.ts';
import type { CalendarEvent, EventContent, EventException, Occurrence } from './types.ts';
import { updateEvent } from './write.ts';

/** Changes one occurrence of a series and makes it an exception. */
export async function updateOccurrence(
  writer: MailboxWriter,
  event: CalendarEvent,
  day: string,
  changes: Partial<EventContent>,
  input: EventInput,
): Promise<Occurrence> {
  const before = isMaster(event) ? occurrenceOn(event, day) : undefined;
  if (!isMaster(event) || !before) throw errors.ErrorItemNotFound();
  if (input.recurrence !== undefined && input.recurrence !== null)
    throw errors.ErrorInvalidRequest(
      { reason: "The property 'recurrence' belongs to the series and cannot be set for one of its occurrences." },
      { target: 'recurrence' },
    );
  const isMoved = isTimeChange(changes);
  if (isMoved) {
    const content = { ...before, ...changes };
    checkTimes(content);
    checkNeighbours(event, before, content);
  }
  const extras = extrasOf(input, before);
  if (Object.keys(changes).length === 0 && Object.keys(extras).length === 0) return before;
  const { isOrganizer } = event;
  const told = isOrganizer && notifiesAll(changes);
  const attendees = changes.attendees ?? before.attendees;
  const after = await putException(writer, event, day, {
    ...changes,
    ...extras,
    ...(isMoved && { start: changes.start ?? before.start, end: changes.end ?? before.end }),
    ...(isOrganizer && isMoved && { attendees: withoutAnswers(attendees), sequence: before.sequence + 1 }),
    ...(isOrganizer && (told || changes.attendees) && { stamp: nextStamp(before, writer.now) }),
  });
  const shown = occurrenceIn(after, day);
  if (isOrganizer) await notifyAttendees(writer, { before, after: shown, event: after, day, notifiesAll: told });
  return shown;
}

/** Merges changes into the exception of an occurrence. */
export const putException = (
  writer: MailboxWriter,
  master: Master,
  day: string,
  changed: EventException,
): Promise<CalendarEvent> => {
  const { series } = master;
  const exceptions = { ...series.exceptions, [day]: { ...exceptionOf(master, day), ...changed } };
  return updateEvent(writer, master, { series: { ...series, exceptions } });
};

export function occurrenceIn(event: CalendarEvent, day: string): Occurrence {
  const occurrence = isMaster(event) ? occurrenceOn(event, day) : undefined;
  if (!occurrence) throw errors.ErrorItemNotFound();
  return occurrence;
}

/** An occurrence must stay between the current days of the occurrences before and after it. */
function checkNeighbours(master: Master, { slot }: Occurrence, moved: EventContent): void {
  const { zone } = master.start;
  const wallOf = ({ start, isAllDay }: EventContent): Wall =>
    isAllDay || start.zone === zone ? start.wall : toWall(zone, instantOf(start));
  const present = new Map<Wall, Wall>();
  for (const [day, { start }] of Object.entries(master.series.exceptions)) {
    const at = start && slotOf(master, day);
    if (start && at !== undefined) present.set(at, wallOf({ ...master, start }));
  }
  const exDates = master.series.cancelled.flatMap((day) => {
    const midnight = parseDate(day);
    return midnight === undefined ? [] : [midnight + timeOfDay(master.start.wall)];
  });
  if (crossesBoundary({ ...seriesOf(master), exDates }, slot, wallOf(moved), present))
    throw errors.ErrorOccurrenceCrossingBoundary(undefined, { target: 'start' });
}
