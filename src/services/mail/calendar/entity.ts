import { DEFAULT_CALENDAR } from '../api/path.ts';
import type { MailCall } from '../api/request.ts';
import { baseOf, containerId, contextLine } from '../api/show.ts';
import type { CalendarEvent, Occurrence } from './types.ts';
import { eventView } from './view.ts';

/** The collection name in `@odata.context`: events of the mailbox, or of the calendar that the path names. */
export function eventsName({ place }: Pick<MailCall, 'place'>, list: 'events' | 'calendarView' = 'events'): string {
  if (place.calendar === undefined) return list;
  if (place.calendar.toLowerCase() === DEFAULT_CALENDAR) return `calendar/${list}`;
  return `calendars('${encodeURIComponent(place.calendar)}')/${list}`;
}

/** An event in the response to the write that created or changed it, with the links to its calendar. */
export function eventEntity(call: MailCall, event: CalendarEvent | Occurrence): Record<string, unknown> {
  const calendar = `${baseOf(call)}/users('${call.mailbox.id}')/calendars('${containerId(event.mailbox, event.calendar)}')`;
  return {
    ...contextLine(call, `${eventsName(call)}/$entity`),
    ...eventView(call, event),
    'calendar@odata.associationLink': `${calendar}/$ref`,
    'calendar@odata.navigationLink': calendar,
  };
}
