import type { Reader } from '../../../../kernel/store/index.ts';
import { DEFAULT_CALENDAR } from '../../api/path.ts';
import type { MailCall } from '../../api/request.ts';
import { calendarGroups, calendars } from '../../collections.ts';
import { errors } from '../../errors.ts';
import { itemKey } from '../../mailbox/create.ts';
import { mailboxMark, readContainerId } from '../../mailbox/ids.ts';
import type { Mailbox } from '../../mailbox/types.ts';
import type { Calendar, CalendarGroup } from '../types.ts';

/** Resolves a client's calendar key to a uid: the key is an id, or `calendar` for the default calendar. */
export function calendarUid(mailbox: Mailbox, key: string): string {
  if (key.toLowerCase() === DEFAULT_CALENDAR) return mailbox.calendar;
  return containerUid(mailbox, key);
}

function containerUid(mailbox: Mailbox, key: string): string {
  const id = readContainerId(key);
  if (!id) throw errors.ErrorInvalidIdMalformed();
  if (id.mailboxMark !== mailboxMark(mailbox.id)) throw errors.ErrorItemNotFound();
  return id.uid;
}

type Where = Pick<MailCall, 'mailbox' | 'sharing'>;

export async function calendarNamed(
  { mailbox, sharing }: Where,
  reader: Reader,
  key: string,
  group?: string,
): Promise<Calendar> {
  const calendar = (await reader.get(calendars, itemKey(mailbox.id, calendarUid(mailbox, key))))?.value;
  if (!calendar) throw errors.ErrorItemNotFound();
  if (sharing && !sharing.calendars.has(calendar.uid)) throw errors.ErrorAccessDenied();
  if (group !== undefined && calendar.group !== (await groupNamed(reader, mailbox, group)).uid)
    throw errors.ErrorItemNotFound();
  return calendar;
}

/** Uids of the calendars that the caller may use; undefined if the caller may use all of them. */
export const usableCalendars = ({ sharing }: Pick<MailCall, 'sharing'>): readonly string[] | undefined =>
  sharing && [...sharing.calendars.keys()];

export async function groupNamed(reader: Reader, mailbox: Mailbox, key: string): Promise<CalendarGroup> {
  const group = (await reader.get(calendarGroups, itemKey(mailbox.id, containerUid(mailbox, key))))?.value;
  if (!group) throw errors.ErrorItemNotFound();
  return group;
}

/** The calendar (and its group) that the path names in front of its items; undefined if the path names none. */
export const placedCalendar = async (
  call: Where & Pick<MailCall, 'place'>,
  reader: Reader,
): Promise<Calendar | undefined> => {
  const { calendar, calendarGroup } = call.place;
  return calendar === undefined ? undefined : calendarNamed(call, reader, calendar, calendarGroup);
};
