import type { Answer } from '../../../kernel/http/index.ts';
import { DAY_MS } from '../../../kernel/time/index.ts';
import { DEFAULT_CALENDAR } from '../api/path.ts';
import type { MailCall } from '../api/request.ts';
import { calendarNamed } from '../calendar/calendars/find.ts';
import { isMaster, occurrenceAt, slotOf, slots } from '../calendar/content.ts';
import { within } from '../calendar/in-window.ts';
import { isWithin, type Span, spanOf } from '../calendar/times.ts';
import { type CalendarEvent, isOccurrence } from '../calendar/types.ts';
import { eventId, eventView } from '../calendar/view.ts';
import { dayZoneOf, readWindow } from '../calendar/window.ts';
import { parseDate } from '../zones/wall.ts';
import { EVENT_TYPE, EVENTS_PAGE, eventSource, slimRow } from './events.ts';
import { checkOptions, pageSizeOf } from './options.ts';
import { pastOccurrences } from './past-series.ts';
import { type DeltaSource, type Row, removedRow, roundAnswer } from './round.ts';
import { asFirst, type Round, roundOf } from './token.ts';

const KIND = 'calendarView';

/**
 * `calendarView/delta`: events within the window of the first call. A series has a row for its master and a short row for each of its
 * occurrences in the window.
 */
export async function calendarViewDelta(call: MailCall): Promise<Answer> {
  // Without a calendar in the path, it is the default calendar, which may not be shared.
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
    // Later rounds also report events that have left the window.
    where: round.from === undefined ? within(common.where, window) : common.where,
    hasManyRows: true,
    rows: (items) => Promise.all(items.map((event) => rowsOf(asked, event, window, round))),
    partsOf: ({ uid }) => pastOccurrences(asked, uid, window, round.from ?? 0),
  };
  return roundAnswer(call, source, round, pageSizeOf(asked, EVENTS_PAGE));
}

async function rowsOf(call: MailCall, event: CalendarEvent, window: Span, { from }: Round): Promise<readonly Row[]> {
  const { events } = slots(event, window, dayZoneOf(call));
  const rows = events.map((each) =>
    isOccurrence(each) && !each.isException ? slimRow(call, each, event) : fullRow(call, each),
  );
  const shown = isMaster(event) && rows.length > 0 ? [fullRow(call, event), ...rows] : rows;
  if (from === undefined) return shown;
  const known = new Set(shown.map(({ id }) => id));
  const gone = new Set([
    ...(rows.length === 0 ? [eventId(call, event)] : []),
    ...absentOccurrences(call, event, window),
    ...(await pastOccurrences(call, event.uid, window, from)),
  ]);
  return [...[...gone].filter((id) => !known.has(id)).map((id) => removedRow('event', id)), ...shown];
}

const fullRow = (call: MailCall, event: CalendarEvent): Row => ({
  '@odata.type': EVENT_TYPE,
  ...eventView(call, event),
});

/** Covers zone differences, and the time from midnight of a day to the start of an occurrence. */
const MARGIN_MS = 2 * DAY_MS;

/** Ids of deleted or moved occurrences whose original slots are within the window. */
function absentOccurrences(call: MailCall, event: CalendarEvent, window: Span): readonly string[] {
  if (!isMaster(event)) return [];
  const { series, start, end } = event;
  const asRuled = { ...event, series: { ...series, exceptions: {} } };
  const earliest = window.from - Math.max(0, end.wall - start.wall) - MARGIN_MS;
  const isNear = (day: string): boolean => {
    const midnight = parseDate(day);
    return midnight !== undefined && midnight > earliest && midnight < window.to + MARGIN_MS;
  };
  const moved = Object.keys(series.exceptions).filter((day) => series.exceptions[day]?.start !== undefined);
  return [...new Set([...series.cancelled, ...moved])]
    .filter(isNear)
    .sort()
    .flatMap((day) => {
      const slot = slotOf(event, day);
      const occurrence = slot === undefined ? undefined : occurrenceAt(asRuled, slot);
      return occurrence && isWithin(spanOf(occurrence, dayZoneOf(call)), window) ? [eventId(call, occurrence)] : [];
    });
}
