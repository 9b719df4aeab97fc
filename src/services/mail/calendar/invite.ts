import { SECOND_MS } from '../../../kernel/time/index.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { sendCancellation, sendRequest } from '../meetings/outgoing.ts';
import { isMaster, occurrenceOn } from './content.ts';
import type { Attendee, CalendarEvent, EventContent, EventException, EventSeries } from './types.ts';

/** Mail to attendees when the organizer changes a meeting. */

/** Attendees are notified when one of these properties changes. All others are private to the organizer. */
const NOTIFIED_PROPERTIES: ReadonlySet<string> = new Set<keyof EventContent>([
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

export const notifiesAll = (changes: Partial<EventContent>): boolean =>
  Object.keys(changes).some((name) => NOTIFIED_PROPERTIES.has(name));
export const isTimeChange = (changes: Partial<EventContent>): boolean =>
  Object.keys(changes).some((name) => TIMES.has(name));

/**
 * The DTSTAMP of the next mail about a meeting, which decides between two mails with the same SEQUENCE. DTSTAMP has whole seconds, so the
 * next one is at least a second later, even if the mails are sent within one second.
 */
export const nextStamp = ({ stamp }: Pick<CalendarEvent, 'stamp'>, now: number): number =>
  Math.max(now, (Math.floor(stamp / SECOND_MS) + 1) * SECOND_MS);

/** A change to a series also changes its exceptions, so their stamps are renewed too. */
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
  /** The event as stored after the change. */
  readonly event: CalendarEvent;
  /** Set if only the occurrence of this day changed. */
  readonly day?: string;
  /** True if a property changed of which all attendees are notified. */
  readonly notifiesAll: boolean;
}

/**
 * Sends an update to all attendees, or only to new ones if nothing but the attendee list changed; sends a cancellation to removed
 * attendees.
 */
export async function notifyAttendees(writer: MailboxWriter, changed: ChangedMeeting): Promise<void> {
  const { before, after, event, day } = changed;
  const invited = changed.notifiesAll ? after.attendees : without(after.attendees, before.attendees);
  const removed = without(before.attendees, after.attendees);
  const of = day === undefined ? {} : { day };
  // Uses the SEQUENCE of the remaining attendees: a higher one would make answers out of date that they are about to send.
  if (removed.length > 0)
    await sendCancellation(writer, event, { to: removed, content: before, isWithoutThem: true, ...of });
  if (invited.length > 0) await sendRequest(writer, event, { to: invited, ...of });
}

/** After an update of a series, each of its exceptions gets an update of its own. */
export async function sendExceptionUpdates(writer: MailboxWriter, event: CalendarEvent): Promise<void> {
  if (!isMaster(event)) return;
  const { exceptions, cancelled } = event.series;
  for (const day of Object.keys(exceptions).sort()) {
    const occurrence = cancelled.includes(day) ? undefined : occurrenceOn(event, day);
    if (occurrence && occurrence.attendees.length > 0)
      await sendRequest(writer, event, { to: occurrence.attendees, day });
  }
}

/** Sends cancellations to attendees who are invited to single occurrences of the series only. */
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
