import type { Caller } from '../../../kernel/auth/index.ts';
import { readAll } from '../../../kernel/store/index.ts';
import type { Calendar, CalendarPermission, CalendarRole } from '../calendar/types.ts';
import { calendars } from '../collections.ts';
import type { MailJar } from '../jar.ts';
import type { Mailbox } from '../mailbox/types.ts';
import type { Address } from '../messages/types.ts';
import { FULL_SCOPE, type NeedName } from './scopes.ts';

/** Shared calendars: the roles of users on calendars, and the role that an operation requires. */

/** The calendars of another user's mailbox that the caller may use with the current operation, by uid. */
export interface Sharing {
  /** The caller's own mailbox. */
  readonly own: Mailbox;
  readonly calendars: ReadonlyMap<string, CalendarRole>;
}

/** The caller, if the owner of the mailbox has shared a calendar with them; undefined if the caller is the owner or an application. */
export const actorOf = ({ sharing }: { readonly sharing?: Sharing }): Address | undefined =>
  sharing && { name: sharing.own.displayName, address: sharing.own.address };

/** Access level of a role: 1 sees the subject of an event, 2 reads it, 3 changes it. */
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

/** For operations on shared calendars: the access level that the role needs, and the scopes that the token needs. */
const SHARED_NEEDS: Partial<Record<NeedName, { readonly level: number; readonly scopes: readonly string[] }>> = {
  calendarBasic: { level: 1, scopes: ['calendars.read.shared', 'calendars.readwrite.shared'] },
  calendarRead: { level: 2, scopes: ['calendars.read.shared', 'calendars.readwrite.shared'] },
  calendarWrite: { level: 3, scopes: ['calendars.readwrite.shared'] },
};

/** Returns undefined if the token or the roles do not allow the operation on any calendar of the mailbox. */
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

/** The role of a user of the same organization on a calendar: the user's own role, otherwise that of the organization. */
export function roleOf({ permissions }: Calendar, address: string): CalendarRole {
  const isOwn = ({ address: who }: CalendarPermission): boolean =>
    who !== null && who.address.toLowerCase() === address.toLowerCase();
  const found = permissions.find(isOwn) ?? permissions.find((each) => each.address === null);
  return found?.role ?? 'none';
}
