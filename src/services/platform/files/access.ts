import type { Reader, Tx } from '../../../kernel/store/index.ts';
import { metastoreIn, metastoreNow } from '../catalog/core/metastore.ts';
import { findVolume, type VolumePlace, volumePath } from '../catalog/volumes/places.ts';
import type { PlatformCall } from '../jar.ts';
import type { TreeNode } from '../tree/collections.ts';
import { childrenKeyOf, claim, follow, isDirectory } from '../tree/nodes.ts';
import { filesErrors } from './errors.ts';

/** Finds the volume of a path, for reading. */
export const readable = async (call: PlatformCall, path: string): Promise<VolumePlace> =>
  findVolume(call.jar.store, call, await metastoreIn(call), volumePath(path));

/** Runs a transaction with the volume of a path, if the caller may write to it; the volume is locked against removal. */
export async function inVolume<R>(
  call: PlatformCall,
  path: string,
  change: (tx: Tx, place: VolumePlace) => Promise<R>,
): Promise<R> {
  const metastore = await metastoreIn(call);
  return call.jar.store.transact(async (tx) => {
    const at = volumePath(path);
    return change(tx, await findVolume(tx, call, await metastoreNow(tx, metastore), at, { writes: true, lock: true }));
  });
}

/** Throws unless the caller may write to the volume. Called before the body is read. */
export const writable = async (call: PlatformCall, path: string): Promise<VolumePlace> =>
  findVolume(call.jar.store, call, await metastoreIn(call), volumePath(path), { writes: true });

export async function findFile(reader: Reader, { tree, names, path }: VolumePlace): Promise<TreeNode> {
  const { nodes, missing } = await follow(reader, tree, names);
  const node = nodes.at(-1);
  if (missing.length > 0 || !node || isDirectory(node)) throw filesErrors.NOT_FOUND({ path });
  return node;
}

/** The directory at a path. Returns undefined for the volume itself. */
export async function findDirectory(reader: Reader, { tree, names, path }: VolumePlace): Promise<TreeNode | undefined> {
  const { nodes, missing } = await follow(reader, tree, names);
  const node = nodes.at(-1);
  if (missing.length > 0 || (node && !isDirectory(node))) throw filesErrors.NOT_FOUND__Directory({ path });
  return node;
}

/** The node at a path, locked for removal: transactions that write it, or write into it, wait. */
export async function claimNode(tx: Tx, { tree, names }: VolumePlace): Promise<TreeNode | undefined> {
  const { nodes, missing } = await follow(tx, tree, names.slice(0, -1));
  const parent = nodes.at(-1);
  if (missing.length > 0 || (parent && !isDirectory(parent))) return undefined;
  return claim(tx, tree, childrenKeyOf(parent), names.at(-1) ?? '');
}
