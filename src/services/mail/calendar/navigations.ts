import type { Navigation } from '../../../kernel/odata/index.ts';
import type { MailCall } from '../api/request.ts';
import { calendars } from '../collections.ts';
import { itemNavigations } from '../extras/navigations.ts';
import { itemKey } from '../mailbox/create.ts';
import { calendarShape } from './calendars/shape.ts';
import { shownCalendar } from './calendars/view.ts';
import { slots } from './content.ts';
import { eventShape } from './shape.ts';
import type { Calendar, CalendarEvent } from './types.ts';
import { eventView, exceptionsOf } from './view.ts';
import { dayZoneOf, readWindow } from './window.ts';

/** What `$expand` can bring into events. */
export const eventNavigations = (call: MailCall): readonly Navigation<CalendarEvent, unknown>[] => [
  calendarOf(call) as Navigation<CalendarEvent, unknown>,
  exceptions(call) as Navigation<CalendarEvent, unknown>,
  instances(call) as Navigation<CalendarEvent, unknown>,
  // What belongs to an event is its owner's: a private one would show through it.
  ...(call.sharing ? [] : itemNavigations(call)),
];

const calendarOf = (call: MailCall): Navigation<CalendarEvent, Calendar> => ({
  name: 'calendar',
  many: false,
  shape: calendarShape,
  async load(parents) {
    const known = new Map<string, Calendar | undefined>();
    for (const { calendar } of parents)
      if (!known.has(calendar))
        known.set(calendar, (await call.jar.store.get(calendars, itemKey(call.mailbox.id, calendar)))?.value);
    return parents.map(({ calendar }) => [known.get(calendar)].filter((each) => each !== undefined));
  },
  view: (calendar) => shownCalendar(call, calendar),
  always: ['id'],
});

/** Events inside of others show what they show without `$select`. */
const inner = (call: MailCall): MailCall => ({ ...call, query: {} });

const exceptions = (call: MailCall): Navigation<CalendarEvent, CalendarEvent> => ({
  name: 'exceptionOccurrences',
  many: true,
  shape: eventShape,
  load: (parents) => Promise.resolve(parents.map(exceptionsOf)),
  view: (event) => eventView(inner(call), event),
  always: ['id'],
});

/** Within the window that the request names, as without it a series may have no end. */
const instances = (call: MailCall): Navigation<CalendarEvent, CalendarEvent> => ({
  name: 'instances',
  many: true,
  shape: eventShape,
  async load(parents) {
    const window = readWindow(call);
    return parents.map((event) => (event.series ? slots(event, window, dayZoneOf(call)).events : []));
  },
  view: (event) => eventView(inner(call), event),
  always: ['id'],
});
