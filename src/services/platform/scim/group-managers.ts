import { nameOf } from '../access/standing.ts';
import type { Principal, PrincipalKind } from '../accounts/collections.ts';
import { GROUP_MANAGER, hasRole } from '../accounts/roles.ts';
import { errors } from '../errors.ts';
import { accountIn, callerIdentity, type PlatformCall } from '../jar.ts';
import { forbidden } from './errors.ts';

/** Account groups are read, changed and deleted by account administrators and by principals with the manager role on the group. */

export const isManagedGroup = (kind: PrincipalKind, writers: 'admin' | 'accountAdmin'): boolean =>
  kind === 'group' && writers === 'accountAdmin';

/** Throws if the caller of an operation on one account group is neither. The rows of other operations declare who may call them. */
export async function requireGroupManager(call: PlatformCall, kind: PrincipalKind, id: string): Promise<void> {
  if (kind !== 'group' || call.route.traits?.scope !== 'account') return;
  const standing = callerIdentity(call);
  if (standing.isAccountAdmin || (await hasRole(call.jar.store, standing, id, GROUP_MANAGER))) return;
  const user = nameOf(standing.principal);
  throw errors.PERMISSION_DENIED__NotAccountAdmin({ user, account: accountIn(call).id });
}

/** A group manager cannot assign account roles. */
export function checkRoles(call: PlatformCall, before: Principal, after: Principal): void {
  if (callerIdentity(call).isAccountAdmin || call.route.traits?.scope !== 'account') return;
  if (after.roles.length !== before.roles.length || after.roles.some((role) => !before.roles.includes(role)))
    throw forbidden('Only administrators of the account can change the roles of a group.');
}
