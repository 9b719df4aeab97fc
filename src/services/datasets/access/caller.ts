import type { Caller } from '../../../kernel/auth/index.ts';
import type { WorkspaceUser } from '../collections.ts';
import type { DatasetsCall } from '../jar.ts';
import type { Grantee } from './grants.ts';
import { organizationId } from './principal.ts';

export function callerOf({ caller }: Pick<DatasetsCall, 'caller'>): Caller {
  if (!caller) throw new Error('the call has no caller: the authentication step has not run');
  return caller;
}

export function granteeOf(call: Pick<DatasetsCall, 'caller'>): Grantee {
  const { objectId, tenantId, claims } = callerOf(call);
  const own = objectId.toLowerCase();
  const tenant = tenantId.toLowerCase();
  return {
    tenantId: tenant,
    objectId: own,
    principals: new Set([own, organizationId(tenant), ...groupsIn(claims.groups)]),
  };
}

/** The directory has no groups: the token's groups claim lists the caller's groups, as an array or as space-separated text. */
function groupsIn(claim: unknown): readonly string[] {
  const names: readonly unknown[] = typeof claim === 'string' ? claim.split(/\s+/) : Array.isArray(claim) ? claim : [];
  return names.filter((name) => typeof name === 'string' && name !== '').map((name) => String(name).toLowerCase());
}

/** The caller as the first user of a workspace. */
export const ownerOf = ({ kind, objectId, name, claims }: Caller): WorkspaceUser => ({
  principalId: objectId.toLowerCase(),
  principalType: kind === 'user' ? 'User' : 'App',
  right: 'Admin',
  identifier: kind === 'user' ? name : objectId,
  displayName: typeof claims.name === 'string' ? claims.name : name,
  ...(kind === 'user' && { emailAddress: name }),
});
