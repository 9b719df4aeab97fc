import type { MailCall } from '../../api/request.ts';
import { baseOf, containerId } from '../../api/show.ts';
import { changeKeyOf } from '../../mailbox/ids.ts';
import type { Address } from '../../messages/types.ts';
import type { Calendar, CalendarGroup, CalendarPermission, CalendarRole } from '../types.ts';

/** Calendars, calendar groups and permissions as the API shows them. */

/** Every calendar allows only the default provider, since no real meeting can be held here. */
const ALLOWED_PROVIDERS = ['teamsForBusiness'] as const;
const WRITERS: ReadonlySet<CalendarRole> = new Set([
  'write',
  'delegateWithoutPrivateEventAccess',
  'delegateWithPrivateEventAccess',
]);

export function shownCalendar(call: MailCall, calendar: Calendar): Record<string, unknown> {
  const { mailbox, sharing } = call;
  const role = sharing?.calendars.get(calendar.uid);
  const id = containerId(calendar.mailbox, calendar.uid);
  return {
    ...(call.version === 'beta' && { '@odata.id': `${baseOf(call)}/users('${mailbox.id}')/calendars('${id}')` }),
    id,
    name: calendar.name,
    color: calendar.color,
    hexColor: calendar.hexColor,
    ...(call.version === 'beta' && { calendarGroupId: containerId(calendar.mailbox, calendar.group) }),
    isDefaultCalendar: calendar.isDefault,
    changeKey: changeKeyOf(calendar.uid, calendar.number),
    canShare: role === undefined,
    canViewPrivateItems: role === undefined || role === 'delegateWithPrivateEventAccess',
    ...(call.version === 'beta' && {
      isShared: calendar.permissions.some(({ address }) => address !== null),
      isSharedWithMe: role !== undefined,
    }),
    canEdit: role === undefined || WRITERS.has(role),
    allowedOnlineMeetingProviders: ALLOWED_PROVIDERS,
    defaultOnlineMeetingProvider: calendar.defaultOnlineMeetingProvider,
    isTallyingResponses: calendar.isDefault,
    isRemovable: !calendar.isDefault,
    owner: { name: mailbox.displayName, address: mailbox.address },
  };
}

export const shownGroup = (group: CalendarGroup): Record<string, unknown> => ({
  name: group.name,
  classId: group.classId,
  changeKey: changeKeyOf(group.uid, group.number),
  id: containerId(group.mailbox, group.uid),
});

const READERS: readonly CalendarRole[] = ['freeBusyRead', 'limitedRead', 'read'];
const MEMBERS: readonly CalendarRole[] = ['none', ...READERS, 'write'];
const DELEGATES: readonly CalendarRole[] = [
  ...READERS,
  'write',
  'delegateWithoutPrivateEventAccess',
  'delegateWithPrivateEventAccess',
];

/** Addresses of the owner's domain belong to the owner's organization. */
export const isInside = (owner: string, who: Address | null): boolean =>
  who === null || domainOf(who.address) === domainOf(owner);

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();

/** Users outside the organization can only read. The organization as a whole (`who` is null) can write but cannot be a delegate. */
export const allowedRoles = (owner: string, who: Address | null): readonly CalendarRole[] =>
  who === null ? MEMBERS : isInside(owner, who) ? DELEGATES : READERS;

export const shownPermission = ({ mailbox }: MailCall, permission: CalendarPermission): Record<string, unknown> => ({
  id: permission.uid,
  isRemovable: permission.isRemovable,
  isInsideOrganization: isInside(mailbox.address, permission.address),
  role: permission.role,
  allowedRoles: allowedRoles(mailbox.address, permission.address),
  emailAddress: permission.address ?? { name: 'My Organization', address: null },
});
