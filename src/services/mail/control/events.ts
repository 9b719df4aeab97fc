import { Type } from 'typebox';
import { entityShape, listAnswer, listOf, listQuery } from '../../../kernel/odata/index.ts';
import { eq } from '../../../kernel/store/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import { shownEnd, shownStart } from '../calendar/times.ts';
import { ATTENDEE_TYPES, type CalendarEvent, eventTypeOf, RESPONSES } from '../calendar/types.ts';
import { events } from '../collections.ts';
import { routeCode } from '../jar.ts';
import type { EventType } from '../messages/types.ts';
import { mailboxNamed } from './find.ts';

/** Occurrences of a series are computed, not stored, so a list has only the series. */
const EVENT_TYPES = ['singleInstance', 'exception', 'seriesMaster'] as const satisfies readonly EventType[];

const Text = { type: 'Edm.String' } as const;
const Flag = { type: 'Edm.Boolean' } as const;
const Instant = { type: 'Edm.DateTimeOffset' } as const;

const shape = entityShape<CalendarEvent>({
  name: 'events',
  collection: events,
  properties: {
    id: { ...Text, read: ({ uid }: CalendarEvent) => uid },
    uid: { ...Text, field: 'iCalUid' },
    subject: { ...Text, field: 'subject', ignoreCase: true },
    start: { ...Instant, field: 'startAt' },
    end: { ...Instant, field: 'endAt' },
    isAllDay: { ...Flag, field: 'isAllDay' },
    type: { type: { members: EVENT_TYPES }, field: 'type' },
    organizer: { ...Text, field: 'organizer', ignoreCase: true },
    isOrganizer: { ...Flag, field: 'isOrganizer' },
    isCancelled: { ...Flag, field: 'isCancelled' },
    response: { type: { members: RESPONSES }, read: ({ response }: CalendarEvent) => response.response },
    showAs: { ...Text, field: 'showAs' },
    createdAt: { ...Instant, field: 'createdAt' },
  },
  scan: 'bounded',
});

const EventView = Type.Object({
  id: Type.String(),
  uid: Type.String({ description: 'The UID in iCalendar' }),
  subject: Type.String(),
  start: Type.String(),
  end: Type.String(),
  timeZone: Type.String(),
  isAllDay: Type.Boolean(),
  type: Type.String(),
  rules: Type.Array(Type.String(), { description: 'The recurrence, as RRULE values' }),
  location: Type.String(),
  organizer: Type.String(),
  isOrganizer: Type.Boolean(),
  isCancelled: Type.Boolean(),
  response: Type.Enum(RESPONSES),
  showAs: Type.String(),
  attendees: Type.Array(
    Type.Object({
      address: Type.String(),
      name: Type.String(),
      type: Type.Enum(ATTENDEE_TYPES),
      response: Type.Enum(RESPONSES),
    }),
  ),
  sequence: Type.Integer(),
  createdAt: Type.String(),
});

export const listEvents = routeCode(['user'], {
  query: listQuery(shape),
  responses: { 200: listOf(EventView) },
  async handle(call) {
    const mailbox = await mailboxNamed(call.jar, call.params.user);
    const order = [{ field: 'startAt' }];
    return listAnswer(call, {
      shape,
      filter: eq('mailbox', mailbox.id),
      order,
      view: ({ value }) => eventView(value),
    });
  },
});

const eventView = (event: CalendarEvent) => ({
  id: event.uid,
  uid: event.iCalUid,
  subject: event.subject,
  start: isoTime(shownStart(event)),
  end: isoTime(shownEnd(event)),
  timeZone: event.start.zone,
  isAllDay: event.isAllDay,
  type: eventTypeOf(event),
  rules: event.series?.rules ?? [],
  location: event.location.displayName,
  organizer: event.organizer.address,
  isOrganizer: event.isOrganizer,
  isCancelled: event.isCancelled,
  response: event.response.response,
  showAs: event.showAs,
  attendees: event.attendees.map(({ address, name, type, status }) => ({
    address,
    name,
    type,
    response: status.response,
  })),
  sequence: event.sequence,
  createdAt: isoTime(event.createdAt),
});
