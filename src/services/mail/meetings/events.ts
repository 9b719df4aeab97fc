import type { Reader } from '../../../kernel/store/index.ts';
import { isMaster } from '../calendar/content.ts';
import type { CalendarEvent } from '../calendar/types.ts';
import { events } from '../collections.ts';
import { formatDate } from '../zones/wall.ts';
import { MOST_OCCURRENCES } from './meeting-mail.ts';
import { uidKey } from './uid.ts';

/**
 * The events of a mailbox that belong to one meeting, by start. There is one, except for split series and for occurrences that arrived
 * without their series.
 */
export async function eventsOfMeeting(
  reader: Pick<Reader, 'query'>,
  mailbox: string,
  uid: string,
): Promise<readonly CalendarEvent[]> {
  const { items } = await reader.query(events, {
    filter: {
      op: 'and',
      args: [
        { op: 'eq', field: 'mailbox', value: mailbox },
        { op: 'eq', field: 'meetingKey', value: uidKey(uid) },
      ],
    },
    limit: MOST_OCCURRENCES,
  });
  return items.map(({ value }) => value).sort((a, b) => a.start.wall - b.start.wall || (a.uid < b.uid ? -1 : 1));
}

export const isLoneOccurrence = ({ loneOccurrence }: CalendarEvent): boolean => loneOccurrence !== undefined;

/**
 * The event to which a mail about the whole meeting, or about the occurrence of a day, applies. For a split series, the part that has the
 * day.
 */
export function eventFor(all: readonly CalendarEvent[], day: string | undefined): CalendarEvent | undefined {
  const parts = all.filter((event) => !isLoneOccurrence(event));
  if (day === undefined) return parts[0];
  const lone = all.find(({ loneOccurrence }) => loneOccurrence === day);
  if (lone) return lone;
  const series = parts.filter(isMaster);
  return series.findLast(({ start }) => formatDate(start.wall) <= day) ?? series[0];
}
