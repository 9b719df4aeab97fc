import type { Jar } from '../../../../kernel/service/index.ts';
import type { Reader, Tx } from '../../../../kernel/store/index.ts';
import { type Content, keep } from '../../blobs/staged.ts';
import { dropBlob } from '../../blobs/store.ts';
import type { TreeNode } from '../../tree/collections.ts';
import { treeNodes } from '../../tree/collections.ts';
import {
  addDirectories,
  childrenKeyOf,
  claim,
  follow,
  isDirectory,
  keyOf,
  newNode,
  removeNode,
} from '../../tree/nodes.ts';
import { trackingErrors } from '../errors.ts';
import { resolvedPath } from '../names.ts';

/**
 * Files of experiments: one directory tree per workspace, in which the artifacts of a run are at `<experiment>/<run>/artifacts`, whatever
 * the artifact location of the experiment.
 */

export const artifactTree = (workspaceId: string): string => `${workspaceId}/artifacts`;

/** The service publishes no limits for these; keys of the store have a maximum length, and each directory costs a read. */
const LONGEST_NAME = 500;
const MOST_NAMES = 100;
const LONGEST_PATH = 16_384;

const invalidPath = (path: string) =>
  trackingErrors.INVALID_PARAMETER_VALUE({ reason: `Invalid path: ${path.slice(0, 300)}` });

const FORBIDDEN = /[\\#?\0]|%(?:23|2e|2f|3f|5c|00)/i;

/** The names on a relative path; empty for an empty path. Refuses paths that could leave their directory or be taken for a URL. */
export function artifactNames(path: string): readonly string[] {
  const isSafe =
    path.length <= LONGEST_PATH &&
    path.isWellFormed() &&
    !path.startsWith('/') &&
    !/^[a-z]:/i.test(path) &&
    !FORBIDDEN.test(path) &&
    !path.split('/').includes('..');
  if (!isSafe) throw invalidPath(path);
  const resolved = resolvedPath(path);
  const names = resolved === '.' ? [] : resolved.split('/');
  if (names.length > MOST_NAMES || names.some((name) => name.length > LONGEST_NAME)) throw invalidPath(path);
  return names;
}

/** The node at this path; undefined if it does not exist. */
export async function findArtifact(
  reader: Reader,
  workspaceId: string,
  names: readonly string[],
): Promise<TreeNode | undefined> {
  const { nodes, missing } = await follow(reader, artifactTree(workspaceId), names);
  return missing.length > 0 ? undefined : nodes.at(-1);
}

interface ArtifactWrite {
  readonly workspaceId: string;
  readonly names: readonly string[];
  readonly createdBy: string;
}

/**
 * Called in a transaction: writes these bytes as the file. Creates missing parent directories; a directory is never overwritten, nor a file
 * turned into a directory.
 */
export async function writeArtifact(
  tx: Tx,
  { clock }: Pick<Jar, 'clock'>,
  { workspaceId, names, createdBy }: ArtifactWrite,
  content: Content,
): Promise<void> {
  const tree = artifactTree(workspaceId);
  const now = clock.now();
  const name = names.at(-1);
  const way = await follow(tx, tree, names.slice(0, -1));
  const last = way.nodes.at(-1);
  const directory = last && !isDirectory(last) ? last : await addDirectories(tx, way, { tree, createdBy, now });
  if (name === undefined || (directory && !isDirectory(directory))) throw invalidPath(names.join('/'));
  const parent = childrenKeyOf(directory);
  const there = await claim(tx, tree, parent, name);
  if (there && isDirectory(there)) throw invalidPath(names.join('/'));
  const { blob, size } = await keep(tx, content);
  const file: TreeNode = {
    ...(there ?? { ...newNode({ tree, parent, name, createdBy, now }), type: 'FILE' }),
    modifiedAt: now,
    blob,
    size,
  };
  if (there?.blob !== undefined) await dropBlob(tx, { blob: there.blob, size: there.size ?? 0 }, now);
  await tx.put(treeNodes, keyOf(file), file);
}

/** Called in a transaction: removes a file, or a directory with its content. Returns false if the path does not exist. */
export async function removeArtifacts(
  tx: Tx,
  jar: Pick<Jar, 'clock'>,
  workspaceId: string,
  names: readonly string[],
): Promise<boolean> {
  const tree = artifactTree(workspaceId);
  const name = names.at(-1);
  if (name === undefined) return false;
  const { nodes, missing } = await follow(tx, tree, names.slice(0, -1));
  const node = missing.length > 0 ? undefined : await claim(tx, tree, childrenKeyOf(nodes.at(-1)), name);
  if (node) await removeNode(tx, jar, node);
  return node !== undefined;
}
