import { numericId } from '../../../kernel/ids/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { eq, type Reader, type ReadLock, type Tx } from '../../../kernel/store/index.ts';
import { dropBlob } from '../blobs/store.ts';
import { nodeKey, ROOT, type TreeNode, treeNodes } from './collections.ts';
import { PURGE_DIRECTORY, purgeDirectoryId } from './work.ts';

/**
 * Moving and deleting change the ancestors of nodes; a transaction reads the ancestors of a node with this lock, so that none is removed
 * meanwhile.
 */
const ABOVE: ReadLock = 'share';

export const isDirectory = ({ inside }: TreeNode): boolean => inside !== undefined;

/** The existing part of a path. */
export interface Way {
  /** From the root down. */
  readonly nodes: readonly TreeNode[];
  /** The names at the end of the path that do not exist. */
  readonly missing: readonly string[];
}

/** Follows a path. A file has no children. */
export async function follow(reader: Reader, tree: string, names: readonly string[]): Promise<Way> {
  const nodes: TreeNode[] = [];
  let parent: string | undefined = ROOT;
  for (const [index, name] of names.entries()) {
    const found: TreeNode | undefined =
      parent === undefined ? undefined : (await reader.get(treeNodes, nodeKey(tree, parent, name), ABOVE))?.value;
    if (!found) return { nodes, missing: names.slice(index) };
    nodes.push(found);
    parent = found.inside;
  }
  return { nodes, missing: [] };
}

/**
 * The node of an id with its ancestors, topmost first. A node without a path from the root is not found: it is about to be removed, or not
 * attached yet.
 */
export async function findById(reader: Reader, tree: string, id: string): Promise<readonly TreeNode[] | undefined> {
  const { items } = await reader.query(treeNodes, { filter: eq('id', `${tree}/${id}`), limit: 10 });
  for (const { value } of items) {
    const above = await nodesAbove(reader, value);
    if (above) return [...above, value];
  }
  return undefined;
}

async function nodesAbove(reader: Reader, { tree, parent }: TreeNode): Promise<readonly TreeNode[] | undefined> {
  const nodes: TreeNode[] = [];
  for (let inside = parent; inside !== ROOT; ) {
    const { items } = await reader.query(treeNodes, { filter: eq('inside', `${tree}/${inside}`), limit: 1 });
    const above = items[0]?.value;
    if (!above) return undefined;
    nodes.unshift(above);
    inside = above.parent;
  }
  return nodes;
}

export const keyOf = ({ tree, parent, name }: TreeNode): string => nodeKey(tree, parent, name);

/** The `parent` value for children of this node; undefined stands for the root. */
export const childrenKeyOf = (node: TreeNode | undefined): string => (node ? (node.inside ?? '') : ROOT);

export interface NewNode extends Pick<TreeNode, 'tree' | 'parent' | 'name' | 'createdBy'> {
  readonly now: number;
}

export const newNode = ({ now, ...given }: NewNode) => ({
  ...given,
  id: numericId(),
  createdAt: now,
  modifiedAt: now,
});

export function newDirectory(given: NewNode): TreeNode & { readonly inside: string } {
  const node = newNode(given);
  return { ...node, type: 'DIRECTORY', inside: node.id };
}

/**
 * The node of this name in a directory, for a transaction that writes it. Locks the name, so that no concurrent transaction creates,
 * changes or removes a node of that name.
 */
export async function claim(tx: Tx, tree: string, parent: string, name: string): Promise<TreeNode | undefined> {
  const key = nodeKey(tree, parent, name);
  await tx.lock(`platform.tree:${key}`);
  return (await tx.get(treeNodes, key))?.value;
}

/**
 * Creates the missing directories of a path; returns the last node, or undefined for the root. Uses a node that was created meanwhile, even
 * if it is not a directory: the caller has to check.
 */
export async function addDirectories(
  tx: Tx,
  { nodes, missing }: Way,
  given: Pick<NewNode, 'tree' | 'createdBy' | 'now'>,
): Promise<TreeNode | undefined> {
  let last = nodes.at(-1);
  for (const name of missing) {
    if (last && !isDirectory(last)) return last;
    const parent = childrenKeyOf(last);
    const made = await claim(tx, given.tree, parent, name);
    const directory: TreeNode = made ?? newDirectory({ ...given, parent, name });
    if (!made) await tx.put(treeNodes, keyOf(directory), directory);
    last = directory;
  }
  return last;
}

export async function isEmpty(reader: Reader, { tree, inside }: TreeNode): Promise<boolean> {
  const { items } = await reader.query(treeNodes, { prefix: nodeKey(tree, inside ?? '', ''), limit: 1 });
  return items.length === 0;
}

/** Detaches a node from its tree. The content of a directory is no longer reachable, and due work removes it. */
export async function removeNode(tx: Tx, { clock }: Pick<Jar, 'clock'>, node: TreeNode): Promise<void> {
  const { tree, inside, blob, size = 0 } = node;
  await tx.delete(treeNodes, keyOf(node));
  if (blob !== undefined) await dropBlob(tx, { blob, size }, clock.now());
  if (inside !== undefined) await schedulePurge(tx, tree, inside, clock.now());
}

export async function schedulePurge(tx: Tx, tree: string, inside: string, dueAt: number): Promise<void> {
  await tx.schedule(PURGE_DIRECTORY.at(dueAt, { tree, inside }, purgeDirectoryId(tree, inside)));
}
