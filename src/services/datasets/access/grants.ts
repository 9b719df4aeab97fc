import { WORKSPACE_RIGHTS, type Workspace, type WorkspaceRight } from '../collections.ts';
import type { Dataset } from '../model/types.ts';
import { type Permission, permissionsOf } from './permissions.ts';
import { ROLES } from './roles.ts';

/** A principal whose rights are evaluated: the caller, or an entry in a list of users. */
export interface Grantee {
  readonly tenantId: string;
  /** Lower case. */
  readonly objectId: string;
  /** The principal ids that match this principal in a list of users: its own, those of its groups, and that of the whole organization. */
  readonly principals: ReadonlySet<string>;
}

/** The highest workspace right, granted directly or through a group. */
export function roleIn({ tenantId, users }: Workspace, grantee: Grantee): WorkspaceRight | undefined {
  if (tenantId.toLowerCase() !== grantee.tenantId) return undefined;
  const held = users.filter(({ principalId }) => grantee.principals.has(principalId)).map(({ right }) => right);
  return WORKSPACE_RIGHTS.findLast((right) => held.includes(right));
}

/** The dataset permissions granted by the role in the workspace. A deleted workspace grants none. */
export function inherited(workspace: Workspace | undefined, grantee: Grantee): ReadonlySet<Permission> {
  const role = workspace && roleIn(workspace, grantee);
  return new Set(role ? permissionsOf(ROLES[role].datasets) : []);
}

/** The permissions granted by the dataset's own list of users. */
export function shared({ tenantId, users = [] }: Dataset, grantee: Grantee): ReadonlySet<Permission> {
  if (tenantId.toLowerCase() !== grantee.tenantId) return new Set();
  const own = users.filter(({ principalId }) => grantee.principals.has(principalId));
  return new Set(own.flatMap(({ right }) => permissionsOf(right)));
}

/** All permissions on a dataset. The owner may also share the dataset while they have Write permission. */
export function permissionsFor(
  dataset: Dataset,
  workspace: Workspace | undefined,
  grantee: Grantee,
): ReadonlySet<Permission> {
  // Until a deleted workspace is purged, nobody has rights to its datasets.
  if (!workspace) return new Set();
  const held = new Set([...inherited(workspace, grantee), ...shared(dataset, grantee)]);
  if (held.has('Write') && isOwner(dataset, grantee)) held.add('Reshare');
  return held;
}

export const isOwner = ({ ownerId }: Dataset, { objectId }: Pick<Grantee, 'objectId'>): boolean =>
  ownerId.toLowerCase() === objectId.toLowerCase();
