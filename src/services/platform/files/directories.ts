import type { JsonMembers } from '../../../kernel/values/index.ts';
import { pageSize, readPage } from '../engine/paging.ts';
import { errors } from '../errors.ts';
import { callerIdentity, type PlatformCall } from '../jar.ts';
import { nodeKey, treeNodes } from '../tree/collections.ts';
import { childrenKeyOf, isDirectory, isEmpty, removeNode } from '../tree/nodes.ts';
import { claimNode, findDirectory, inVolume, readable } from './access.ts';
import { filesErrors } from './errors.ts';
import { makeDirectories, recordFile } from './store-file.ts';

const SIZES = { usual: 1000, most: 1000 } as const;

/** A page of the content of a directory, by name. Every page costs the same. */
export async function listDirectory(call: PlatformCall, path: string): Promise<JsonMembers> {
  const place = await readable(call, path);
  const directory = await findDirectory(call.jar.store, place);
  const { items, next } = await readPage(call, {
    collection: treeNodes,
    query: { prefix: nodeKey(place.tree, childrenKeyOf(directory), '') },
    size: pageSize(call.query, SIZES),
  });
  const contents = items.map(({ value }) => ({
    name: value.name,
    path: `${place.path}/${value.name}`,
    is_directory: isDirectory(value),
    ...(!isDirectory(value) && { file_size: value.size ?? 0 }),
    last_modified: value.modifiedAt,
  }));
  return { contents, ...(next !== undefined && { next_page_token: next }) };
}

export const createDirectory = (call: PlatformCall, path: string): Promise<void> =>
  inVolume(call, path, async (tx, place) => {
    const writer = { by: callerIdentity(call).principal.id, volume: place.chain.target };
    await makeDirectories(tx, call.jar, writer, place);
    await recordFile(tx, call.jar, 'mkdirs', writer.volume, place.volume, place.names);
  });

/** Deletes an empty directory. The root directory of a volume stays as long as the volume. */
export const deleteDirectory = (call: PlatformCall, path: string): Promise<void> =>
  inVolume(call, path, async (tx, place) => {
    if (place.names.length === 0)
      throw errors.INVALID_PARAMETER_VALUE({
        reason: `${place.path} is a volume; delete it with the volumes API of the catalog.`,
      });
    const directory = await claimNode(tx, place);
    if (!directory || !isDirectory(directory)) throw filesErrors.NOT_FOUND__Directory({ path: place.path });
    if (!(await isEmpty(tx, directory))) throw filesErrors.FILES_API_DIRECTORY_IS_NOT_EMPTY({ path: place.path });
    await removeNode(tx, call.jar, directory);
    await recordFile(tx, call.jar, 'delete', place.chain.target, place.volume, place.names);
  });
