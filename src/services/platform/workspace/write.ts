import type { Tx } from '../../../kernel/store/index.ts';
import { type Content, keep } from '../blobs/staged.ts';
import { dropBlob } from '../blobs/store.ts';
import { platformError } from '../errors.ts';
import { callerIdentity, type PlatformCall, workspaceIn } from '../jar.ts';
import { checkBound } from '../limits/take.ts';
import type { Notebook } from '../notebooks/model.ts';
import { requireLevel } from '../permissions/guard.ts';
import { type TreeNode, treeNodes } from '../tree/collections.ts';
import { childrenKeyOf, claim, follow, isDirectory, keyOf, newNode } from '../tree/nodes.ts';
import { pathOf } from '../tree/paths.ts';
import { workspaceErrors } from './errors.ts';
import { guardedOf } from './guarded.ts';
import { checkNames, type Place, shownPath, treeOf } from './places.ts';

/** The new content of a path: a notebook, or a file with these bytes. */
export type Imported =
  | { readonly type: 'NOTEBOOK'; readonly notebook: Notebook }
  | { readonly type: 'FILE'; readonly content: Content };

/** The members of a node that depend on its bytes. */
export async function storedContent(
  tx: Tx,
  imported: Imported,
): Promise<Pick<TreeNode, 'type' | 'blob' | 'size' | 'language' | 'exportFormat'>> {
  if (imported.type === 'FILE') return { type: 'FILE', ...(await keep(tx, imported.content)) };
  const { notebook } = imported;
  const bytes = Buffer.from(JSON.stringify(notebook));
  const format = notebook.jupyter && { exportFormat: 'JUPYTER' as const };
  return { type: 'NOTEBOOK', language: notebook.language, ...format, ...(await keep(tx, { bytes })) };
}

/** Called before every write: checks the number of cells of a notebook and the size of a file. */
export function checkImported({ jar, facts }: PlatformCall, names: readonly string[], imported: Imported): void {
  const workspaceId = workspaceIn({ facts }).id;
  if (imported.type === 'NOTEBOOK')
    checkBound(jar, 'notebook-cells', [workspaceId, pathOf(names)], imported.notebook.cells.length);
}

export interface ObjectWrite {
  readonly place: Place;
  readonly overwrite: boolean;
  readonly imported: Imported;
}

/**
 * Called in a transaction: writes a notebook or file at a path. Its directory must exist; an overwritten object must have the same type.
 */
export async function writeObject(
  tx: Tx,
  call: PlatformCall,
  { place, overwrite, imported }: ObjectWrite,
): Promise<void> {
  const { names } = place;
  const path = shownPath(place, names);
  const name = names.at(-1);
  if (name === undefined) throw workspaceErrors.RESOURCE_ALREADY_EXISTS({ path });
  const tree = treeOf(call);
  const { nodes, missing } = await follow(tx, tree, names.slice(0, -1));
  const directory = nodes.at(-1);
  if (missing.length > 0 || (directory && !isDirectory(directory)))
    throw workspaceErrors.RESOURCE_DOES_NOT_EXIST__Parent({ path: shownPath(place, names.slice(0, -1)) });
  const parent = childrenKeyOf(directory);
  const there = await claim(tx, tree, parent, name);
  if (there) requireLevel(call, guardedOf([...nodes, there]), 'CAN_EDIT');
  else requireLevel(call, guardedOf(nodes), 'CAN_MANAGE');
  checkNames(call, [name], names.length - 1);
  if (there) checkOverwrite(there, path, overwrite, imported.type);
  const { jar } = call;
  const now = jar.clock.now();
  const created = newNode({ tree, parent, name, createdBy: callerIdentity(call).principal.id, now });
  const before: Omit<TreeNode, 'type'> = there ?? created;
  const { gitId: _gitId, exportFormat: _format, ...kept } = before;
  const node: TreeNode = { ...kept, modifiedAt: now, ...(await storedContent(tx, imported)) };
  if (there?.blob !== undefined) await dropBlob(tx, { blob: there.blob, size: there.size ?? 0 }, now);
  await tx.put(treeNodes, keyOf(node), node);
}

function checkOverwrite(there: TreeNode, path: string, overwrite: boolean, type: Imported['type']): void {
  if (there.type === 'FILE' && !overwrite) throw workspaceErrors.RESOURCE_ALREADY_EXISTS__File({ path });
  if (isDirectory(there) || !overwrite) throw workspaceErrors.RESOURCE_ALREADY_EXISTS({ path });
  if (there.type !== type)
    throw platformError(
      400,
      'INVALID_PARAMETER_VALUE',
      `Cannot overwrite the asset at ${path} due to type mismatch (asked: ${type}, actual: ${there.type}).`,
      [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          // Clients recognise this error by its reason.
          reason: 'WORKSPACE_OBJECT_TYPE_MISMATCH',
          domain: 'platform.vendor.example',
          metadata: { path, asked: type, actual: there.type },
        },
      ],
    );
}
