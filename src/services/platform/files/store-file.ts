import type { Tx } from '../../../kernel/store/index.ts';
import { type Content, keep } from '../blobs/staged.ts';
import { type Blob, dropBlob } from '../blobs/store.ts';
import type { Securable } from '../catalog/core/securables.ts';
import type { VolumePath } from '../catalog/volumes/places.ts';
import { treeOfVolume } from '../catalog/volumes/tree.ts';
import type { PlatformJar } from '../jar.ts';
import { type TreeNode, treeNodes } from '../tree/collections.ts';
import { addDirectories, childrenKeyOf, claim, follow, isDirectory, keyOf, newNode } from '../tree/nodes.ts';
import { filesErrors } from './errors.ts';

/** Writes to the tree of a volume. All functions run in a transaction that has found the volume. */

/** Maximum size of a file. */
export const MOST_BYTES = 5 * 1024 ** 3;

/** Throws if an upload exceeds the maximum file size. */
export function checkSize(size: number): void {
  if (size > MOST_BYTES) throw filesErrors.FILES_API_FILE_SIZE_EXCEEDED({ most: MOST_BYTES });
}

export interface Writer {
  /** The id of the principal. */
  readonly by: string;
  readonly volume: Securable;
}

/** Creates all directories of a path. Returns the last one, or undefined for the volume itself. */
export async function makeDirectories(
  tx: Tx,
  jar: PlatformJar,
  { by, volume }: Writer,
  { names, path }: Pick<VolumePath, 'names' | 'path'>,
): Promise<TreeNode | undefined> {
  const tree = treeOfVolume(volume);
  const way = await follow(tx, tree, names);
  const file = way.nodes.find((node) => !isDirectory(node));
  if (file) throw filesErrors.ALREADY_EXISTS__File({ path });
  const made = await addDirectories(tx, way, { tree, createdBy: by, now: jar.clock.now() });
  if (made && !isDirectory(made)) throw filesErrors.ALREADY_EXISTS__File({ path });
  return made;
}

/** Throws if no file can be written: the target is a directory, or a file that must not be overwritten. */
export function checkTarget(there: TreeNode | undefined, path: string, overwrite: boolean): void {
  if (there && isDirectory(there)) throw filesErrors.ALREADY_EXISTS__Directory({ path });
  if (there && !overwrite) throw filesErrors.ALREADY_EXISTS({ path });
}

/** Makes these bytes the file at the path. */
export async function storeFile(
  tx: Tx,
  jar: PlatformJar,
  writer: Writer,
  { names, path, volume: fullName }: VolumePath,
  overwrite: boolean,
  content: Content | Blob,
): Promise<TreeNode> {
  const name = names.at(-1);
  if (name === undefined) throw filesErrors.ALREADY_EXISTS__Directory({ path });
  const tree = treeOfVolume(writer.volume);
  const parent = childrenKeyOf(await makeDirectories(tx, jar, writer, { names: names.slice(0, -1), path }));
  const there = await claim(tx, tree, parent, name);
  checkTarget(there, path, overwrite);
  const now = jar.clock.now();
  const { blob, size } = 'blob' in content ? content : await keep(tx, content);
  const { blob: oldBlob, size: oldSize = 0 } = there ?? {};
  if (oldBlob !== undefined) await dropBlob(tx, { blob: oldBlob, size: oldSize }, now);
  const fresh = newNode({ tree, parent, name, createdBy: writer.by, now });
  const file: TreeNode = { ...(there ?? { ...fresh, type: 'FILE' }), blob, size, modifiedAt: now };
  await tx.put(treeNodes, keyOf(file), file);
  await recordFile(tx, jar, 'write', writer.volume, fullName, names);
  return file;
}

export const recordFile = (
  tx: Tx,
  { clock }: Pick<PlatformJar, 'clock'>,
  kind: string,
  { metastore }: Securable,
  volume: string,
  names: readonly string[],
): Promise<void> =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/metastores/${metastore}/volume/${volume}/files/${names.join('/')}`,
    outcome: 'Succeeded',
    at: clock.now(),
    data: { volume, path: names.join('/') },
  });
