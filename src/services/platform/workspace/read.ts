import type { Reader } from '../../../kernel/store/index.ts';
import { type Blob, readBlob } from '../blobs/store.ts';
import type { Notebook } from '../notebooks/model.ts';
import type { Guarded } from '../permissions/guard.ts';
import type { TreeNode } from '../tree/collections.ts';
import { follow } from '../tree/nodes.ts';
import { guardedOf } from './guarded.ts';
import { treeOfWorkspace, workspaceNames } from './places.ts';

/**
 * Reads notebooks and files by path without a call, for code that runs them. Permissions are checked separately, by `mayUse` in `guarded`.
 */

/** Reads a stored notebook. */
export async function notebookOf(reader: Reader, { blob = '', size = 0 }: TreeNode): Promise<Notebook> {
  const bytes = await readBlob(reader, { blob, size });
  return JSON.parse(bytes.toString('utf8')) as Notebook;
}

interface Found<Type extends TreeNode['type']> {
  readonly node: TreeNode & { readonly type: Type };
  readonly guarded: Guarded;
}

async function find<Type extends TreeNode['type']>(
  reader: Reader,
  workspaceId: string,
  path: string,
  type: Type,
): Promise<Found<Type> | undefined> {
  const { nodes, missing } = await follow(reader, treeOfWorkspace(workspaceId), workspaceNames(path));
  const last = nodes.at(-1);
  if (missing.length > 0 || last?.type !== type) return undefined;
  return { node: { ...last, type }, guarded: guardedOf(nodes) };
}

export interface FoundNotebook extends Found<'NOTEBOOK'> {
  readonly notebook: Notebook;
}

/** The notebook at a path, with or without the prefix `/Workspace`; undefined if it does not exist. */
export async function readNotebook(
  reader: Reader,
  workspaceId: string,
  path: string,
): Promise<FoundNotebook | undefined> {
  const found = await find(reader, workspaceId, path, 'NOTEBOOK');
  return found && { ...found, notebook: await notebookOf(reader, found.node) };
}

export interface FoundFile extends Found<'FILE'> {
  /** For `readBlob`, `readRange` and `streamBlob` (`blobs/store.ts`). */
  readonly blob: Blob;
}

/** The file at a path, without reading its bytes. */
export async function readFile(reader: Reader, workspaceId: string, path: string): Promise<FoundFile | undefined> {
  const found = await find(reader, workspaceId, path, 'FILE');
  return found && { ...found, blob: { blob: found.node.blob ?? '', size: found.node.size ?? 0 } };
}
