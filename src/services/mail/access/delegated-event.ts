import type { Reader } from '../../../kernel/store/index.ts';
import type { Place } from '../api/path.ts';
import { isMaster } from '../calendar/content.ts';
import type { CalendarEvent } from '../calendar/types.ts';
import { calendars, mailboxes } from '../collections.ts';
import { errors } from '../errors.ts';
import type { MailJar } from '../jar.ts';
import { itemKey } from '../mailbox/create.ts';
import { mailboxMark, writeId } from '../mailbox/ids.ts';
import type { Mailbox } from '../mailbox/types.ts';
import { eventFor, eventsOfMeeting } from '../meetings/events.ts';
import { messageByKey } from '../messages/find.ts';
import type { MeetingMessage } from '../messages/types.ts';
import { roleOf, type Sharing } from './sharing.ts';

/** Meetings that a delegate handles: the message is in the delegate's mailbox, the event in the principal's. */

/**
 * The event that a delegate's message is about. Found by its UID, since events of a series can be merged while the message stays unchanged.
 */
export async function principalsEvent(
  reader: Pick<Reader, 'query'>,
  { uid, occurrence }: MeetingMessage,
  principal: string,
): Promise<CalendarEvent | undefined> {
  return eventFor(await eventsOfMeeting(reader, principal, uid), occurrence);
}

/** Resolves `messages/{message}/event`; undefined if the event is in the same mailbox as the message. */
export async function delegatedEvent(
  { store }: MailJar,
  mailbox: Mailbox,
  { message }: Place,
): Promise<{ readonly principal: string; readonly key: string } | undefined> {
  if (message === undefined) return undefined;
  const { meeting } = (await messageByKey(store, mailbox, message)).value;
  const { principal, occurrence } = meeting ?? {};
  if (!meeting || principal === undefined) return undefined;
  const event = await principalsEvent(store, meeting, principal);
  if (!event) throw errors.ErrorItemNotFound();
  const { uid, generation } = event;
  const day = occurrence !== undefined && isMaster(event) ? { day: occurrence } : {};
  const key = writeId({ form: 'immutable', mailboxMark: mailboxMark(principal), uid, generation, ...day });
  return { principal, key };
}

/** A delegate's view of the principal's calendar; undefined if the user is no longer a delegate. */
export async function delegatesView(
  reader: Reader,
  own: Mailbox,
  { calendar }: CalendarEvent,
  principal: string,
): Promise<{ readonly mailbox: Mailbox; readonly sharing: Sharing } | undefined> {
  const mailbox = (await reader.get(mailboxes, principal))?.value;
  const shared = (await reader.get(calendars, itemKey(principal, calendar)))?.value;
  const role = shared && roleOf(shared, own.address);
  if (!mailbox || !role?.startsWith('delegate')) return undefined;
  return { mailbox, sharing: { own, calendars: new Map([[calendar, role]]) } };
}
