import { allOf, eq } from '../../../kernel/store/index.ts';
import type { MailCall } from '../api/request.ts';
import { isMaster, type Master, slots } from '../calendar/content.ts';
import type { Span } from '../calendar/times.ts';
import type { CalendarEvent, EventException } from '../calendar/types.ts';
import { eventId } from '../calendar/view.ts';
import { dayZoneOf } from '../calendar/window.ts';
import type { ZonedTime } from '../zones/wall.ts';
import { pastSeries } from './collections.ts';

/** Occurrences are computed, so that those that vanish leave no trace. The series as it was is kept, to compute them once more. */

/** Whether occurrences of a series may have vanished by a change. Exceptions that are new, and deleted days, are told by the series as it is. */
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

/** An occurrence that had been moved is elsewhere now. */
const movedBack = (before: Master, after: Master): boolean =>
  Object.entries(before.series.exceptions).some(([day, exception]) => {
    if (!exception.start) return false;
    const now = Object.hasOwn(after.series.exceptions, day) ? after.series.exceptions[day] : undefined;
    return !isSameTime(exception.start, now?.start) || !isSameTime(exception.end, now?.end);
  });

/** A series without what its occurrences say. */
export function timesAlone(event: CalendarEvent): CalendarEvent {
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
    ...(series && { series: { ...series, exceptions: movedAlone(series.exceptions) } }),
  };
}

const movedAlone = (exceptions: Readonly<Record<string, EventException>>): Record<string, EventException> =>
  Object.fromEntries(
    Object.entries(exceptions).flatMap(([day, { start, end, isAllDay }]) =>
      start && end ? [[day, { start, end, ...(isAllDay !== undefined && { isAllDay }) }]] : [],
    ),
  );

/**
 * The ids of all occurrences that a series may have had within a window since its mailbox was at the number `from`. None where it has lost none. Between
 * that number and the change that was kept, occurrences may have been deleted or moved: they count where the rules had them, too.
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
