import { isMaster } from '../calendar/content.ts';
import { findEvent } from '../calendar/find.ts';
import { showsContent } from '../calendar/shared-view.ts';
import { type CalendarEvent, isOccurrence, type Occurrence } from '../calendar/types.ts';
import { updateAttachments } from '../calendar/update-attachments.ts';
import { occurrenceIn, putException } from '../calendar/update-occurrence.ts';
import { eventId } from '../calendar/view.ts';
import { updateEvent } from '../calendar/write.ts';
import { events } from '../collections.ts';
import { errors } from '../errors.ts';
import { itemKey } from '../mailbox/create.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { Extras } from '../messages/types.ts';
import type { Item, ItemSource } from './item.ts';

/**
 * Events as items. Attachments belong to the whole series, even if a request names an occurrence. Extensions and extended properties can
 * belong to one occurrence, which becomes an exception.
 */
export const EVENT_ITEMS: ItemSource = {
  kind: 'event',
  set: 'events',
  needs: { read: 'calendarRead', write: 'calendarWrite' },
  async find(call, reader) {
    const { item } = await findEvent(call, reader);
    if (!showsContent(call, item)) throw errors.ErrorAccessDenied();
    return eventItem(item);
  },
  async load(reader, mailbox, uid) {
    const event = (await reader.get(events, itemKey(mailbox.id, uid)))?.value;
    return event && eventItem(event);
  },
};

const eventItem = (event: CalendarEvent | Occurrence): Item => ({
  kind: 'event',
  document: event,
  id: (call) => eventId(call, event),
  async change(writer, { attachedBytes: _, hasAttachments, ...extras }) {
    if (!isOccurrence(event))
      return eventItem(
        hasAttachments === undefined
          ? await updateEvent(writer, event, extras)
          : await updateAttachments(writer, event, hasAttachments),
      );
    const { master, day } = event;
    const after =
      hasAttachments === undefined
        ? await changeOccurrence(writer, master, day, extras)
        : await updateAttachments(writer, master, hasAttachments);
    return eventItem(occurrenceIn(after, day));
  },
});

function changeOccurrence(
  writer: MailboxWriter,
  master: CalendarEvent,
  day: string,
  extras: Extras,
): Promise<CalendarEvent> {
  if (!isMaster(master)) throw errors.ErrorItemNotFound();
  return putException(writer, master, day, extras);
}
