import { allOf, eq } from '../../../kernel/store/index.ts';
import type { MailCall } from '../api/request.ts';
import { isMaster, type Master, slots } from '../calendar/content.ts';
import type { Span } from '../calendar/times.ts';
import type { CalendarEvent, EventException } from '../calendar/types.ts';
import { eventId } from '../calendar/view.ts';
import { dayZoneOf } from '../calendar/window.ts';
import type { ZonedTime } from '../zones/wall.ts';
import { pastSeries } from './collections.ts';

/**
 * Occurrences are computed, so removed ones leave no record. The former series is stored, so that its occurrences can be computed again.
 */

/**
 * True if a change may have removed occurrences of a series. New exceptions and deleted days do not count, since the current series
 * contains them.
 */
export function losesOccurrences(before: CalendarEvent, after: CalendarEvent | undefined): boolean {
  if (!isMaster(before)) return false;
  if (!after || !isMaster(after)) return true;
  return (
    before.isAllDay !== after.isAllDay ||
    !isSameTime(before.start, after.start) ||
    !isSameTime(before.end, after.end) ||
    before.series.rules.join('\n') !== after.series.rules.join('\n') ||
    before.series.dates.join() !== after.series.dates.join() ||
    movedBack(before, after)
  );
}

const isSameTime = (a: ZonedTime | undefined, b: ZonedTime | undefined): boolean =>
  a?.wall === b?.wall && a?.zone === b?.zone;

/** True if a moved occurrence now has another time. */
const movedBack = (before: Master, after: Master): boolean =>
  Object.entries(before.series.exceptions).some(([day, exception]) => {
    if (!exception.start) return false;
    const now = Object.hasOwn(after.series.exceptions, day) ? after.series.exceptions[day] : undefined;
    return !isSameTime(exception.start, now?.start) || !isSameTime(exception.end, now?.end);
  });

/** The series without the content of its occurrences. */
export function timesOnly(event: CalendarEvent): CalendarEvent {
  const { extensions: _, single: _single, multi: _multi, reminders: _reminders, onlineMeeting: _link, ...rest } = event;
  const { series } = event;
  return {
    ...rest,
    subject: '',
    body: { contentType: 'text', content: '' },
    bodyPreview: '',
    attendees: [],
    locations: [],
    categories: [],
    ...(series && { series: { ...series, exceptions: movedOnly(series.exceptions) } }),
  };
}

const movedOnly = (exceptions: Readonly<Record<string, EventException>>): Record<string, EventException> =>
  Object.fromEntries(
    Object.entries(exceptions).flatMap(([day, { start, end, isAllDay }]) =>
      start && end ? [[day, { start, end, ...(isAllDay !== undefined && { isAllDay }) }]] : [],
    ),
  );

/**
 * Ids of all occurrences that a series may have had within a window since change number `from` of its mailbox; empty if it has lost none.
 * Between `from` and the stored change, occurrences may have been deleted or moved, so their original slots count too.
 */
export async function pastOccurrences(
  call: MailCall,
  uid: string,
  window: Span,
  from: number,
): Promise<readonly string[]> {
  const { items } = await call.jar.store.query(pastSeries, {
    filter: allOf(eq('mailbox', call.mailbox.id), eq('uid', uid), { op: 'gt', field: 'number', value: from }),
    order: [{ field: 'number' }],
    limit: 1,
  });
  const past = items[0]?.value.event;
  if (!past || !isMaster(past)) return [];
  const whole = { ...past, series: { ...past.series, cancelled: [] } };
  const asRuled = { ...past, series: { ...past.series, cancelled: [], exceptions: {} } };
  const ids = [whole, asRuled].flatMap((each) =>
    slots(each, window, dayZoneOf(call)).events.map((occurrence) => eventId(call, occurrence)),
  );
  return [...new Set(ids)];
}
