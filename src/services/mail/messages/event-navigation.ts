import { listShape, type Navigation } from '../../../kernel/odata/index.ts';
import { readable } from '../access/basic.ts';
import { delegatesView, principalsEvent } from '../access/delegated-event.ts';
import type { MailCall, Viewer } from '../api/request.ts';
import { isDeleted, isMaster, occurrenceOn } from '../calendar/content.ts';
import { eventShape } from '../calendar/shape.ts';
import type { CalendarEvent, Occurrence } from '../calendar/types.ts';
import { eventView } from '../calendar/view.ts';
import { events } from '../collections.ts';
import { itemKey } from '../mailbox/create.ts';
import type { MeetingMessage, Message } from './types.ts';

type Shown = CalendarEvent | Occurrence;

/** All properties of the event can be selected. A single event is neither filtered nor ordered. */
const shown = { type: 'Edm.String', filterable: false, orderable: false } as const;
const shape = listShape<Shown>(
  'event',
  Object.fromEntries(Object.keys(eventShape.properties).map((name) => [name, shown])),
);

/**
 * `$expand=microsoft.graph.eventMessage/event`: null if the event no longer exists, absent on plain messages. For a meeting that the owner
 * handles as a delegate, the event is shown as a delegate sees it.
 */
export function eventNavigation(call: MailCall): Navigation<Message, Shown> {
  const viewers = new Map<string, Viewer>([[call.mailbox.id, { ...call, query: {} }]]);
  const { store } = call.jar;
  const eventOf = async (meeting: MeetingMessage): Promise<CalendarEvent | undefined> => {
    const { event, principal } = meeting;
    if (principal === undefined)
      return event === undefined ? undefined : (await store.get(events, itemKey(call.mailbox.id, event)))?.value;
    const theirs = await principalsEvent(store, meeting, principal);
    const view = theirs && (await delegatesView(store, call.mailbox, theirs, principal));
    if (!view) return undefined;
    viewers.set(principal, { ...call, query: {}, ...view });
    return theirs;
  };
  return {
    name: 'event',
    many: false,
    shape,
    accept: (options) => readable(call, options),
    appliesTo: ({ meeting }) => meeting !== undefined,
    async load(parents) {
      const all: Shown[][] = [];
      for (const { meeting } of parents) {
        const stored = meeting && (await eventOf(meeting));
        const found = stored && meant(stored, meeting);
        all.push(found ? [found] : []);
      }
      return all;
    },
    view: (event) => eventView(viewers.get(event.mailbox) ?? call, event),
    always: ['id'],
  };
}

/** The occurrence that the message is about, or the whole event. */
function meant(event: CalendarEvent, { occurrence }: MeetingMessage): Shown | undefined {
  if (occurrence === undefined || !isMaster(event)) return event;
  return isDeleted(event, occurrence) ? undefined : occurrenceOn(event, occurrence);
}
