import { type Answer, ok } from '../../../kernel/http/index.ts';
import { changeForCaller } from '../api/change.ts';
import type { MailCall } from '../api/request.ts';
import { calendars } from '../collections.ts';
import { errors } from '../errors.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { extrasOf } from '../messages/extras.ts';
import { checkMatch } from '../messages/find.ts';
import { changesFrom, withoutAnswers } from './changes.ts';
import { eventEntity } from './entity.ts';
import { findEvent } from './find.ts';
import { type EventInput, eventInput } from './input.ts';
import {
  cancelExceptions,
  isTimeChange,
  nextStamp,
  notifiesAll,
  notifyAttendees,
  sendExceptionUpdates,
  stamped,
} from './invite.ts';
import { recurringFrom, startingAt } from './recurring.ts';
import { checkTimes } from './time-rules.ts';
import type { CalendarEvent, EventContent } from './types.ts';
import { updateOccurrence } from './update-occurrence.ts';
import { updateEvent } from './write.ts';

/** Changes an event, a series or one occurrence. If the caller is the organizer, the attendees are notified. */
export function patchEvent(call: MailCall): Promise<Answer> {
  const input = eventInput(call.json(), '');
  return changeForCaller(call, async (writer) => {
    const { event, day, item } = await findEvent(call, writer.tx);
    checkMatch(call, event);
    checkInput(event, item, input);
    const calendar = (await writer.tx.get(calendars, writer.key(event.calendar)))?.value;
    const provider = calendar?.defaultOnlineMeetingProvider ?? 'unknown';
    const changes = changesFrom(input, item, { organizer: event.organizer.address, provider, origin: call.origin });
    const changed =
      day === undefined
        ? await updateWhole(writer, event, changes, input)
        : await updateOccurrence(writer, event, day, changes, input);
    return ok(eventEntity(call, changed));
  });
}

function checkInput(event: CalendarEvent, { isAllDay }: EventContent, input: EventInput): void {
  const { transactionId } = input;
  if (transactionId && transactionId !== event.transactionId)
    throw errors.ErrorInvalidRequest(
      { reason: "The property 'transactionId' cannot be changed." },
      { target: 'transactionId' },
    );
  if (input.attachments && input.attachments.length > 0)
    throw errors.ErrorInvalidPropertySet(
      { property: 'attachments', reason: 'attachments of an event are added one by one' },
      { target: 'attachments' },
    );
  if (input.isAllDay && !isAllDay && (!input.start || !input.end))
    throw errors.ErrorPropertyValidationFailure(
      { reason: "The property 'isAllDay' can be set to true only together with 'start' and 'end'." },
      { target: 'isAllDay' },
    );
}

/** Changes a single event, or a series as a whole. */
async function updateWhole(
  writer: MailboxWriter,
  event: CalendarEvent,
  changes: Partial<EventContent>,
  input: EventInput,
): Promise<CalendarEvent> {
  const times = timesOf(event, changes, input);
  const isMoved = times !== undefined;
  const attendees = changes.attendees ?? event.attendees;
  const told = event.isOrganizer && (notifiesAll(changes) || isMoved);
  const isAsked = event.isOrganizer && (told || changes.attendees !== undefined);
  const stamp = nextStamp(event, writer.now);
  const after = await updateEvent(writer, event, {
    ...changes,
    ...extrasOf(input, event),
    ...(told && event.series && { series: stamped(event.series, stamp) }),
    ...times,
    ...(event.isOrganizer && changes.showAs && { intendedShowAs: changes.showAs }),
    ...(event.isOrganizer && isMoved && { attendees: withoutAnswers(attendees), sequence: event.sequence + 1 }),
    ...(isAsked && { stamp }),
    // Dismissed and snoozed reminders belong to the former time.
    ...(isMoved && { reminders: undefined }),
  });
  if (!event.isOrganizer) return after;
  if (isMoved) await cancelExceptions(writer, event, after);
  await notifyAttendees(writer, { before: event, after, event: after, notifiesAll: told });
  if (told) await sendExceptionUpdates(writer, after);
  return after;
}

type ChangedTimes = Pick<CalendarEvent, 'start' | 'end' | 'series'>;

/**
 * The new times of an event, or undefined if they do not change. A series with new times starts over, without its exceptions and deleted
 * occurrences.
 */
function timesOf(
  event: CalendarEvent,
  changes: Partial<EventContent>,
  { recurrence }: EventInput,
): ChangedTimes | undefined {
  const content = { ...event, ...changes };
  const isChanged = isTimeChange(changes);
  if (isChanged) checkTimes(content);
  const { start, end, isAllDay } = content;
  const { series } = event;
  // The start of a series is in the zone of its recurrence, whatever zone the client names for the start.
  const known = changes.start ? undefined : series?.recurrence?.range.recurrenceTimeZone;
  const zoneName = known ?? content.startZoneName;
  if (recurrence === null) return series || isChanged ? { start, end, series: undefined } : undefined;
  if (recurrence !== undefined) {
    const found = recurringFrom(recurrence, content, zoneName);
    const isSame =
      !isChanged &&
      JSON.stringify(found.series.recurrence) === JSON.stringify(series?.recurrence) &&
      found.start.wall === event.start.wall;
    return isSame ? undefined : found;
  }
  if (!isChanged) return undefined;
  if (!series) return { start, end, series: undefined };
  // An attendee's copy keeps the organizer's rules.
  if (!event.isOrganizer || !series.recurrence)
    return { start, end, series: { ...series, exceptions: {}, cancelled: [] } };
  const begun = startingAt(series.recurrence, start, event.start.zone, isAllDay);
  return recurringFrom(begun, content, zoneName);
}
