import { readRange, retryIfGone } from '../blobs/store.ts';
import { wholeNumber } from '../engine/paging.ts';
import { errors } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';
import { childrenOf } from '../tree/children.ts';
import { childrenKeyOf, isDirectory } from '../tree/nodes.ts';
import { pathOf } from '../tree/paths.ts';
import { dbfsErrors } from './errors.ts';
import { fileInfo, findNode, treeOf } from './files.ts';

const MB = 1024 * 1024;
const USUAL_READ = MB / 2;
const MOST_READ = MB;

export async function readPart(call: PlatformCall, names: readonly string[]) {
  const offset = wholeNumber(call.query, 'offset') ?? 0;
  const length = wholeNumber(call.query, 'length') ?? USUAL_READ;
  for (const [field, value] of Object.entries({ offset, length }))
    if (value < 0) throw errors.INVALID_PARAMETER_VALUE({ reason: `The parameter '${field}' must not be negative.` });
  if (length > MOST_READ) throw dbfsErrors.MAX_READ_SIZE_EXCEEDED({ length, most: MOST_READ });
  const bytes = await retryIfGone(() => read(call, names, offset, length));
  return { bytes_read: bytes.length, data: bytes.toString('base64') };
}

async function read(call: PlatformCall, names: readonly string[], offset: number, length: number): Promise<Buffer> {
  const { store } = call.jar;
  const node = await findNode(store, treeOf(call), names);
  if (!node || isDirectory(node))
    throw errors.INVALID_PARAMETER_VALUE({ reason: `${pathOf(names)} is a directory, which cannot be read.` });
  const { blob = '', size = 0 } = node;
  return readRange(store, { blob, size }, offset, length);
}

/** The content of a directory, or the file itself. */
export async function list(call: PlatformCall, names: readonly string[]) {
  const tree = treeOf(call);
  const { store } = call.jar;
  const node = await findNode(store, tree, names);
  if (node && !isDirectory(node)) return [fileInfo(names, node)];
  const children = await childrenOf(store, tree, childrenKeyOf(node), names);
  return children.map((child) => fileInfo([...names, child.name], child));
}
