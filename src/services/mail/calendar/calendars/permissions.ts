import { type Answer, created, noContent, ok } from '../../../../kernel/http/index.ts';
import { etag } from '../../../../kernel/ids/index.ts';
import type { Reader } from '../../../../kernel/store/index.ts';
import { anyValue, mistake, object, word } from '../../api/fields.ts';
import type { MailCall } from '../../api/request.ts';
import { baseOf, contextName } from '../../api/show.ts';
import { address } from '../../api/values.ts';
import { calendars } from '../../collections.ts';
import { errors } from '../../errors.ts';
import { changeMailbox } from '../../mailbox/writer.ts';
import type { Address } from '../../messages/types.ts';
import { findEvent } from '../find.ts';
import { CALENDAR_ROLES, type Calendar, type CalendarPermission, type CalendarRole } from '../types.ts';
import { updateCalendar } from './change.ts';
import { calendarNamed } from './find.ts';
import { allowedRoles, shownPermission } from './view.ts';

/** Permissions of a calendar: below `calendars/{calendar}` and below `events/{event}/calendar`. */

const MOST_PERMISSIONS = 500;

const permissionInput = object('calendarPermission', {
  role: word(CALENDAR_ROLES),
  emailAddress: address,
  id: anyValue,
  allowedRoles: anyValue,
  isInsideOrganization: anyValue,
  isRemovable: anyValue,
});

async function calendarAt(call: MailCall, reader: Reader): Promise<Calendar> {
  const { calendar } = call.params;
  if (calendar !== undefined) return calendarNamed(call, reader, calendar, call.place.calendarGroup);
  const { event } = await findEvent(call, reader);
  const found = (await reader.get(calendars, `${call.mailbox.id}/${event.calendar}`))?.value;
  if (!found) throw errors.ErrorItemNotFound();
  return found;
}

function permissionIn(call: MailCall, { permissions }: Calendar): CalendarPermission {
  const found = permissions.find(({ uid }) => uid === call.params.permission);
  if (!found) throw errors.ErrorItemNotFound();
  return found;
}

const context = (call: MailCall, rest = '') => ({
  '@odata.context': `${baseOf(call)}/$metadata#${contextName(call, `calendar/calendarPermissions${rest}`)}`,
});

export async function listPermissions(call: MailCall): Promise<Answer> {
  const { permissions } = await calendarAt(call, call.jar.store);
  return ok({ ...context(call), value: permissions.map((each) => shownPermission(call, each)) });
}

export async function getPermission(call: MailCall): Promise<Answer> {
  const permission = permissionIn(call, await calendarAt(call, call.jar.store));
  return ok({ ...context(call, '/$entity'), ...shownPermission(call, permission) });
}

function checkRole(call: MailCall, who: Address | null, role: CalendarRole): void {
  const allowed = allowedRoles(call.mailbox.address, who);
  if (!allowed.includes(role))
    throw errors.ErrorInvalidRequest(
      { reason: `The role '${role}' is not allowed here; allowed roles: ${allowed.join(', ')}.` },
      { target: 'role' },
    );
}

/** If the user already has a role, the new role replaces it. */
export function postPermission(call: MailCall): Promise<Answer> {
  const { role, emailAddress: who } = permissionInput(call.json(), '');
  if (!who || who.address === '') throw mistake('emailAddress/address', 'it is required');
  if (role === undefined) throw mistake('role', 'it is required');
  if (who.address.toLowerCase() === call.mailbox.address.toLowerCase())
    throw errors.ErrorInvalidRequest(
      { reason: 'The owner of a calendar already has full access to it.' },
      { target: 'emailAddress' },
    );
  checkRole(call, who, role);
  return changeMailbox(call.jar, call.mailbox, async (writer) => {
    const calendar = await calendarAt(call, writer.tx);
    const isOther = ({ address: each }: CalendarPermission): boolean =>
      each?.address.toLowerCase() !== who.address.toLowerCase();
    const known = calendar.permissions.find((each) => !isOther(each));
    const permission: CalendarPermission = { uid: known?.uid ?? etag(), role, address: who, isRemovable: true };
    const permissions = [...calendar.permissions.filter(isOther), permission];
    if (permissions.length > MOST_PERMISSIONS)
      throw errors.ErrorInvalidRequest({ reason: `A calendar can have at most ${MOST_PERMISSIONS} permissions.` });
    await updateCalendar(writer, calendar, { permissions });
    return created({ ...context(call, '/$entity'), ...shownPermission(call, permission) });
  });
}

export function patchPermission(call: MailCall): Promise<Answer> {
  const { role } = permissionInput(call.json(), '');
  return changeMailbox(call.jar, call.mailbox, async (writer) => {
    const calendar = await calendarAt(call, writer.tx);
    const before = permissionIn(call, calendar);
    if (role !== undefined) checkRole(call, before.address, role);
    const permission = { ...before, ...(role !== undefined && { role }) };
    const permissions = calendar.permissions.map((each) => (each.uid === before.uid ? permission : each));
    await updateCalendar(writer, calendar, { permissions });
    return ok({ ...context(call, '/$entity'), ...shownPermission(call, permission) });
  });
}

export const deletePermission = (call: MailCall): Promise<Answer> =>
  changeMailbox(call.jar, call.mailbox, async (writer) => {
    const calendar = await calendarAt(call, writer.tx);
    const permission = permissionIn(call, calendar);
    if (!permission.isRemovable)
      throw errors.ErrorInvalidRequest({
        reason: "The permission of 'My Organization' cannot be removed; its role can be set to 'none'.",
      });
    const permissions = calendar.permissions.filter(({ uid }) => uid !== permission.uid);
    await updateCalendar(writer, calendar, { permissions });
    return noContent();
  });
