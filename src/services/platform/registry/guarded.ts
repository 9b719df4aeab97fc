import type { Reader, Tx } from '../../../kernel/store/index.ts';
import { type Workspace, workspaces } from '../accounts/collections.ts';
import type { AclEntry } from '../permissions/acl.ts';
import type { Guarded } from '../permissions/guard.ts';
import type { PermissionedKind } from '../permissions/guarded-kind.ts';
import { MAY_CREATE, ROOT_ID } from '../permissions/levels.ts';
import { modelKey, models, type RegisteredModel, registryRoots } from './collections.ts';

const TYPE = 'registered-models';

/** The parent object of all models of a workspace: a level on it applies to every model. */
export async function rootOf(
  reader: Pick<Reader, 'get'>,
  { id, usersGroup }: Pick<Workspace, 'id' | 'usersGroup'>,
): Promise<Guarded> {
  const stored = (await reader.get(registryRoots, id, 'none'))?.value;
  const acl = stored?.acl ?? [{ kind: 'group', principal: usersGroup, level: MAY_CREATE }];
  return { type: TYPE, id: ROOT_ID, acl };
}

/** A model with its inherited permissions. */
export const guardedModel = ({ id, acl }: Pick<RegisteredModel, 'id' | 'acl'>, root: Guarded): Guarded => ({
  type: TYPE,
  id,
  acl,
  parents: [{ ...root, acl: root.acl.filter(({ level }) => level !== MAY_CREATE) }],
});

/** Gives the permissions API access to registered models and their parent object. */
export const GUARDED_MODELS: PermissionedKind = {
  async find(reader: Reader, workspaceId: string, id: string): Promise<Guarded | undefined> {
    const workspace = (await reader.get(workspaces, workspaceId, 'none'))?.value;
    if (!workspace) return undefined;
    const root = await rootOf(reader, workspace);
    if (id === ROOT_ID) return root;
    const found = (await reader.get(models, modelKey(workspaceId, id)))?.value;
    return found && guardedModel(found, root);
  },
  async save(tx: Tx, workspaceId: string, id: string, acl: readonly AclEntry[]): Promise<void> {
    if (id === ROOT_ID) {
      await tx.put(registryRoots, workspaceId, { acl });
      return;
    }
    const key = modelKey(workspaceId, id);
    const found = (await tx.get(models, key))?.value;
    if (found) await tx.put(models, key, { ...found, acl });
  },
};
