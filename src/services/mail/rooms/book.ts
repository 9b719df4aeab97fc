import { users } from '../../../kernel/auth/index.ts';
import { ApiError } from '../../../kernel/http/index.ts';
import { deleteAttachments } from '../attachments/store.ts';
import { answerMeeting } from '../calendar/answer.ts';
import { NO_BODY } from '../calendar/changes.ts';
import { isMaster, occurrenceOn, seriesOf, slots } from '../calendar/content.ts';
import { busyWithin, weightOf } from '../calendar/schedule/availability.ts';
import { type Span, spanOf } from '../calendar/times.ts';
import type { CalendarEvent, EventException, Occurrence } from '../calendar/types.ts';
import { updateEvent } from '../calendar/write.ts';
import { events } from '../collections.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { MeetingMessage } from '../messages/types.ts';
import { occurrences } from '../recurrence/expand.ts';
import { toWall } from '../zones/zone.ts';
import { type Booking, decide, endOfWindow, type RoomRequest } from './policy.ts';
import { isRoom } from './room.ts';

/**
 * Answers a request in the mailbox of a room: accepts it if the room is free, otherwise declines it with the reason. A request that was
 * answered before is not answered again unless its times changed. Writes to a mailbox are serialised, so there is no other booking between
 * the check and the answer.
 */
export async function bookRoom(writer: MailboxWriter, meeting: MeetingMessage): Promise<void> {
  const { tx, mailbox } = writer;
  if (meeting.kind !== 'eventMessageRequest' || meeting.isOutOfDate || meeting.event === undefined) return;
  const user = (await tx.get(users, mailbox.id, 'none'))?.value;
  if (!user || !isRoom(user)) return;
  const event = (await tx.get(events, writer.key(meeting.event)))?.value;
  if (!event || event.isOrganizer) return;
  const asked = requestedItem(event, meeting.occurrence);
  if (asked && asked.response.response === 'notResponded' && !asked.isCancelled) {
    const { response, comment } = decide(await requestOf(writer, event, asked));
    const day = 'day' in asked ? asked.day : undefined;
    const answer = { response, comment, isAutomatic: true, ...(day !== undefined && { day }) } as const;
    await answerMeeting(writer, event, answer, asked.responseRequested);
    if (response === 'declined' && day === undefined) return;
  }
  await tidyBooking(writer, event.uid);
}

/**
 * The event or occurrence that the mail requests: a mail about one occurrence requests only it; a mail with the series, or with the rest of
 * it, requests all of it.
 */
function requestedItem(event: CalendarEvent, day: string | undefined): CalendarEvent | Occurrence | undefined {
  const isWhole = day === undefined || !isMaster(event) || event.response.response === 'notResponded';
  return isWhole ? event : occurrenceOn(event, day);
}

async function requestOf(
  writer: MailboxWriter,
  event: CalendarEvent,
  asked: CalendarEvent | Occurrence,
): Promise<RoomRequest> {
  const { mailbox, now } = writer;
  const { zone } = mailbox.settings;
  const end = endOfWindow(now);
  const isSeries = asked === event && isMaster(event);
  // Past occurrences cannot conflict, and a series may be old.
  const from = Math.max(event.spanFrom, now);
  const window = { from, to: Math.max(end, from) };
  const found = isSeries ? slots(event, window, zone) : { events: [asked], isIncomplete: false };
  const spans = found.events.map((each) => spanOf(each, zone));
  return {
    isInternal: domainOf(event.organizer.address) === domainOf(mailbox.address),
    spans,
    isBeyondWindow: isSeries ? goesBeyond(event, end) : spans.some(({ from }) => from > end),
    bookings: found.isIncomplete ? undefined : await bookingsWithin(writer, event, spans),
  };
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();

function goesBeyond(event: CalendarEvent, end: number): boolean {
  if (!isMaster(event) || event.spanTo === null) return true;
  const { zone } = event.start;
  const later = occurrences(seriesOf(event), { from: toWall(zone, end), to: toWall(zone, event.spanTo) });
  for (const _ of later) return true;
  return later.isIncomplete;
}

/** Other bookings during a request. A meeting that is shown as free takes no time. */
async function bookingsWithin(
  { tx, mailbox }: MailboxWriter,
  event: CalendarEvent,
  spans: readonly Span[],
): Promise<readonly Booking[] | undefined> {
  const [first] = spans;
  if (!first || weightOf(event.intendedShowAs) === 0) return [];
  const to = spans.reduce((latest, span) => Math.max(latest, span.to), first.to);
  const found = await busyWithin(tx, mailbox, { from: first.from, to }).catch(tooMany);
  return found
    ?.filter(({ event: other, showAs }) => other.iCalUid !== event.iCalUid && weightOf(showAs) > 0)
    .map(({ from, to: until, event: { organizer } }) => ({ from, to: until, organizer: organizer.name }));
}

function tooMany(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error;
  return undefined;
}

/** The room's calendar shows the organizer of a booking. Subject, body and attachments are removed. */
async function tidyBooking(writer: MailboxWriter, uid: string): Promise<void> {
  const event = (await writer.tx.get(events, writer.key(uid)))?.value;
  if (!event) return;
  await deleteAttachments(writer.tx, writer.key(uid));
  const { organizer, sensitivity, series } = event;
  const own = {
    subject: organizer.name,
    body: NO_BODY,
    bodyPreview: '',
    ...(sensitivity === 'private' && { sensitivity: 'normal' as const }),
  };
  const exceptions = Object.entries(series?.exceptions ?? {}).map(([day, exception]): [string, EventException] => [
    day,
    exception.subject === undefined ? exception : { ...exception, ...own },
  ]);
  await updateEvent(writer, event, {
    ...own,
    hasAttachments: false,
    ...(series && { series: { ...series, exceptions: Object.fromEntries(exceptions) } }),
  });
}
