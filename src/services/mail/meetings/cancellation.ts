import { contentAt } from '../calendar/content.ts';
import type { CalendarEvent } from '../calendar/types.ts';
import { updateEvent } from '../calendar/write.ts';
import type { CalendarComponent } from '../ical/types.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { placeNamed } from '../messages/location.ts';
import type { MeetingMessage } from '../messages/types.ts';
import { eventFor, eventsOfMeeting } from './events.ts';
import { dayOfTime } from './from-calendar.ts';
import { type MeetingMail, versionOf } from './meeting-mail.ts';
import { outdateRequests } from './outdate.ts';
import { ageOf, meetingRecord, recordMeeting, type Version, WHOLE } from './records.ts';

export const CANCELED = 'Canceled: ';

/**
 * METHOD:CANCEL. The event stays in the calendar as cancelled until its owner removes it. One that arrives before its request is recorded, so that the
 * request is out of date when it comes.
 */
export async function receiveCancellation(
  writer: MailboxWriter,
  mail: MeetingMail,
): Promise<MeetingMessage | undefined> {
  const [main] = mail.object.components;
  if (!main) return undefined;
  const all = await eventsOfMeeting(writer, main.uid);
  const whole = eventFor(all, undefined);
  // The organizer does not learn of cancellations by mail.
  if (whole?.isOrganizer) return cancelledMessage(main, mail, versionOf(main, mail.receivedAt), undefined, whole, true);
  let event = whole;
  let isOutOfDate = false;
  let day: string | undefined;
  for (const component of mail.object.components) {
    const version = versionOf(component, mail.receivedAt);
    const at = component.recurrenceId;
    day = at && dayOfTime(at, whole?.series ? whole.start : at.time);
    const record = await meetingRecord(writer.tx, writer.mailbox.id, main.uid);
    const age = ageOf(record, day ?? WHOLE, version);
    if (age === 'older') {
      isOutOfDate = true;
      continue;
    }
    const target = eventFor(await eventsOfMeeting(writer, main.uid), day);
    if (target) event = await cancelled(writer, target, day, version);
    await recordMeeting(writer, main.uid, record, day ?? WHOLE, { ...version, isCancelled: true, requestType: 'none' });
    await outdateRequests(writer, main.uid, day, { ...version, stamp: version.stamp + 1 });
  }
  return cancelledMessage(main, mail, versionOf(main, mail.receivedAt), day, event, isOutOfDate);
}

function cancelled(
  writer: MailboxWriter,
  event: CalendarEvent,
  day: string | undefined,
  { sequence, stamp }: Version,
): Promise<CalendarEvent> {
  if (day === undefined || !event.series) {
    const subject = prefixed(event.subject);
    return updateEvent(writer, event, { isCancelled: true, subject, showAs: 'free', sequence, stamp });
  }
  const { exceptions } = event.series;
  const own = {
    ...exceptions[day],
    isCancelled: true,
    subject: prefixed((contentAt(event, day) ?? event).subject),
    showAs: 'free' as const,
    sequence,
    stamp,
  };
  return updateEvent(writer, event, { series: { ...event.series, exceptions: { ...exceptions, [day]: own } } });
}

const prefixed = (subject: string): string => (subject.startsWith(CANCELED) ? subject : `${CANCELED}${subject}`);

function cancelledMessage(
  component: CalendarComponent,
  mail: MeetingMail,
  version: Version,
  day: string | undefined,
  event: CalendarEvent | undefined,
  isOutOfDate: boolean,
): MeetingMessage {
  const start = component.start ?? event?.start;
  const end = component.end ?? event?.end;
  const isSeries = day === undefined && (component.rules.length > 0 || event?.series !== undefined);
  return {
    kind: 'eventMessage',
    messageType: mail.object.method === 'CANCEL' ? 'meetingCancelled' : 'none',
    ...(start && { start }),
    ...(end && { end }),
    isAllDay: component.start ? component.isAllDay : (event?.isAllDay ?? false),
    isDelegated: false,
    isOutOfDate,
    location: component.location === '' && event ? event.location : placeNamed(component.location),
    ...(isSeries && event?.series?.recurrence && { recurrence: event.series.recurrence }),
    type: day !== undefined ? 'exception' : isSeries ? 'seriesMaster' : 'singleInstance',
    uid: component.uid,
    ...(day !== undefined && { occurrence: day }),
    ...version,
    ...(event && { event: event.uid }),
  };
}
