import { listShape, type Navigation } from '../../../kernel/odata/index.ts';
import { readable } from '../access/basic.ts';
import type { MailCall } from '../api/request.ts';
import { isDeleted, isMaster, occurrenceOn } from '../calendar/content.ts';
import type { CalendarEvent, Occurrence } from '../calendar/types.ts';
import { eventView } from '../calendar/view.ts';
import { events } from '../collections.ts';
import { itemKey } from '../mailbox/create.ts';
import type { MeetingMessage, Message } from './types.ts';

type Shown = CalendarEvent | Occurrence;

const shape = listShape<Shown>('event', { subject: { type: 'Edm.String' } });

/** `$expand=microsoft.graph.eventMessage/event`: null where the event is gone, and nothing at all on plain messages. */
export const eventNavigation = (call: MailCall): Navigation<Message, Shown> => ({
  name: 'event',
  many: false,
  shape,
  accept: (options) => readable(call, options),
  appliesTo: ({ meeting }) => meeting !== undefined,
  async load(parents) {
    const all: Shown[][] = [];
    for (const { mailbox, meeting } of parents) {
      const stored =
        meeting?.event === undefined ? undefined : await call.jar.store.get(events, itemKey(mailbox, meeting.event));
      const found = stored && meeting && meant(stored.value, meeting);
      all.push(found ? [found] : []);
    }
    return all;
  },
  view: (event) => eventView({ ...call, query: {} }, event),
  always: ['id'],
});

/** The occurrence that the message is about, or the whole event. */
function meant(event: CalendarEvent, { occurrence }: MeetingMessage): Shown | undefined {
  if (occurrence === undefined || !isMaster(event)) return event;
  return isDeleted(event, occurrence) ? undefined : occurrenceOn(event, occurrence);
}
