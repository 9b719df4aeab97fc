import type { Answer } from '../../../kernel/http/index.ts';
import { eq, type Filter } from '../../../kernel/store/index.ts';
import type { MailCall } from '../api/request.ts';
import { shownId } from '../api/show.ts';
import { shownTime } from '../api/values.ts';
import { placedCalendar, usableCalendars } from '../calendar/calendars/find.ts';
import { isMaster } from '../calendar/content.ts';
import { type CalendarEvent, eventTypeOf, type Occurrence } from '../calendar/types.ts';
import { eventId } from '../calendar/view.ts';
import { instantIn } from '../calendar/window.ts';
import { events } from '../collections.ts';
import { errors } from '../errors.ts';
import { itemKey } from '../mailbox/create.ts';
import { changeKeyOf, etagOf } from '../mailbox/ids.ts';
import type { Removal } from './collections.ts';
import { CHANGE_TYPES, checkOptions, pageSizeOf } from './options.ts';
import { type DeltaSource, type Row, removedRow, roundAnswer } from './round.ts';
import { asFirst, roundOf } from './token.ts';

export const EVENTS_PAGE = 50;
export const EVENT_TYPE = '#microsoft.graph.event';

/** `events/delta`: single events and series of a mailbox or of one calendar, with little more than their times. */
export async function eventsDelta(call: MailCall): Promise<Answer> {
  const calendar = (await placedCalendar(call, call.jar.store))?.uid;
  const round = await roundOf(call, 'events', calendar ?? 'events');
  const asked = asFirst(call, round);
  checkOptions(asked, 'Events', []);
  const since = readSince(asked);
  const source: DeltaSource<CalendarEvent> = {
    ...eventSource(asked, calendar),
    kind: 'events',
    rows: async (items) => items.map((event) => (isSince(event, since) ? [slimRow(asked, event)] : goneRows(event))),
  };
  // An event of an earlier round may no longer match `startDateTime`.
  const goneRows = (event: CalendarEvent): readonly Row[] =>
    round.from === undefined ? [] : [removedRow('event', eventId(asked, event))];
  return roundAnswer(call, source, round, pageSizeOf(asked, EVENTS_PAGE));
}

/** Properties that all event deltas share. */
export const eventSource = (call: MailCall, calendar: string | undefined) => ({
  entity: 'event',
  collection: events,
  where: eventsIn(call, calendar, 'calendar', eq('mailbox', call.mailbox.id)),
  removed: eventsIn(call, calendar, 'container', eq('item', 'event')),
  changeTypes: new Set(CHANGE_TYPES),
  removedId: (removal: Removal) => removedId(call, removal, calendar),
});

/** Filter for one calendar, or for all that the caller may use. */
function eventsIn(call: MailCall, calendar: string | undefined, field: 'calendar' | 'container', all: Filter): Filter {
  if (calendar !== undefined) return eq(field, calendar);
  const values = usableCalendars(call);
  return values ? { op: 'in', field, values } : all;
}

/** An event that left and came back still has its immutable id, so its removal is not reported. */
async function removedId(
  call: MailCall,
  { mailbox, uid, generation }: Removal,
  calendar: string | undefined,
): Promise<string | undefined> {
  if (call.prefer.immutableIds) {
    const event = (await call.jar.store.get(events, itemKey(mailbox, uid)))?.value;
    if (event && (calendar === undefined || event.calendar === calendar)) return undefined;
  }
  return shownId(call, { mailbox, uid, generation });
}

/** A row with times only: for occurrences, and for events in `events/delta`. */
export const slimRow = (call: MailCall, event: CalendarEvent | Occurrence, master?: CalendarEvent): Row => ({
  '@odata.type': EVENT_TYPE,
  '@odata.etag': etagOf(changeKeyOf(event.uid, event.number)),
  id: eventId(call, event),
  ...(master && { seriesMasterId: eventId(call, master) }),
  type: eventTypeOf(event),
  start: shownTime(event.start, call.prefer, event.isAllDay),
  end: shownTime(event.end, call.prefer, event.isAllDay),
});

function readSince({ query }: MailCall): number | undefined {
  const written = Object.entries(query).find(([name]) => name.toLowerCase() === 'startdatetime')?.[1];
  if (written === undefined) return undefined;
  const since = typeof written === 'string' ? instantIn(written.trim()) : undefined;
  if (since !== undefined) return since;
  throw errors.ErrorInvalidParameter(
    { reason: `The value '${String(written).slice(0, 60)}' of the parameter 'startDateTime' is not a date and time.` },
    { target: 'startDateTime' },
  );
}

/** A series matches as long as one of its occurrences may match. */
function isSince(event: CalendarEvent, since: number | undefined): boolean {
  if (since === undefined || event.spanFrom >= since) return true;
  return isMaster(event) && (event.spanTo === null || event.spanTo >= since);
}
