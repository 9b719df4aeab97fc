import type { CalendarEvent } from '../calendar/types.ts';
import { events } from '../collections.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { uidKey } from './uid.ts';

/** The events of a mailbox that belong to one meeting: one, but for series that were split and occurrences that came without their series. */
export async function eventsOfMeeting({ tx, mailbox }: MailboxWriter, uid: string): Promise<readonly CalendarEvent[]> {
  const { items } = await tx.query(events, {
    filter: {
      op: 'and',
      args: [
        { op: 'eq', field: 'mailbox', value: mailbox.id },
        { op: 'eq', field: 'meetingKey', value: uidKey(uid) },
      ],
    },
    limit: MOST_EVENTS,
  });
  return items.map(({ value }) => value);
}

const MOST_EVENTS = 100;

/** The event that a mail about the whole, or about the occurrence of a day, is for. */
export function eventFor(all: readonly CalendarEvent[], day: string | undefined): CalendarEvent | undefined {
  const whole = all.find(({ loneOccurrence }) => loneOccurrence === undefined);
  if (day === undefined) return whole;
  return all.find(({ loneOccurrence }) => loneOccurrence === day) ?? (whole?.series ? whole : undefined);
}
