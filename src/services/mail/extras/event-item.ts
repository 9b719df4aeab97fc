import { findEvent } from '../calendar/find.ts';
import type { CalendarEvent } from '../calendar/types.ts';
import { updateEvent } from '../calendar/write.ts';
import { events } from '../collections.ts';
import { itemKey } from '../mailbox/create.ts';
import type { Item, ItemSource } from './item.ts';

/** Events as items. What belongs to a series belongs to all of its occurrences: an occurrence has nothing of its own. */
export const EVENT_ITEMS: ItemSource = {
  kind: 'event',
  set: 'events',
  needs: { read: 'calendarRead', write: 'calendarWrite' },
  find: async (call, reader) => eventItem((await findEvent(call, reader)).event),
  async load(reader, mailbox, uid) {
    const event = (await reader.get(events, itemKey(mailbox.id, uid)))?.value;
    return event && eventItem(event);
  },
};

const eventItem = (event: CalendarEvent): Item => ({
  kind: 'event',
  document: event,
  change: async (writer, { attachedBytes: _, ...changed }) => eventItem(await updateEvent(writer, event, changed)),
});
