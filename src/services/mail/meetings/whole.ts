import type { CalendarEvent, EventSeries } from '../calendar/types.ts';
import { createEvent, updateEvent } from '../calendar/write.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { MeetingMessage } from '../messages/types.ts';
import { formatDate } from '../zones/wall.ts';
import { replaceAttachments } from './attachments.ts';
import { recordOf } from './authority.ts';
import { changesOf, NO_CHANGES, requestTypeOf } from './changes.ts';
import { eventFor, eventsOfMeeting, isLoneOccurrence } from './events.ts';
import { dayOfTime, exceptionFrom, seriesFrom, type TimedComponent } from './from-calendar.ts';
import { eventFrom, updated } from './invited-event.ts';
import { joinSeries, type Override } from './join.ts';
import { type MeetingMail, type RequestMail, versionOf } from './meeting-mail.ts';
import { keepNewerParts, mergeLoneOccurrences } from './merge-occurrences.ts';
import { receiveOccurrence } from './occurrence.ts';
import { outdateRequests } from './outdate.ts';
import { ageOf, compare, meetingRecord, recordMeeting, WHOLE } from './records.ts';
import { type AboutMeeting, plainRequestMessage, requestMessage } from './request-message.ts';
import { endedBefore } from './split.ts';
import type { Latest, MeetingRecord } from './types.ts';

/** Processes a request about a whole meeting: a single event, or a series with its exceptions. */
export async function receiveWhole(
  writer: MailboxWriter,
  mail: RequestMail,
  main: TimedComponent,
  others: readonly TimedComponent[],
): Promise<MeetingMessage> {
  const version = versionOf(main, mail.receivedAt);
  const all = await eventsOfMeeting(writer.tx, writer.mailbox.id, main.uid);
  const record = await meetingRecord(writer.tx, writer.mailbox.id, main.uid);
  const age = ageOf(record, WHOLE, version);
  const known = record?.latest[WHOLE];
  const target = eventFor(all, undefined);
  const series = seriesFrom(main, [], mail.body);
  const about = { main, version, mail, ...(series && { series }) };
  if (age === 'older' || (age === 'same' && known?.isCancelled))
    return requestMessage(writer, about, target, 'outdated', NO_CHANGES);
  if (age === 'same')
    return requestMessage(writer, about, target, known?.requestType ?? 'newMeetingRequest', NO_CHANGES);
  if (!mail.mayChange) return plainRequestMessage(about, target);
  const isRevived = known?.isCancelled === true;
  const update = { component: main, mailBody: mail.body, series, excluded: known?.excluded };
  const changes = changesOf(target, update);
  const requestType = requestTypeOf({ isFirst: !known, isRevived, changes });
  const isAskedAgain = changes.isTimeChanged || isRevived;
  const excluded = series && { excluded: series.cancelled };
  const whole: Latest = { ...version, isCancelled: false, requestType, ...excluded };
  const joined =
    series &&
    joinSeries({
      series,
      start: main.start,
      isAllDay: main.isAllDay,
      subject: main.summary,
      whole,
      overrides: overridesOf(main, others, mail),
      before: target,
      lone: all.filter(isLoneOccurrence),
      record,
      isTimeChanged: changes.isTimeChanged,
    });
  const event = await store(writer, about, {
    all,
    target,
    record,
    series: joined?.series,
    isAskedAgain,
    others,
  });
  await recordMeeting(writer, recordOf(main, mail), joined ? joined.latest : { ...record?.latest, [WHOLE]: whole });
  await outdateRequests(writer, mail, main.uid, (earlier) =>
    earlier.occurrence === undefined ? compare(earlier, version) < 0 : earlier.sequence < version.sequence,
  );
  for (const other of others)
    if (other.recurrenceId?.thisAndFuture) await receiveOccurrence(writer, mail, other, other.recurrenceId);
  return requestMessage(writer, about, event, requestType, changes);
}

interface Storing {
  /** The events of the meeting in the calendar; `target` is the single event or the series among them. */
  readonly all: readonly CalendarEvent[];
  readonly target: CalendarEvent | undefined;
  readonly record: MeetingRecord | undefined;
  /** Merged with all known facts about its occurrences. */
  readonly series: EventSeries | undefined;
  readonly isAskedAgain: boolean;
  /** The exceptions in the mail. */
  readonly others: readonly TimedComponent[];
}

async function store(
  writer: MailboxWriter,
  about: AboutMeeting,
  { all, target, record, series, isAskedAgain, others }: Storing,
): Promise<CalendarEvent> {
  const { main, version } = about;
  const [next] = await keepNewerParts(writer, all, target, version);
  const own = series && next ? endedBefore(main, series, formatDate(next.start.wall)) : series;
  const given = eventFrom(writer, { ...about, ...(own && { series: own }) });
  const stored = target
    ? await updateEvent(writer, target, updated(target, given, isAskedAgain))
    : await createEvent(writer, given);
  const event = await replaceAttachments(writer, stored, [main, ...others], about.mail);
  return series ? mergeLoneOccurrences(writer, event, all.filter(isLoneOccurrence), record) : event;
}

/** The exceptions in the mail, in addition to the series. */
const overridesOf = (
  { start }: TimedComponent,
  others: readonly TimedComponent[],
  mail: MeetingMail,
): readonly Override[] =>
  others.flatMap((component) => {
    const { recurrenceId: slot } = component;
    if (!slot || slot.thisAndFuture) return [];
    const version = versionOf(component, mail.receivedAt);
    const latest = { ...version, isCancelled: false, requestType: 'informationalUpdate' as const, slot };
    return { day: dayOfTime(slot, start), exception: { ...exceptionFrom(component, mail.body), ...version }, latest };
  });
