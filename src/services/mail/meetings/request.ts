import type { CalendarEvent, EventContent, EventSeries } from '../calendar/types.ts';
import { createEvent, updateEvent } from '../calendar/write.ts';
import type { CalendarComponent } from '../ical/types.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { EventType, MeetingMessage, MeetingRequestType } from '../messages/types.ts';
import { putCalendarAttachments } from './attachments.ts';
import { changesOf, type MeetingChanges, requestTypeOf } from './changes.ts';
import { eventFor, eventsOfMeeting } from './events.ts';
import {
  contentFrom,
  dayOfTime,
  exceptionFrom,
  intendedShowAs,
  isAnswerRequested,
  isTimed,
  seriesFrom,
  type TimedComponent,
} from './from-calendar.ts';
import { type MeetingMail, sameAddress, versionOf } from './meeting-mail.ts';
import { outdateRequests } from './outdate.ts';
import { ageOf, meetingRecord, recordMeeting, type Version, WHOLE } from './records.ts';
import { splitSeries } from './split.ts';

/** METHOD:REQUEST: an invitation, or an update of one. */
export async function receiveRequest(writer: MailboxWriter, mail: MeetingMail): Promise<MeetingMessage | undefined> {
  const { components } = mail.object;
  const main = components[0];
  if (!main || !isTimed(main)) return undefined;
  const isOwn = main.organizer !== undefined && sameAddress(main.organizer.address, writer.mailbox.address);
  if (isOwn) return ownRequest(writer, main, mail);
  const all = await eventsOfMeeting(writer, main.uid);
  const version = versionOf(main, mail.receivedAt);
  const before = eventFor(all, undefined);
  const day = main.recurrenceId
    ? dayOfTime(main.recurrenceId, before?.series ? before.start : main.recurrenceId.time)
    : undefined;
  const record = await meetingRecord(writer.tx, writer.mailbox.id, main.uid);
  const age = ageOf(record, day ?? WHOLE, version);
  const target = eventFor(all, day);
  const about = { main, day, version, mail };
  if (age === 'older') return requestMessage(writer, about, target, 'outdated', NOTHING);
  if (age === 'same' && target) {
    const type = record?.latest[day ?? WHOLE]?.requestType ?? 'newMeetingRequest';
    return requestMessage(writer, about, target, type, NOTHING);
  }
  const isRevived = record?.latest[day ?? WHOLE]?.isCancelled === true;
  const changes = changesOf(target, day, main, seriesOf(mail, main));
  const type = requestTypeOf({
    isFirst: age === 'first' || (age === 'newer' && !target && !isRevived && !record?.latest[day ?? WHOLE]),
    isRevived,
    changes,
  });
  const event = await storeRequest(writer, about, target, changes);
  await recordMeeting(writer, main.uid, record, day ?? WHOLE, { ...version, isCancelled: false, requestType: type });
  await outdateRequests(writer, main.uid, day, version);
  return requestMessage(writer, about, event, type, changes);
}

interface About {
  readonly main: TimedComponent;
  readonly day: string | undefined;
  readonly version: Version;
  readonly mail: MeetingMail;
}

const NOTHING: MeetingChanges = {
  isTimeChanged: false,
  isContentChanged: false,
  isAttendeeAdded: false,
  isAttendeesChanged: false,
};

const seriesOf = ({ object, body }: MeetingMail, main: TimedComponent): EventSeries | undefined =>
  main.recurrenceId ? undefined : seriesFrom(main, object.components.slice(1).filter(isTimed), body);

/** The event is there at once, tentative, until it is answered. */
async function storeRequest(
  writer: MailboxWriter,
  about: About,
  target: CalendarEvent | undefined,
  changes: MeetingChanges,
): Promise<CalendarEvent> {
  const { main, day, mail, version } = about;
  if (day !== undefined && target?.series) {
    if (main.recurrenceId?.thisAndFuture)
      return splitSeries(writer, target, day, { ...eventFrom(writer, about), series: target.series });
    const own = {
      ...exceptionFrom(main, mail.body),
      isCancelled: false,
      ...(changes.isTimeChanged && { response: NOT_RESPONDED, showAs: 'tentative' as const }),
    };
    const { [day]: earlier, ...others } = target.series.exceptions;
    const exceptions = { ...others, [day]: { ...earlier, ...own } };
    const cancelled = target.series.cancelled.filter((each) => each !== day);
    return updateEvent(writer, target, { series: { ...target.series, exceptions, cancelled }, stamp: version.stamp });
  }
  const given = eventFrom(writer, about);
  if (!target) {
    const event = await createEvent(writer, given);
    await putCalendarAttachments(writer, event.uid, main);
    return event;
  }
  return updateEvent(writer, target, merged(target, given, changes));
}

const NOT_RESPONDED = { response: 'notResponded' } as const;

/** What belongs to the mailbox alone stays: categories, reminder, and the answer, unless the time has changed. */
function merged(
  before: CalendarEvent,
  given: ReturnType<typeof eventFrom>,
  changes: MeetingChanges,
): Partial<CalendarEvent> {
  const { categories, isReminderOn, reminderMinutes, hasAttachments } = before;
  const isAsked = changes.isTimeChanged || before.isCancelled;
  const answer = isAsked
    ? { response: NOT_RESPONDED, showAs: 'tentative' as const }
    : { response: before.response, showAs: before.showAs };
  const { series: _series, ...rest } = given;
  const series = given.series && {
    ...given.series,
    exceptions: { ...(changes.isTimeChanged ? {} : before.series?.exceptions), ...given.series.exceptions },
  };
  return { ...rest, categories, isReminderOn, reminderMinutes, hasAttachments, ...answer, isCancelled: false, series };
}

function eventFrom(writer: MailboxWriter, { main, day, mail, version }: About) {
  const { mailbox } = writer;
  const { organizer } = main;
  const from = mail.from ?? { name: '', address: '' };
  const content: EventContent = contentFrom(main, mail.body);
  return {
    ...content,
    responseRequested: isAnswerRequested(main, mailbox.address),
    calendar: mailbox.calendar,
    iCalUid: main.uid,
    isOrganizer: false,
    organizer: organizer ? { name: organizer.name || organizer.address, address: organizer.address } : from,
    response: NOT_RESPONDED,
    isCancelled: false,
    sequence: version.sequence,
    stamp: version.stamp,
    intendedShowAs: intendedShowAs(main),
    series: seriesOf(mail, main),
    ...(day !== undefined && { loneOccurrence: day }),
  };
}

function requestMessage(
  writer: MailboxWriter,
  { main, day, version, mail }: About,
  event: CalendarEvent | undefined,
  type: MeetingRequestType,
  { previousStart, previousEnd, previousLocation }: MeetingChanges,
): MeetingMessage {
  const content = contentFrom(main, mail.body);
  const series = seriesOf(mail, main);
  return {
    kind: 'eventMessageRequest',
    messageType: 'meetingRequest',
    start: main.start,
    end: main.end,
    isAllDay: main.isAllDay,
    isDelegated: isDelegated(main, writer.mailbox.address),
    isOutOfDate: type === 'outdated',
    location: content.location,
    ...(series?.recurrence && { recurrence: series.recurrence }),
    type: typeOf(series, day),
    uid: main.uid,
    ...(day !== undefined && { occurrence: day }),
    ...version,
    ...(event && { event: event.uid }),
    request: {
      type,
      allowNewTimeProposals: content.allowNewTimeProposals,
      responseRequested: isAnswerRequested(main, writer.mailbox.address),
      ...(previousStart && { previousStart }),
      ...(previousEnd && { previousEnd }),
      ...(previousLocation && { previousLocation }),
    },
  };
}

const typeOf = (series: EventSeries | undefined, day: string | undefined): EventType =>
  day !== undefined ? 'exception' : series ? 'seriesMaster' : 'singleInstance';

/** Somebody else was invited, and handed the invitation on to the owner of this mailbox. */
const isDelegated = ({ attendees }: CalendarComponent, address: string): boolean =>
  attendees.some((each) => sameAddress(each.address, address) && each.delegatedFrom.length > 0);

/** The owner's own meeting comes back, by a list or a rule: nothing happens to the calendar. */
async function ownRequest(writer: MailboxWriter, main: TimedComponent, mail: MeetingMail): Promise<MeetingMessage> {
  const event = eventFor(await eventsOfMeeting(writer, main.uid), undefined);
  const series = seriesOf(mail, main);
  return {
    kind: 'eventMessage',
    messageType: 'none',
    start: main.start,
    end: main.end,
    isAllDay: main.isAllDay,
    isDelegated: false,
    isOutOfDate: false,
    location: contentFrom(main, mail.body).location,
    ...(series?.recurrence && { recurrence: series.recurrence }),
    type: typeOf(series, main.recurrenceId && dayOfTime(main.recurrenceId, main.recurrenceId.time)),
    uid: main.uid,
    ...versionOf(main, mail.receivedAt),
    ...(event && { event: event.uid }),
  };
}
