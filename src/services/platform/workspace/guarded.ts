import type { CallerIdentity } from '../access/standing.ts';
import type { Workspace } from '../accounts/collections.ts';
import type { AclEntry } from '../permissions/acl.ts';
import { allows, type Guarded } from '../permissions/guard.ts';
import type { PermissionedKind } from '../permissions/guarded-kind.ts';
import type { ObjectType } from '../permissions/levels.ts';
import { type NodeType, type TreeNode, treeNodes } from '../tree/collections.ts';
import { findById, keyOf } from '../tree/nodes.ts';
import { treeOfWorkspace } from './places.ts';

/** Permissions of workspace objects: direct ones, and those inherited from every parent directory. */

const TYPES: Readonly<Record<NodeType, ObjectType>> = {
  DIRECTORY: 'directories',
  FILE: 'files',
  NOTEBOOK: 'notebooks',
  REPO: 'repos',
};

const guarded = ({ id, type, acl = [] }: TreeNode): Guarded => ({ type: TYPES[type], id, acl });

/** Only administrators have permissions on the root. */
const ROOT_GUARDED: Guarded = { type: 'directories', id: '0', acl: [] };

/** The last of these nodes, each of which contains the next; the root if the list is empty. */
export function guardedOf(nodes: readonly TreeNode[]): Guarded {
  const last = nodes.at(-1);
  if (!last) return ROOT_GUARDED;
  return { ...guarded(last), parents: [...nodes.slice(0, -1).reverse().map(guarded), ROOT_GUARDED] };
}

/** Returns true if a principal has a level on an object, outside of a call: for the principal that a job runs as. */
export const mayUse = (
  who: { readonly standing: CallerIdentity; readonly workspace: Workspace },
  object: Guarded,
  level: string,
): boolean => allows({ facts: who }, object, level);

const guardedKind = (type: NodeType): PermissionedKind => ({
  async find(reader, workspaceId, id) {
    const nodes = await findById(reader, treeOfWorkspace(workspaceId), id);
    return nodes?.at(-1)?.type === type ? guardedOf(nodes) : undefined;
  },
  async save(tx, workspaceId, id, acl: readonly AclEntry[]) {
    const node = (await findById(tx, treeOfWorkspace(workspaceId), id))?.at(-1);
    if (node) await tx.put(treeNodes, keyOf(node), { ...node, acl });
  },
});

export const GUARDED_DIRECTORIES = guardedKind('DIRECTORY');
export const GUARDED_FILES = guardedKind('FILE');
export const GUARDED_NOTEBOOKS = guardedKind('NOTEBOOK');
export const GUARDED_REPOS = guardedKind('REPO');
