import { type Answer, ok } from '../../../kernel/http/index.ts';
import type { ODataSet } from '../../../kernel/odata/index.ts';
import type { Filter } from '../../../kernel/store/index.ts';
import { EVENT_OF_MESSAGE } from '../api/path.ts';
import type { MailCall } from '../api/request.ts';
import { baseOf, codeOf, contextName, entityAnswer, optionsOf, pageAnswer, selects } from '../api/show.ts';
import { errors } from '../errors.ts';
import { placedCalendar, usableCalendars } from './calendars/find.ts';
import { slots } from './content.ts';
import { countAnswer } from './count.ts';
import { eventsName } from './entity.ts';
import { findEvent } from './find.ts';
import { eventsWithin } from './in-window.ts';
import { listedAnswer } from './listed.ts';
import { eventNavigations } from './navigations.ts';
import { eventShape, rewriteFilter } from './shape.ts';
import type { CalendarEvent } from './types.ts';
import { eventView, exceptionsOf, occurrenceId } from './view.ts';
import { dayZoneOf, readWindow } from './window.ts';

/** Reads of events, as lists and one by one. */

/** Lists single events and series masters, of a mailbox or of one calendar. */
export async function listEvents(call: MailCall): Promise<Answer> {
  checkSearch(call);
  return pageAnswer(call, eventSet(call, await whereOf(call)));
}

export async function countEvents(call: MailCall): Promise<Answer> {
  checkSearch(call);
  return countAnswer(call, eventSet(call, await whereOf(call)));
}

export async function getEvent(call: MailCall): Promise<Answer> {
  checkSearch(call);
  const { stored, item } = await findEvent(call);
  const set = eventSet(call, { op: 'and', args: [] });
  // The event of a message can be in any calendar, so the context names the events of the mailbox.
  const name = call.params.event === EVENT_OF_MESSAGE ? contextName(call, 'events') : set.name;
  return entityAnswer(call, { ...set, name }, { ...stored, value: item });
}

/** Lists single events and occurrences within a window, of the calendar that the path names or of the default calendar. */
export async function listCalendarView(call: MailCall): Promise<Answer> {
  checkSelected(call);
  const window = readWindow(call);
  const calendar = await placedCalendar(call, call.jar.store);
  const uid = calendar?.uid ?? call.mailbox.calendar;
  const where = calendar ? ({ op: 'eq', field: 'calendar', value: uid } as const) : await whereOf(call, uid);
  const found = await eventsWithin(call.jar.store, where, window, dayZoneOf(call));
  return listedAnswer(call, eventsName(call, 'calendarView'), found);
}

/** Lists the occurrences of a series within a window. */
export async function listInstances(call: MailCall): Promise<Answer> {
  checkSelected(call);
  const window = readWindow(call);
  const { event, day } = await findEvent(call);
  if (!event.series || day !== undefined)
    throw errors.ErrorInvalidRequest({ reason: 'Only a series has instances; this event is not a series.' });
  return listedAnswer(call, `${nameOf(call)}/instances`, slots(event, window, dayZoneOf(call)).events);
}

/** Lists the exceptions of a series. */
export async function listExceptions(call: MailCall): Promise<Answer> {
  const { event } = await findEvent(call);
  return listedAnswer(call, `${nameOf(call)}/exceptionOccurrences`, exceptionsOf(event));
}

/** Lists the ids of the deleted occurrences of a series. */
export async function listCancelled(call: MailCall): Promise<Answer> {
  const { event } = await findEvent(call);
  const days = [...(event.series?.cancelled ?? [])].sort();
  return ok({
    '@odata.context': `${baseOf(call)}/$metadata#${contextName(call, `${nameOf(call)}/cancelledOccurrences`)}`,
    value: days.map((day) => occurrenceId(call, event, day)),
  });
}

const nameOf = (call: MailCall): string => `events('${encodeURIComponent(call.params.event ?? '')}')`;

/** Filter for the events of the path, limited to calendars that the caller may read. */
async function whereOf(call: MailCall, only?: string): Promise<Filter> {
  const calendar = await placedCalendar(call, call.jar.store);
  if (calendar) return { op: 'eq', field: 'calendar', value: calendar.uid };
  const readable = usableCalendars(call);
  if (readable)
    return {
      op: 'in',
      field: 'calendar',
      values: only === undefined ? readable : readable.filter((uid) => uid === only),
    };
  return only === undefined
    ? { op: 'eq', field: 'mailbox', value: call.mailbox.id }
    : { op: 'eq', field: 'calendar', value: only };
}

const eventSet = (call: MailCall, filter: Filter): ODataSet<CalendarEvent> => ({
  shape: eventShape,
  name: contextName(call, eventsName(call)),
  base: baseOf(call),
  filter,
  order: [{ field: 'startAt' }],
  rewrite: rewriteFilter,
  view: ({ value }) => eventView(call, value),
  navigations: eventNavigations(call),
  always: ['id'],
  codeOf,
});

function checkSearch(call: MailCall): void {
  if (optionsOf(call).search !== undefined) throw errors.SearchEvents(undefined, { target: '$search' });
}

/** Rejects `$select` of the two properties that are shown only without it. */
function checkSelected(call: MailCall): void {
  checkSearch(call);
  for (const name of ['createdDateTime', 'lastModifiedDateTime'])
    if (selects(call, name))
      throw errors.ErrorInvalidUrlQuery(
        { reason: `The property '${name}' cannot be selected here; it is shown only without '$select'.` },
        { target: '$select' },
      );
}
