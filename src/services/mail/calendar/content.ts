import { DAY_MS } from '../../../kernel/time/index.ts';
import { occurrences } from '../recurrence/expand.ts';
import { parseRule } from '../recurrence/rule.ts';
import type { Series } from '../recurrence/types.ts';
import { dayOfWall, formatDate, parseDate, timeOfDay, type Wall, type ZoneName } from '../zones/wall.ts';
import { toWall } from '../zones/zone.ts';
import { isWithin, type Span, shiftedTimes, spanOf } from './times.ts';
import type { CalendarEvent, EventContent, EventException, EventSeries, Occurrence } from './types.ts';

/**
 * Content and times of the occurrences of a series. A series has at most one occurrence a day: if its rules give several, only the first
 * counts.
 */

/** The master event of a series. */
export type Master = CalendarEvent & { readonly series: EventSeries };

export const isMaster = (event: CalendarEvent): event is Master => event.series !== undefined;

/** Input for expanding the occurrences of a master. Deleted occurrences are included; callers leave them out by their days. */
export const seriesOf = ({ start, isAllDay, series }: Pick<Master, 'start' | 'isAllDay' | 'series'>): Series => ({
  start: start.wall,
  zone: start.zone,
  rules: series.rules.flatMap((rule) => parseRule(rule) ?? []),
  dates: series.dates,
  exDates: [],
  isAllDay,
});

/**
 * The start that the rules give the occurrence of a day, in the zone of the series. Returns undefined if the day has no occurrence. Other
 * calendars send exceptions for days that their rules do not have; these days count as days of the rules.
 */
export function slotOf(master: Master, day: string): Wall | undefined {
  const midnight = parseDate(day);
  if (midnight === undefined) return undefined;
  const series = seriesOf(master);
  const exception = exceptionOf(master, day);
  const usual = midnight + timeOfDay(master.start.wall);
  // There may be a thousand exceptions, and each would count COUNT from the beginning of the series.
  if (exception && series.rules.some(({ count }) => count !== undefined)) return usual;
  for (const slot of occurrences(series, { from: midnight, to: midnight + DAY_MS })) return slot;
  return exception?.start && usual;
}

export const isDeleted = ({ series }: Master, day: string): boolean => series.cancelled.includes(day);

export const exceptionOf = ({ series }: Master, day: string): EventException | undefined =>
  Object.hasOwn(series.exceptions, day) ? series.exceptions[day] : undefined;

/** The occurrence of a day, deleted or not. Returns undefined if the rules give none on that day. */
export function occurrenceOn(master: Master, day: string): Occurrence | undefined {
  const slot = slotOf(master, day);
  return slot === undefined ? undefined : occurrenceAt(master, slot);
}

/** The occurrence whose start by the rules is `slot`. */
export function occurrenceAt(master: Master, slot: Wall): Occurrence {
  const { series: _, ...shared } = master;
  const day = formatDate(slot);
  const exception = exceptionOf(master, day);
  return {
    ...shared,
    ...shiftedTimes(master, slot - master.start.wall),
    ...exception,
    ...(isDeleted(master, day) && { isCancelled: true }),
    master,
    day,
    slot,
    isException: exception !== undefined,
  };
}

/**
 * Content of the event, or of its occurrence on a day. A day that the rules do not have is treated as if they had it, since mail can be
 * about such a day.
 */
export function contentAt(event: CalendarEvent, day?: string): EventContent {
  if (day === undefined || !isMaster(event)) return event;
  const midnight = parseDate(day);
  if (midnight === undefined) return event;
  return occurrenceAt(event, slotOf(event, day) ?? midnight + timeOfDay(event.start.wall));
}

export interface Slots {
  /** Ordered by start. */
  readonly events: readonly (CalendarEvent | Occurrence)[];
  /** True if expanding the rules to the end of the window exceeded its bound. */
  readonly isIncomplete: boolean;
}

/** Zone offsets differ by a day at most, and so do the positions of an all-day event in different zones. */
const MARGIN_MS = DAY_MS;

/**
 * The parts of an event that lie within a window: the event itself, or the occurrences of a series that are not deleted, with their
 * exceptions applied. All-day events are placed in the zone `dayZone`.
 */
export function slots(event: CalendarEvent, window: Span, dayZone: ZoneName): Slots {
  if (!isMaster(event)) {
    const events = isWithin(spanOf(event, dayZone), window) ? [event] : [];
    return { events, isIncomplete: false };
  }
  const { start, end, series } = event;
  const length = Math.max(0, end.wall - start.wall);
  const found = daysBetween(seriesOf(event), {
    from: toWall(start.zone, window.from) - length - MARGIN_MS,
    to: toWall(start.zone, window.to) + MARGIN_MS,
  });
  const deleted = new Set(series.cancelled);
  const byDay = new Map(found.slots.map((slot) => [formatDate(slot), slot]));
  // An exception with a time of its own can be at any time, so all such exceptions are checked, and the slots of those within the window
  // are looked up.
  const moved = Object.entries(series.exceptions).flatMap(([day, exception]) => {
    if (!exception.start || !isWithin(spanOf({ ...event, ...exception }, dayZone), window)) return [];
    return byDay.get(day) ?? slotOf(event, day) ?? [];
  });
  const events = [...new Set([...found.slots, ...moved])]
    .filter((slot) => !deleted.has(formatDate(slot)))
    .map((slot) => occurrenceAt(event, slot))
    .map((occurrence) => ({ occurrence, span: spanOf(occurrence, dayZone) }))
    .filter(({ span }) => isWithin(span, window))
    .sort((a, b) => a.span.from - b.span.from || a.occurrence.slot - b.occurrence.slot)
    .map(({ occurrence }) => occurrence);
  return { events, isIncomplete: found.isIncomplete };
}

/** The first start of each day within a window. */
export function daysBetween(
  series: Series,
  { from, to }: Span,
): { readonly slots: readonly Wall[]; readonly isIncomplete: boolean } {
  const starts: Wall[] = [];
  const canSkip = series.rules.every(({ count }) => count === undefined);
  for (let begin = from; begin < to; ) {
    const walls = occurrences(series, { from: begin, to });
    let nextDay = to;
    for (const wall of walls) {
      const last = starts.at(-1);
      if (last === undefined || dayOfWall(wall) > dayOfWall(last)) starts.push(wall);
      else if (canSkip) {
        // A day with several starts: the remaining starts of the day need not be expanded.
        nextDay = (dayOfWall(wall) + 1) * DAY_MS;
        break;
      }
    }
    if (nextDay === to && walls.isIncomplete) return { slots: starts, isIncomplete: true };
    begin = nextDay;
  }
  return { slots: starts, isIncomplete: false };
}
