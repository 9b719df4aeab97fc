import { type Filter, type Reader, walk } from '../../../kernel/store/index.ts';
import { DAY_MS } from '../../../kernel/time/index.ts';
import { compareText } from '../../../kernel/values/index.ts';
import { events } from '../collections.ts';
import { errors } from '../errors.ts';
import type { ZoneName } from '../zones/wall.ts';
import { slots } from './content.ts';
import { type Span, spanOf } from './times.ts';
import { type CalendarEvent, isOccurrence, type Occurrence } from './types.ts';

/** Larger than any window that a client would plausibly read. */
const MOST_OCCURRENCES = 50_000;
/** Documents read at once; other requests run between pages. Small, since bodies can be large and rules slow to expand. */
const PAGE = 25;

/** Single events and occurrences that take place within a window, ordered by start. */
export async function eventsWithin(
  reader: Reader,
  where: Filter,
  window: Span,
  dayZone: ZoneName,
): Promise<readonly (CalendarEvent | Occurrence)[]> {
  const found: { readonly event: CalendarEvent | Occurrence; readonly from: number }[] = [];
  for await (const { value } of walk(reader, events, { filter: within(where, window), page: PAGE })) {
    for (const event of slots(value, window, dayZone).events) {
      if (found.length === MOST_OCCURRENCES)
        throw errors.ErrorInvalidRequest({
          reason: `Between 'startDateTime' and 'endDateTime' there are more than ${MOST_OCCURRENCES} events; use a shorter range.`,
        });
      found.push({ event, from: spanOf(event, dayZone).from });
    }
  }
  found.sort((a, b) => a.from - b.from || compareText(a.event.uid, b.event.uid) || slotOrder(a.event, b.event));
  return found.map(({ event }) => event);
}

const slotOrder = (a: CalendarEvent | Occurrence, b: CalendarEvent | Occurrence): number =>
  isOccurrence(a) && isOccurrence(b) ? a.slot - b.slot : 0;

/**
 * Finds events that may take place within the window. All-day events are stored in UTC and shown in another zone, so the filter includes a
 * day on either side.
 */
export const within = (where: Filter, { from, to }: Span): Filter => ({
  op: 'and',
  args: [
    where,
    { op: 'lt', field: 'spanFrom', value: to + DAY_MS },
    {
      op: 'or',
      args: [
        { op: 'eq', field: 'spanTo', value: null },
        { op: 'ge', field: 'spanTo', value: from - DAY_MS },
      ],
    },
  ],
});
