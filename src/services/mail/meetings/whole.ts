import { isMaster } from '../calendar/content.ts';
import type { CalendarEvent } from '../calendar/types.ts';
import { createEvent, removeEvent, updateEvent } from '../calendar/write.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { MeetingMessage } from '../messages/types.ts';
import { formatDate } from '../zones/wall.ts';
import { putCalendarAttachments } from './attachments.ts';
import { changesOf, NO_CHANGES, requestTypeOf } from './changes.ts';
import { eventFor, eventsOfMeeting, isLone } from './events.ts';
import { dayOfTime, exceptionFrom, seriesFrom, type TimedComponent } from './from-calendar.ts';
import { eventFrom, givenBy, updated } from './invited-event.ts';
import { dayOfLone, joinSeries, type Override } from './join.ts';
import { type MeetingMail, versionOf } from './meeting-mail.ts';
import { receiveOccurrence } from './occurrence.ts';
import { type Link, outdateRequests, relinkMessages } from './outdate.ts';
import { ageOf, compare, meetingRecord, recordMeeting, WHOLE } from './records.ts';
import { requestMessage } from './request-message.ts';
import { endedBefore, splitSeries } from './split.ts';
import type { Latest, MeetingRecord, Version } from './types.ts';

/** A request about a meeting as a whole: a single event, or a series with those of its occurrences that differ. */
export async function receiveWhole(
  writer: MailboxWriter,
  mail: MeetingMail,
  main: TimedComponent,
  others: readonly TimedComponent[],
): Promise<MeetingMessage> {
  const version = versionOf(main, mail.receivedAt);
  const all = await eventsOfMeeting(writer, main.uid);
  const record = await meetingRecord(writer.tx, writer.mailbox.id, main.uid);
  const age = ageOf(record, WHOLE, version);
  const known = record?.latest[WHOLE];
  const target = eventFor(all, undefined);
  const rules = seriesFrom(main, [], mail.body);
  const about = { main, version, mail, ...(rules && { series: rules }) };
  if (age === 'older' || (age === 'same' && known?.isCancelled))
    return requestMessage(writer, about, target, 'outdated', NO_CHANGES);
  if (age === 'same')
    return requestMessage(writer, about, target, known?.requestType ?? 'newMeetingRequest', NO_CHANGES);
  const isRevived = known?.isCancelled === true;
  const update = { component: main, mailBody: mail.body, series: rules, excluded: known?.excluded };
  const changes = changesOf(target, update);
  const requestType = requestTypeOf({ isFirst: !known, isRevived, changes });
  const whole: Latest = {
    ...version,
    isCancelled: false,
    requestType,
    ...(rules && { excluded: rules.cancelled }),
  };
  const joined = rules && {
    ...joinSeries({
      series: rules,
      start: main.start,
      isAllDay: main.isAllDay,
      subject: main.summary,
      whole,
      overrides: overridesOf(main, others, mail),
      before: target,
      lone: all.filter(isLone),
      record,
      isTimeChanged: changes.isTimeChanged,
    }),
  };
  const parts = await laterParts(writer, all, target, version);
  const next = parts[0];
  const series = joined && (next ? endedBefore(main, joined.series, formatDate(next.start.wall)) : joined.series);
  const given = eventFrom(writer, { ...about, ...(series && { series }) });
  const event = target
    ? await updateEvent(writer, target, updated(target, given, changes.isTimeChanged || isRevived))
    : await createEvent(writer, given);
  if (!target) await putCalendarAttachments(writer, event.uid, main);
  if (joined) await absorbLone(writer, event, all.filter(isLone), record);
  await recordMeeting(writer, main.uid, joined ? joined.latest : { ...record?.latest, [WHOLE]: whole });
  await outdateRequests(writer, main.uid, (earlier) =>
    earlier.occurrence === undefined ? compare(earlier, version) < 0 : earlier.sequence < version.sequence,
  );
  for (const other of others)
    if (other.recurrenceId?.thisAndFuture) await receiveOccurrence(writer, mail, other, other.recurrenceId);
  return requestMessage(writer, about, event, requestType, changes);
}

/** The occurrences that the mail brings beside the series. */
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

/** Of a series that was split, the parts that are newer than the mail stay; the others are in the series again. */
async function laterParts(
  writer: MailboxWriter,
  all: readonly CalendarEvent[],
  target: CalendarEvent | undefined,
  version: Version,
): Promise<readonly CalendarEvent[]> {
  const kept: CalendarEvent[] = [];
  const links = new Map<string, Link>();
  for (const part of all) {
    if (part === target || !target || isLone(part)) continue;
    if (compare(part, version) > 0) {
      kept.push(part);
      continue;
    }
    await removeEvent(writer, part);
    links.set(part.uid, { event: target.uid });
  }
  if (target) await relinkMessages(writer, target.iCalUid, links);
  return kept;
}

/** Occurrences that came before their series are part of it now. */
async function absorbLone(
  writer: MailboxWriter,
  series: CalendarEvent,
  lone: readonly CalendarEvent[],
  record: MeetingRecord | undefined,
): Promise<void> {
  let last = series;
  const links = new Map<string, Link>();
  for (const event of lone) {
    const day = dayOfLone(event, series.start, record);
    const known = record?.latest[event.loneOccurrence ?? ''];
    const isRest = known?.slot?.thisAndFuture && known.sequence >= series.sequence;
    const into = isRest && isMaster(last) ? await splitSeries(writer, last, day, givenBy(event)) : series;
    if (into !== series) last = into;
    await removeEvent(writer, event);
    links.set(event.uid, { event: into.uid, occurrence: day });
  }
  await relinkMessages(writer, series.iCalUid, links);
}
