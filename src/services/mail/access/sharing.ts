import type { Caller } from '../../../kernel/auth/index.ts';
import { readAll } from '../../../kernel/store/index.ts';
import type { Calendar, CalendarPermission, CalendarRole } from '../calendar/types.ts';
import { calendars } from '../collections.ts';
import type { MailJar } from '../jar.ts';
import type { Mailbox } from '../mailbox/types.ts';
import type { Address } from '../messages/types.ts';
import { FULL_SCOPE, type NeedName } from './scopes.ts';

/** Calendars that others may use: who has which role on a calendar, and what an operation asks for. */

/** The calendars of another's mailbox that the caller may use with the operation at hand, by their uids. */
export interface Sharing {
  /** The mailbox of the caller. */
  readonly own: Mailbox;
  readonly calendars: ReadonlyMap<string, CalendarRole>;
}

/** Somebody with whom the owner of the mailbox shares a calendar; undefined where the owner, or an application, calls. */
export const actorOf = ({ sharing }: { readonly sharing?: Sharing }): Address | undefined =>
  sharing && { name: sharing.own.displayName, address: sharing.own.address };

/** What a role allows: 1 is to see what an event is about, 2 is to read it, 3 is to change it. */
const LEVELS: Readonly<Record<CalendarRole, number>> = {
  none: 0,
  freeBusyRead: 0,
  limitedRead: 1,
  custom: 1,
  read: 2,
  write: 3,
  delegateWithoutPrivateEventAccess: 3,
  delegateWithPrivateEventAccess: 3,
};

/** Of operations that others may use: the level that the role needs, and the permissions that the token needs. */
const SHARED_NEEDS: Partial<Record<NeedName, { readonly level: number; readonly scopes: readonly string[] }>> = {
  calendarBasic: { level: 1, scopes: ['calendars.read.shared', 'calendars.readwrite.shared'] },
  calendarRead: { level: 2, scopes: ['calendars.read.shared', 'calendars.readwrite.shared'] },
  calendarWrite: { level: 3, scopes: ['calendars.readwrite.shared'] },
};

/** Undefined where nothing of the mailbox is shared with the caller so. */
export async function sharingOf(
  jar: MailJar,
  caller: Caller,
  own: Mailbox,
  owner: Mailbox,
  needs: NeedName,
): Promise<Sharing | undefined> {
  const wanted = SHARED_NEEDS[needs];
  const granted = caller.scopes.map((scope) => scope.toLowerCase());
  if (!wanted || !(granted.includes(FULL_SCOPE) || wanted.scopes.some((scope) => granted.includes(scope))))
    return undefined;
  const all = await readAll(jar.store, calendars, { filter: { op: 'eq', field: 'mailbox', value: owner.id } });
  const usable = all.flatMap(({ value }) => {
    const role = roleOf(value, own.address);
    return LEVELS[role] >= wanted.level ? [[value.uid, role] as const] : [];
  });
  return usable.length === 0 ? undefined : { own, calendars: new Map(usable) };
}

/** The role of somebody of the same organization on a calendar: the own one, else that of everybody. */
export function roleOf({ permissions }: Calendar, address: string): CalendarRole {
  const isOwn = ({ address: who }: CalendarPermission): boolean =>
    who !== null && who.address.toLowerCase() === address.toLowerCase();
  const found = permissions.find(isOwn) ?? permissions.find((each) => each.address === null);
  return found?.role ?? 'none';
}
