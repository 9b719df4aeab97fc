import type { Navigation } from '../../../kernel/odata/index.ts';
import type { MailCall } from '../api/request.ts';
import { attachmentsNavigation } from '../attachments/navigations.ts';
import type { Attachment } from '../attachments/types.ts';
import { calendars } from '../collections.ts';
import { itemNavigations } from '../extras/navigations.ts';
import { itemKey } from '../mailbox/create.ts';
import { calendarShape } from './calendars/shape.ts';
import { shownCalendar } from './calendars/view.ts';
import { slots } from './content.ts';
import { eventShape } from './shape.ts';
import { showsContent } from './shared-view.ts';
import type { Calendar, CalendarEvent } from './types.ts';
import { eventView, exceptionsOf } from './view.ts';
import { dayZoneOf, readWindow } from './window.ts';

/** Navigation properties that `$expand` can add to events. */
export const eventNavigations = (call: MailCall): readonly Navigation<CalendarEvent, unknown>[] => [
  calendarOf(call) as Navigation<CalendarEvent, unknown>,
  exceptions(call) as Navigation<CalendarEvent, unknown>,
  instances(call) as Navigation<CalendarEvent, unknown>,
  // Extensions and extended properties are visible only in the owner's own mailbox.
  ...(call.sharing ? [sharedAttachments(call) as Navigation<CalendarEvent, unknown>] : itemNavigations(call)),
];

/** The attachments of a private event would reveal its content. */
function sharedAttachments(call: MailCall): Navigation<CalendarEvent, Attachment> {
  const all = attachmentsNavigation(call);
  return {
    ...all,
    async load(parents, options) {
      const shown = parents.filter((event) => showsContent(call, event));
      const loaded = await all.load(shown, options);
      const byEvent = new Map(shown.map((event, at) => [event, loaded[at]]));
      return parents.map((event) => byEvent.get(event) ?? []);
    },
  };
}

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

/** Nested events have the default properties: the `$select` of the request does not apply to them. */
const inner = (call: MailCall): MailCall => ({ ...call, query: {} });

const exceptions = (call: MailCall): Navigation<CalendarEvent, CalendarEvent> => ({
  name: 'exceptionOccurrences',
  many: true,
  shape: eventShape,
  load: (parents) => Promise.resolve(parents.map(exceptionsOf)),
  view: (event) => eventView(inner(call), event),
  always: ['id'],
});

/** Requires the window of the request, since a series can be endless. */
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
