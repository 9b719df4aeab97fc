import { etag } from '../../../kernel/ids/index.ts';
import { deleteAttachments } from '../attachments/store.ts';
import { events } from '../collections.ts';
import { losesOccurrences } from '../delta/past-series.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { meetingIdsOf } from './online-meeting.ts';
import { onlineMeetings } from './online-meetings.ts';
import { type StoredSpan, storedSpan } from './span.ts';
import type { CalendarEvent } from './types.ts';

type ServersOwn =
  | 'uid'
  | 'mailbox'
  | 'generation'
  | 'number'
  | 'createdNumber'
  | 'createdAt'
  | 'modifiedAt'
  | keyof StoredSpan;
export type GivenEvent = Omit<CalendarEvent, ServersOwn>;

export async function createEvent(
  writer: MailboxWriter,
  given: GivenEvent & Partial<Pick<CalendarEvent, 'uid' | 'createdAt'>>,
): Promise<CalendarEvent> {
  const number = writer.nextNumber();
  return put(
    writer,
    {
      createdAt: writer.now,
      ...given,
      uid: given.uid ?? etag(),
      mailbox: writer.mailbox.id,
      generation: 0,
      number,
      createdNumber: number,
      modifiedAt: writer.now,
    },
    'created',
  );
}

/** Writes an event that stays in its calendar. A property that is set to undefined is removed. */
export const updateEvent = (
  writer: MailboxWriter,
  before: CalendarEvent,
  changed: Partial<Omit<CalendarEvent, 'uid' | 'mailbox' | 'calendar'>>,
): Promise<CalendarEvent> =>
  put(writer, { ...before, ...changed, number: writer.nextNumber(), modifiedAt: writer.now }, 'updated', before);

/** Deletes an event permanently, with its attachments. */
export async function removeEvent(writer: MailboxWriter, event: CalendarEvent): Promise<void> {
  const { uid, generation, calendar: container, createdNumber } = event;
  const number = writer.nextNumber();
  if (losesOccurrences(event, undefined)) await writer.changedSeries(event, number);
  await writer.removed({ uid, generation, container, number, createdNumber, item: 'event' });
  await writer.tx.delete(events, writer.key(uid));
  await deleteAttachments(writer.tx, writer.key(uid));
  if (event.isOrganizer) for (const id of meetingIdsOf(event)) await writer.tx.delete(onlineMeetings, id);
  writer.note({ ...changeOf(event, 'deleted'), number });
}

async function put(
  writer: MailboxWriter,
  given: Omit<CalendarEvent, keyof StoredSpan>,
  change: 'created' | 'updated',
  before?: CalendarEvent,
): Promise<CalendarEvent> {
  const event: CalendarEvent = { ...given, ...storedSpan(given) };
  await writer.tx.put(events, writer.key(event.uid), event);
  if (before && losesOccurrences(before, event)) await writer.changedSeries(before, event.number);
  if (event.isOrganizer) await keepMeetings(writer, event, before);
  writer.note({ ...changeOf(event, change), ...(before && { before }) });
  return event;
}

/** Maps each new join URL to the event. The mapping is never removed; it leads to the event as long as the event exists. */
async function keepMeetings(
  { tx, mailbox }: MailboxWriter,
  event: CalendarEvent,
  before: CalendarEvent | undefined,
): Promise<void> {
  const known = new Set(before && meetingIdsOf(before));
  for (const id of new Set(meetingIdsOf(event)))
    if (!known.has(id)) await tx.put(onlineMeetings, id, { mailbox: mailbox.id, event: event.uid });
}

const changeOf = (document: CalendarEvent, change: 'created' | 'updated' | 'deleted') => {
  const { uid, generation, calendar: container, number } = document;
  return { item: 'event', change, uid, generation, container, number, document } as const;
};
