import type { Reader, Tx } from '../../../kernel/store/index.ts';
import { type Content, keep } from '../blobs/staged.ts';
import { type Blob, dropBlob } from '../blobs/store.ts';
import { errors } from '../errors.ts';
import { callerIdentity, type PlatformCall, workspaceIn } from '../jar.ts';
import { type TreeNode, treeNodes } from '../tree/collections.ts';
import { addDirectories, childrenKeyOf, claim, follow, isDirectory, keyOf, newNode, type Way } from '../tree/nodes.ts';
import { namesOn, pathOf } from '../tree/paths.ts';
import { dbfsErrors } from './errors.ts';

/** Files and directories of the workspace's file system. All members of the workspace may use all of it. */

/** The service publishes no limit for names; keys of the store have one. */
const LONGEST_NAME = 500;
/** The service publishes no limit for nesting either; each level costs one read. */
const MOST_NAMES = 250;

export const treeOf = (call: Pick<PlatformCall, 'facts'>): string => `${workspaceIn(call).id}/dbfs`;

/** Command-line clients write `dbfs:/…`. */
export function dbfsNames(path: string, field = 'path'): readonly string[] {
  const names = namesOn(path.startsWith('dbfs:/') ? path.slice('dbfs:'.length) : path, field);
  if (names.length > MOST_NAMES)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `The field '${field}' has more than ${MOST_NAMES} names.` });
  if (names.some((name) => [...name].length > LONGEST_NAME))
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `The field '${field}' has a name of more than ${LONGEST_NAME} characters.`,
    });
  return names;
}

/** The node at a path. Returns undefined for the root. */
export async function findNode(reader: Reader, tree: string, names: readonly string[]): Promise<TreeNode | undefined> {
  const { nodes, missing } = await follow(reader, tree, names);
  if (missing.length > 0) throw dbfsErrors.RESOURCE_DOES_NOT_EXIST({ path: pathOf(names) });
  return nodes.at(-1);
}

/** Creates all directories of a path and returns the last one. Throws if a part of the path is a file. */
export async function makeDirectories(
  tx: Tx,
  call: PlatformCall,
  names: readonly string[],
): Promise<TreeNode | undefined> {
  const tree = treeOf(call);
  const way: Way = await follow(tx, tree, names);
  const last = way.nodes.at(-1);
  const createdBy = callerIdentity(call).principal.id;
  const made =
    last && !isDirectory(last) ? last : await addDirectories(tx, way, { tree, createdBy, now: call.jar.clock.now() });
  if (made && !isDirectory(made))
    throw dbfsErrors.RESOURCE_ALREADY_EXISTS__File({ path: pathOf(names), file: made.name });
  return made;
}

/** Throws if no file can be written at this path: it is a directory, or a file that must not be overwritten. */
export function checkTarget(there: TreeNode | undefined, names: readonly string[], overwrite: boolean): void {
  if (there && (isDirectory(there) || !overwrite)) throw dbfsErrors.RESOURCE_ALREADY_EXISTS({ path: pathOf(names) });
}

export interface FileWrite {
  readonly names: readonly string[];
  readonly overwrite: boolean;
}

/** In a transaction: writes these bytes as the file at the path, and creates missing parent directories. */
export async function writeFile(
  tx: Tx,
  call: PlatformCall,
  { names, overwrite }: FileWrite,
  content: Content | Blob,
): Promise<void> {
  const name = names.at(-1);
  if (name === undefined) throw dbfsErrors.RESOURCE_ALREADY_EXISTS({ path: '/' });
  const tree = treeOf(call);
  const parent = childrenKeyOf(await makeDirectories(tx, call, names.slice(0, -1)));
  const there = await claim(tx, tree, parent, name);
  checkTarget(there, names, overwrite);
  const { jar } = call;
  const now = jar.clock.now();
  const { blob, size } = 'blob' in content ? content : await keep(tx, content);
  const created = newNode({ tree, parent, name, createdBy: callerIdentity(call).principal.id, now });
  const file: TreeNode = { ...(there ?? { ...created, type: 'FILE' }), modifiedAt: now, blob, size };
  if (there?.blob !== undefined) await dropBlob(tx, { blob: there.blob, size: there.size ?? 0 }, now);
  await tx.put(treeNodes, keyOf(file), file);
  await recordChange(tx, call, 'write', names);
}

export const recordChange = (tx: Tx, call: PlatformCall, kind: string, names: readonly string[]): Promise<void> =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/${workspaceIn(call).id}/dbfs${pathOf(names)}`,
    outcome: 'Succeeded',
    at: call.jar.clock.now(),
    data: { path: pathOf(names) },
  });

export function fileInfo(names: readonly string[], node: TreeNode | undefined) {
  const isDir = !node || isDirectory(node);
  return {
    path: pathOf(names),
    is_dir: isDir,
    file_size: isDir ? 0 : (node.size ?? 0),
    modification_time: node?.modifiedAt ?? 0,
  };
}
