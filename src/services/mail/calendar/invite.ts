import { SECOND_MS } from '../../../kernel/time/index.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { sendCancellation, sendRequest } from '../meetings/outgoing.ts';
import { isMaster, occurrenceOn } from './content.ts';
import type { Attendee, CalendarEvent, EventContent, EventException, EventSeries } from './types.ts';

/** Who gets mail when the organizer changes a meeting. */

/** What attendees are notified of. Everything else is the organizer's own. */
const TOLD: ReadonlySet<string> = new Set<keyof EventContent>([
  'start',
  'end',
  'isAllDay',
  'location',
  'locations',
  'subject',
  'body',
  'importance',
  'sensitivity',
  'responseRequested',
  'allowNewTimeProposals',
  'isOnlineMeeting',
]);
const TIMES: ReadonlySet<string> = new Set<keyof EventContent>(['start', 'end', 'isAllDay']);

export const isTold = (changes: Partial<EventContent>): boolean => Object.keys(changes).some((name) => TOLD.has(name));
export const isTimeChange = (changes: Partial<EventContent>): boolean =>
  Object.keys(changes).some((name) => TIMES.has(name));

/**
 * The DTSTAMP of the next mail about a meeting, which decides between two mails of one SEQUENCE. It is written in seconds, and is later than that of the
 * mail before, however soon the next one follows.
 */
export const nextStamp = ({ stamp }: Pick<CalendarEvent, 'stamp'>, now: number): number =>
  Math.max(now, (Math.floor(stamp / SECOND_MS) + 1) * SECOND_MS);

/** What changes in a series changes in its exceptions too: mail about them is as new. */
export function stamped(series: EventSeries, at: number): EventSeries {
  const entries = Object.entries(series.exceptions).map(([day, exception]): [string, EventException] =>
    exception.stamp === undefined
      ? [day, exception]
      : [day, { ...exception, stamp: Math.max(at, nextStamp({ stamp: exception.stamp }, at)) }],
  );
  return { ...series, exceptions: Object.fromEntries(entries) };
}

const without = (all: readonly Attendee[], others: readonly Attendee[]): readonly Attendee[] => {
  const known = new Set(others.map(({ address }) => address.toLowerCase()));
  return all.filter(({ address }) => !known.has(address.toLowerCase()));
};

export interface ChangedMeeting {
  readonly before: EventContent;
  readonly after: EventContent;
  /** The event as it is stored now. */
  readonly event: CalendarEvent;
  /** One occurrence alone. */
  readonly day?: string;
  /** Something that all attendees are notified of has changed. */
  readonly isTold: boolean;
}

/** An update to everybody, or, where nothing but the list of attendees has changed, to those who are new; a cancellation to those who are not invited any more. */
export async function tellAttendees(writer: MailboxWriter, changed: ChangedMeeting): Promise<void> {
  const { before, after, event, day } = changed;
  const invited = changed.isTold ? after.attendees : without(after.attendees, before.attendees);
  const removed = without(before.attendees, after.attendees);
  const of = day === undefined ? {} : { day };
  // With the SEQUENCE that the others have: a higher one would make answers out of date that they are about to send.
  if (removed.length > 0)
    await sendCancellation(writer, event, { to: removed, content: before, isWithoutThem: true, ...of });
  if (invited.length > 0) await sendRequest(writer, event, { to: invited, ...of });
}

/** After an update of a series, each occurrence that differs from it has an update of its own. */
export async function tellOfExceptions(writer: MailboxWriter, event: CalendarEvent): Promise<void> {
  if (!isMaster(event)) return;
  const { exceptions, cancelled } = event.series;
  for (const day of Object.keys(exceptions).sort()) {
    const occurrence = cancelled.includes(day) ? undefined : occurrenceOn(event, day);
    if (occurrence && occurrence.attendees.length > 0)
      await sendRequest(writer, event, { to: occurrence.attendees, day });
  }
}

/** Those who are invited to single occurrences of a series alone learn that these are gone. */
export async function cancelExceptions(
  writer: MailboxWriter,
  before: CalendarEvent,
  cancelled: CalendarEvent,
  comment?: string,
): Promise<void> {
  if (!isMaster(before)) return;
  for (const day of Object.keys(before.series.exceptions).sort()) {
    const content = before.series.cancelled.includes(day) ? undefined : occurrenceOn(before, day);
    const to = content ? without(content.attendees, before.attendees) : [];
    if (content && to.length > 0)
      await sendCancellation(writer, cancelled, { to, day, content, ...(comment !== undefined && { comment }) });
  }
}
