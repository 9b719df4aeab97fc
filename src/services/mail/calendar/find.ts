import type { Reader, Stored } from '../../../kernel/store/index.ts';
import { EVENT_OF_MESSAGE } from '../api/path.ts';
import type { MailCall } from '../api/request.ts';
import { events } from '../collections.ts';
import { errors } from '../errors.ts';
import { itemKey } from '../mailbox/create.ts';
import { type ItemId, mailboxMark, readId } from '../mailbox/ids.ts';
import { findMessage } from '../messages/find.ts';
import { placedCalendar, usableCalendars } from './calendars/find.ts';
import { isDeleted, isMaster, occurrenceOn } from './content.ts';
import { isHidden } from './shared-view.ts';
import type { CalendarEvent, Occurrence } from './types.ts';

export interface FoundEvent {
  /** The stored document: a single event, or the whole series. */
  readonly stored: Stored<CalendarEvent>;
  readonly event: CalendarEvent;
  /** The day of the requested occurrence; absent for a single event and for a master. */
  readonly day?: string;
  /** The requested item: the event itself, or its occurrence. */
  readonly item: CalendarEvent | Occurrence;
}

/** The event that a path names by its key, in the calendar that the path names, or through the message that the path names. */
export async function findEvent(
  call: MailCall,
  reader: Reader = call.jar.store,
  key = call.params.event ?? '',
): Promise<FoundEvent> {
  const found = key === EVENT_OF_MESSAGE ? await eventOfMessage(call, reader) : await eventByKey(call, reader, key);
  const calendar = await placedCalendar(call, reader);
  const usable = usableCalendars(call);
  if (calendar && calendar.uid !== found.event.calendar) throw errors.ErrorItemNotFound();
  if (usable && !usable.includes(found.event.calendar)) throw errors.ErrorItemNotFound();
  // A caller who may not see a private event may not change it either.
  if (call.method !== 'GET' && call.method !== 'HEAD' && isHidden(call, found.item)) throw errors.ErrorAccessDenied();
  return found;
}

/** `OID.{masterId}.{day}`, beta version only: names any occurrence, also a changed or cancelled one. */
const OCCURRENCE_KEY = /^OID\.([\w+/=-]+)\.(\d{4}-\d{2}-\d{2})$/i;

async function eventByKey(call: MailCall, reader: Reader, key: string): Promise<FoundEvent> {
  const named = call.version === 'beta' ? OCCURRENCE_KEY.exec(key) : null;
  const id = readId(named?.[1] ?? key);
  if (!id) throw errors.ErrorInvalidIdMalformed();
  const stored = await storedEvent(call, reader, id);
  const day = named?.[2] ?? id.day;
  const found = day === undefined ? { stored, event: stored.value, item: stored.value } : occurrenceIn(stored, day);
  // This key can read a deleted occurrence, but not change it.
  const isLook = named !== null && (call.method === 'GET' || call.method === 'HEAD');
  if (!found || (!isLook && isGone(found))) throw errors.ErrorItemNotFound();
  return found;
}

/** An id is valid for one mailbox only. A regular (mutable) id becomes invalid when the event moves. */
async function storedEvent({ mailbox }: MailCall, reader: Reader, id: ItemId): Promise<Stored<CalendarEvent>> {
  const isOwn = id.mailboxMark === mailboxMark(mailbox.id);
  const stored = isOwn ? await reader.get(events, itemKey(mailbox.id, id.uid)) : undefined;
  if (!stored || (id.form === 'regular' && id.generation !== stored.value.generation % 2 ** 24))
    throw errors.ErrorItemNotFound();
  return stored;
}

function occurrenceIn(stored: Stored<CalendarEvent>, day: string): FoundEvent | undefined {
  const event = stored.value;
  const item = isMaster(event) ? occurrenceOn(event, day) : undefined;
  return item && { stored, event, day, item };
}

const isGone = ({ event, day }: FoundEvent): boolean => day !== undefined && isMaster(event) && isDeleted(event, day);

/** The event that a meeting message is about. Throws if the event no longer exists. */
async function eventOfMessage(call: MailCall, reader: Reader): Promise<FoundEvent> {
  const { meeting } = (await findMessage(call, reader, call.place.message ?? '')).value;
  const stored =
    meeting?.event === undefined ? undefined : await reader.get(events, itemKey(call.mailbox.id, meeting.event));
  if (!stored) throw errors.ErrorItemNotFound();
  const event = stored.value;
  if (meeting?.occurrence === undefined || !isMaster(event)) return { stored, event, item: event };
  const found = occurrenceIn(stored, meeting.occurrence);
  if (!found || isGone(found)) throw errors.ErrorItemNotFound();
  return found;
}
