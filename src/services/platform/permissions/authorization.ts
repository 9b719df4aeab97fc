import type { Reader } from '../../../kernel/store/index.ts';
import { type CallerIdentity, isAdminOf } from '../access/standing.ts';
import { type Workspace, workspaces } from '../accounts/collections.ts';
import type { AclEntry } from './acl.ts';
import { authorizationKey, authorizations } from './collections.ts';
import type { PermissionedKind } from './guarded-kind.ts';

/** Features of a workspace that have permissions like objects: `/permissions/authorization/tokens`. */
const FEATURES: ReadonlySet<string> = new Set(['tokens', 'passwords']);

/** By default, all members of a workspace may use a feature. */
async function aclOf(
  reader: Pick<Reader, 'get'>,
  { id, usersGroup }: Pick<Workspace, 'id' | 'usersGroup'>,
  feature: string,
): Promise<readonly AclEntry[]> {
  const stored = (await reader.get(authorizations, authorizationKey(id, feature)))?.value;
  return stored?.acl ?? [{ kind: 'group', principal: usersGroup, level: 'CAN_USE' }];
}

export const AUTHORIZATIONS: PermissionedKind = {
  async find(reader, workspaceId, id) {
    const workspace = FEATURES.has(id) ? (await reader.get(workspaces, workspaceId, 'none'))?.value : undefined;
    return workspace && { type: 'authorization', id, acl: await aclOf(reader, workspace, id) };
  },
  async save(tx, workspaceId, feature, acl) {
    await tx.put(authorizations, authorizationKey(workspaceId, feature), { workspaceId, feature, acl });
  },
  // Each feature is an object type of its own in answers.
  objectType: (id) => id,
};

/** Whether a principal may use personal access tokens in a workspace. */
export async function mayUseTokens(
  reader: Pick<Reader, 'get'>,
  workspace: Pick<Workspace, 'id' | 'usersGroup' | 'adminsGroup'>,
  standing: CallerIdentity,
): Promise<boolean> {
  if (isAdminOf(standing, workspace)) return true;
  const acl = await aclOf(reader, workspace, 'tokens');
  return acl.some(({ principal }) => standing.ids.includes(principal));
}
