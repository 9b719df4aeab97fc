import { contentAt, isMaster, type Master } from '../calendar/content.ts';
import type { CalendarEvent, EventException } from '../calendar/types.ts';
import { type GivenEvent, updateEvent } from '../calendar/write.ts';
import type { CalendarComponent } from '../ical/types.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { placeNamed } from '../messages/location.ts';
import type { MeetingMessage } from '../messages/types.ts';
import { formatDate } from '../zones/wall.ts';
import { mayChangeMeeting, recordOf } from './authority.ts';
import { eventFor, eventsOfMeeting } from './events.ts';
import { cancelledException, withoutIdentity } from './invited-event.ts';
import { type MeetingMail, MOST_OCCURRENCES, sameAddress, versionOf } from './meeting-mail.ts';
import { dayIn, isSlotIn } from './occurrence.ts';
import { outdateRequests } from './outdate.ts';
import { ageOf, compare, meetingRecord, recordMeeting, WHOLE } from './records.ts';
import { splitSeries } from './split.ts';
import { withoutPrefix, withPrefix } from './subjects.ts';
import type { Version } from './types.ts';

/**
 * Processes METHOD:CANCEL. The event stays in the calendar as cancelled until its owner removes it. A cancellation that arrives before its
 * request is recorded, so that the request is out of date when it arrives.
 */
export async function receiveCancellation(
  writer: MailboxWriter,
  mail: MeetingMail,
): Promise<MeetingMessage | undefined> {
  const [main] = mail.object.components;
  if (!main) return undefined;
  const all = await eventsOfMeeting(writer.tx, writer.mailbox.id, main.uid);
  const first = main.recurrenceId && dayIn(all, main.recurrenceId);
  // Mail cannot cancel the organizer's own meeting.
  if (all.some(({ isOrganizer }) => isOrganizer))
    return cancelledMessage(main, mail, first, eventFor(all, undefined), true);
  if (isForOthers(main, writer.mailbox.address))
    return cancelledMessage(main, mail, first, eventFor(all, first), false);
  if (!(await mayChangeMeeting(writer, mail, main)))
    return { ...cancelledMessage(main, mail, first, eventFor(all, first), false), messageType: 'none' };
  let isOutOfDate = false;
  for (const component of mail.object.components.slice(0, MOST_OCCURRENCES))
    if ((await cancelComponent(writer, component, mail)) === 'outdated') isOutOfDate = true;
  const after = await eventsOfMeeting(writer.tx, writer.mailbox.id, main.uid);
  return cancelledMessage(main, mail, first, eventFor(after, first), isOutOfDate);
}

/** Without STATUS:CANCELLED, the meeting goes on without the attendees that the mail lists (RFC 5546, section 3.2.5). */
const isForOthers = ({ status, attendees }: CalendarComponent, address: string): boolean =>
  status !== 'CANCELLED' && attendees.length > 0 && !attendees.some((each) => sameAddress(each.address, address));

async function cancelComponent(
  writer: MailboxWriter,
  component: CalendarComponent,
  mail: MeetingMail,
): Promise<'outdated' | 'done'> {
  const { uid, recurrenceId: slot } = component;
  const version = versionOf(component, mail.receivedAt);
  const all = await eventsOfMeeting(writer.tx, writer.mailbox.id, uid);
  const day = slot && dayIn(all, slot);
  const record = await meetingRecord(writer.tx, writer.mailbox.id, uid);
  const target = eventFor(all, day);
  if (ageOf(record, day ?? WHOLE, version, () => isSlotIn(target, slot)) === 'older') return 'outdated';
  // Occurrences without their series, and parts of a split series, can be newer than the mail.
  const covered = all.filter((event) => compare(event, version) <= 0);
  if (day === undefined) for (const event of covered) await cancelWhole(writer, event, version);
  else if (target && isMaster(target)) {
    const rest = slot?.thisAndFuture ? covered.filter((event) => isMaster(event) && startDay(event) > day) : [];
    for (const event of rest) await cancelWhole(writer, event, version);
    if (slot?.thisAndFuture)
      await cancelWhole(writer, await splitSeries(writer, target, day, startingOn(target, day)), version);
    else await cancelOccurrence(writer, target, day, version);
  } else if (target) await cancelWhole(writer, target, version);
  await recordMeeting(writer, recordOf(component, mail), {
    ...record?.latest,
    [day ?? WHOLE]: { ...version, isCancelled: true, requestType: 'none', ...(slot && { slot }) },
  });
  await outdateRequests(
    writer,
    mail,
    uid,
    (earlier) => compare(earlier, version) <= 0 && (day === undefined || earlier.occurrence === day),
  );
  return 'done';
}

const startDay = ({ start }: CalendarEvent): string => formatDate(start.wall);

/** The event as if it began with the occurrence of a day. */
function startingOn(event: Master, day: string): GivenEvent {
  const { start, end } = contentAt({ ...event, series: { ...event.series, exceptions: {} } }, day);
  return { ...withoutIdentity(event), start, end };
}

/** Cancels an event, with the exceptions of a series that are not newer than the cancellation. */
function cancelWhole(writer: MailboxWriter, event: CalendarEvent, version: Version): Promise<CalendarEvent> {
  const { series, subject, showAs } = event;
  const { sequence, stamp } = version;
  const exceptions = Object.entries(series?.exceptions ?? {}).map(([day, exception]): [string, EventException] => {
    const isNewer = compare({ sequence: exception.sequence ?? 0, stamp: exception.stamp ?? 0 }, version) > 0;
    if (exception.isCancelled) return [day, exception];
    if (isNewer) return [day, { isCancelled: false, showAs: event.isCancelled ? 'tentative' : showAs, ...exception }];
    return [day, cancelledException(exception, subject)];
  });
  return updateEvent(writer, event, {
    isCancelled: true,
    subject: withPrefix(subject),
    showAs: 'free',
    sequence,
    stamp,
    ...(series && { series: { ...series, exceptions: Object.fromEntries(exceptions) } }),
  });
}

function cancelOccurrence(
  writer: MailboxWriter,
  event: CalendarEvent,
  day: string,
  version: Version,
): Promise<CalendarEvent> {
  const { series } = event;
  if (!series) return Promise.resolve(event);
  const own = cancelledException(series.exceptions[day], withoutPrefix(contentAt(event, day).subject), version);
  return updateEvent(writer, event, { series: { ...series, exceptions: { ...series.exceptions, [day]: own } } });
}

function cancelledMessage(
  component: CalendarComponent,
  mail: MeetingMail,
  day: string | undefined,
  event: CalendarEvent | undefined,
  isOutOfDate: boolean,
): MeetingMessage {
  const content = event && contentAt(event, day);
  const start = component.start ?? content?.start;
  const end = component.end ?? content?.end;
  const isSeries = day === undefined && (component.rules.length > 0 || event?.series !== undefined);
  return {
    kind: 'eventMessage',
    messageType: 'meetingCancelled',
    ...(start && { start }),
    ...(end && { end }),
    isAllDay: component.start ? component.isAllDay : (content?.isAllDay ?? false),
    isDelegated: false,
    isOutOfDate,
    location: component.location === '' && content ? content.location : placeNamed(component.location),
    ...(isSeries && event?.series?.recurrence && { recurrence: event.series.recurrence }),
    type: day !== undefined ? 'exception' : isSeries ? 'seriesMaster' : 'singleInstance',
    uid: component.uid,
    ...(day !== undefined && { occurrence: day }),
    ...versionOf(component, mail.receivedAt),
    ...(event && { event: event.uid }),
  };
}
