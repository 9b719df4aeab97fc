import { nameOf } from '../access/standing.ts';
import type { Principal, PrincipalKind } from '../accounts/collections.ts';
import { GROUP_MANAGER, hasRole } from '../accounts/roles.ts';
import { errors } from '../errors.ts';
import { accountIn, type PlatformCall, standingIn } from '../jar.ts';
import { forbidden } from './errors.ts';

/** Groups of an account are read, changed and deleted by its administrators and by those who have the role of a manager on one. */

export const isManagedGroup = (kind: PrincipalKind, writers: 'admin' | 'accountAdmin'): boolean =>
  kind === 'group' && writers === 'accountAdmin';

/** Throws where an operation on one group of the account is called by somebody else. Other operations say in their row who may call them. */
export async function requireGroupManager(call: PlatformCall, kind: PrincipalKind, id: string): Promise<void> {
  if (kind !== 'group' || call.route.traits?.scope !== 'account') return;
  const standing = standingIn(call);
  if (standing.isAccountAdmin || (await hasRole(call.jar.store, standing, id, GROUP_MANAGER))) return;
  const user = nameOf(standing.principal);
  throw errors.PERMISSION_DENIED__NotAccountAdmin({ user, account: accountIn(call).id });
}

/** A manager of a group gives nobody a role on the account. */
export function checkRoles(call: PlatformCall, before: Principal, after: Principal): void {
  if (standingIn(call).isAccountAdmin || call.route.traits?.scope !== 'account') return;
  if (after.roles.length !== before.roles.length || after.roles.some((role) => !before.roles.includes(role)))
    throw forbidden('Only administrators of the account change the roles of a group.');
}
