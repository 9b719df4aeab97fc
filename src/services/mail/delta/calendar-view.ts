import type { Answer } from '../../../kernel/http/index.ts';
import { DEFAULT_CALENDAR } from '../api/path.ts';
import type { MailCall } from '../api/request.ts';
import { calendarNamed } from '../calendar/calendars/find.ts';
import { isMaster, occurrenceOn, slots } from '../calendar/content.ts';
import { within } from '../calendar/in-window.ts';
import { isWithin, type Span, spanOf } from '../calendar/times.ts';
import { type CalendarEvent, isOccurrence } from '../calendar/types.ts';
import { eventId, eventView } from '../calendar/view.ts';
import { dayZoneOf, readWindow } from '../calendar/window.ts';
import { EVENT_TYPE, EVENTS_PAGE, eventSource, slimRow } from './events.ts';
import { checkOptions, pageSizeOf } from './options.ts';
import { type DeltaSource, type Row, removedRow, roundAnswer } from './round.ts';
import { asFirst, type Round, roundOf } from './token.ts';

const KIND = 'calendarView';

/**
 * `calendarView/delta`: what takes place within a window, which is that of the first call. A series is the row of its master and a short row for
 * each of its occurrences in the window.
 */
export async function calendarViewDelta(call: MailCall): Promise<Answer> {
  // Without a calendar in the path it is the one that every mailbox has, which may not be shared.
  const { calendar: key = DEFAULT_CALENDAR, calendarGroup } = call.place;
  const calendar = (await calendarNamed(call, call.jar.store, key, calendarGroup)).uid;
  const round = await roundOf(call, KIND, calendar);
  const asked = asFirst(call, round);
  checkOptions(asked, 'CalendarView', ['enddatetime']);
  const window = readWindow(asked);
  const common = eventSource(asked, calendar);
  const source: DeltaSource<CalendarEvent> = {
    ...common,
    kind: KIND,
    // In a later round what has left the window is reported as well.
    where: round.from === undefined ? within(common.where, window) : common.where,
    hasManyRows: true,
    rows: async (items) => items.map((event) => rowsOf(asked, event, window, round)),
  };
  return roundAnswer(call, source, round, pageSizeOf(asked, EVENTS_PAGE));
}

function rowsOf(call: MailCall, event: CalendarEvent, window: Span, { from }: Round): readonly Row[] {
  const { events } = slots(event, window, dayZoneOf(call));
  const isFirst = from === undefined;
  const deleted = isFirst ? [] : deletedRows(call, event, window);
  if (events.length === 0) return isFirst ? [] : [...deleted, removedRow('event', eventId(call, event))];
  const rows = events.map((each) =>
    isOccurrence(each) && !each.isException ? slimRow(call, each, event) : fullRow(call, each),
  );
  return isMaster(event) ? [fullRow(call, event), ...deleted, ...rows] : rows;
}

const fullRow = (call: MailCall, event: CalendarEvent): Row => ({
  '@odata.type': EVENT_TYPE,
  ...eventView(call, event),
});

/** The occurrences of a series that were deleted, as far as they would have been within the window. */
function deletedRows(call: MailCall, event: CalendarEvent, window: Span): readonly Row[] {
  if (!isMaster(event)) return [];
  const zone = dayZoneOf(call);
  return [...event.series.cancelled].sort().flatMap((day) => {
    const occurrence = occurrenceOn(event, day);
    if (!occurrence || !isWithin(spanOf(occurrence, zone), window)) return [];
    return [removedRow('event', eventId(call, occurrence))];
  });
}
