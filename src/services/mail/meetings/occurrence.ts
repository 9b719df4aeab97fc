import { isMaster, type Master, seriesOf } from '../calendar/content.ts';
import type { CalendarEvent } from '../calendar/types.ts';
import { createEvent, updateEvent } from '../calendar/write.ts';
import type { RecurrenceId } from '../ical/types.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { MeetingMessage } from '../messages/types.ts';
import { addAttachments, replaceAttachments } from './attachments.ts';
import { recordOf } from './authority.ts';
import { changesOf, type MeetingChanges, NO_CHANGES, requestTypeOf, type Update } from './changes.ts';
import { eventFor, eventsOfMeeting } from './events.ts';
import { dayOfTime, exceptionFrom, type TimedComponent } from './from-calendar.ts';
import { eventFrom, NOT_RESPONDED, updated } from './invited-event.ts';
import { MOST_OCCURRENCES, type RequestMail, versionOf } from './meeting-mail.ts';
import { outdateRequests } from './outdate.ts';
import { ageOf, compare, meetingRecord, recordMeeting } from './records.ts';
import { type AboutMeeting, plainRequestMessage, requestMessage } from './request-message.ts';
import { slotTest } from './slots.ts';
import { splitSeries } from './split.ts';

/**
 * Processes a request about one occurrence, or about it and all that follow. It can arrive before its series, or without a series at all.
 */
export async function receiveOccurrence(
  writer: MailboxWriter,
  mail: RequestMail,
  main: TimedComponent,
  slot: RecurrenceId,
): Promise<MeetingMessage> {
  const version = versionOf(main, mail.receivedAt);
  const all = await eventsOfMeeting(writer.tx, writer.mailbox.id, main.uid);
  const day = dayIn(all, slot);
  const target = eventFor(all, day);
  const record = await meetingRecord(writer.tx, writer.mailbox.id, main.uid);
  const age = ageOf(record, day, version, () => isSlotIn(target, slot));
  const known = record?.latest[day];
  const update = { day, component: main, mailBody: mail.body };
  const about = { main, day, version, mail, isRegular: isRegular(target, update) };
  // The later part of a split series is newer than its first part.
  const isOlder = age === 'older' || (target !== undefined && isMaster(target) && version.sequence < target.sequence);
  if (isOlder || (age === 'same' && known?.isCancelled))
    return requestMessage(writer, about, target, 'outdated', NO_CHANGES);
  if (age === 'same')
    return requestMessage(writer, about, target, known?.requestType ?? 'newMeetingRequest', NO_CHANGES);
  if (!mail.mayChange) return plainRequestMessage(about, target);
  // Either the occurrence or the whole series had been cancelled.
  const isRevived = known?.isCancelled === true || target?.isCancelled === true;
  const changes = changesOf(target, update);
  const requestType = requestTypeOf({ isFirst: !target && !known, isRevived, changes });
  const hasRoom = target !== undefined || all.length < MOST_OCCURRENCES;
  const event = hasRoom ? await store(writer, about, target, slot, changes, isRevived) : undefined;
  await recordMeeting(writer, recordOf(main, mail), {
    ...record?.latest,
    [day]: { ...version, isCancelled: false, requestType, slot },
  });
  await outdateRequests(
    writer,
    mail,
    main.uid,
    (earlier) =>
      (earlier.occurrence === day && compare(earlier, version) < 0) ||
      (slot.thisAndFuture && (earlier.occurrence ?? '') > day && earlier.sequence < version.sequence),
  );
  return requestMessage(writer, about, event, requestType, changes);
}

function isRegular(event: CalendarEvent | undefined, update: Update): boolean {
  if (!event || !isMaster(event)) return false;
  const regular = { ...event, series: { ...event.series, exceptions: {} } };
  const { isTimeChanged, isContentChanged } = changesOf(regular, update);
  return !isTimeChanged && !isContentChanged;
}

/** The day of an occurrence, in the zone of its series if the series is known. */
export function dayIn(all: readonly CalendarEvent[], slot: RecurrenceId): string {
  const series = all.find(isMaster);
  return dayOfTime(slot, series?.start ?? slot.time);
}

/** True if the rules of the series still have the start that the mail names. */
export const isSlotIn = (event: CalendarEvent | undefined, slot: RecurrenceId | undefined): boolean =>
  !event || !slot || !isMaster(event) || slotTest(seriesOf(event), [slot])(slot);

async function store(
  writer: MailboxWriter,
  about: AboutMeeting & { readonly day: string },
  target: CalendarEvent | undefined,
  slot: RecurrenceId,
  changes: MeetingChanges,
  isRevived: boolean,
): Promise<CalendarEvent> {
  const { main, day, mail } = about;
  const isAskedAgain = changes.isTimeChanged || isRevived;
  if (target && isMaster(target)) {
    const stored = slot.thisAndFuture
      ? await splitSeries(writer, target, day, eventFrom(writer, about))
      : await storeException(writer, about, target, isAskedAgain);
    return addAttachments(writer, stored, main, mail);
  }
  const given = eventFrom(writer, about);
  const event = target
    ? await updateEvent(writer, target, updated(target, given, isAskedAgain))
    : await createEvent(writer, given);
  return replaceAttachments(writer, event, [main], mail);
}

function storeException(
  writer: MailboxWriter,
  { main, day, mail, version }: AboutMeeting & { readonly day: string },
  { series, ...event }: Master,
  isAskedAgain: boolean,
): Promise<CalendarEvent> {
  const own = {
    ...series.exceptions[day],
    ...exceptionFrom(main, mail.body),
    ...version,
    isCancelled: false,
    ...(isAskedAgain && { response: NOT_RESPONDED, showAs: 'tentative' as const }),
  };
  const exceptions = { ...series.exceptions, [day]: own };
  const cancelled = series.cancelled.filter((each) => each !== day);
  return updateEvent(writer, { ...event, series }, { series: { ...series, exceptions, cancelled } });
}
