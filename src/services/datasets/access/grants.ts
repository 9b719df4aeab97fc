import { WORKSPACE_RIGHTS, type Workspace, type WorkspaceRight } from '../collections.ts';
import type { Dataset } from '../model/types.ts';
import { type Permission, permissionsOf } from './permissions.ts';
import { ROLES } from './roles.ts';

/** Whose rights are looked for: a caller, or somebody in a list of users. */
export interface Somebody {
  readonly tenantId: string;
  /** The object id in lower case. */
  readonly objectId: string;
  /** The ids under which lists of users may have them: their own, those of their groups, the whole organization's. */
  readonly principals: ReadonlySet<string>;
}

/** The highest right in a workspace that somebody has, by themselves or by a group. */
export function roleIn({ tenantId, users }: Workspace, somebody: Somebody): WorkspaceRight | undefined {
  if (tenantId.toLowerCase() !== somebody.tenantId) return undefined;
  const held = users.filter(({ principalId }) => somebody.principals.has(principalId)).map(({ right }) => right);
  return WORKSPACE_RIGHTS.findLast((right) => held.includes(right));
}

/** What a role in the workspace gives. A workspace that is gone gives nothing. */
export function inherited(workspace: Workspace | undefined, somebody: Somebody): ReadonlySet<Permission> {
  const role = workspace && roleIn(workspace, somebody);
  return new Set(role ? permissionsOf(ROLES[role].datasets) : []);
}

/** What the dataset's own list of users gives. */
export function shared({ tenantId, users = [] }: Dataset, somebody: Somebody): ReadonlySet<Permission> {
  if (tenantId.toLowerCase() !== somebody.tenantId) return new Set();
  const own = users.filter(({ principalId }) => somebody.principals.has(principalId));
  return new Set(own.flatMap(({ right }) => permissionsOf(right)));
}

/** All that somebody may do with a dataset. Its owner may share it as long as they may write it. */
export function permissionsFor(
  dataset: Dataset,
  workspace: Workspace | undefined,
  somebody: Somebody,
): ReadonlySet<Permission> {
  // What is left of a deleted workspace until it is removed is nobody's.
  if (!workspace) return new Set();
  const held = new Set([...inherited(workspace, somebody), ...shared(dataset, somebody)]);
  if (held.has('Write') && isOwner(dataset, somebody)) held.add('Reshare');
  return held;
}

export const isOwner = ({ ownerId }: Dataset, { objectId }: Pick<Somebody, 'objectId'>): boolean =>
  ownerId.toLowerCase() === objectId.toLowerCase();
