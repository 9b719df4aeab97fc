import { isStream } from '../blobs/body.ts';
import { type Content, discard, stage } from '../blobs/staged.ts';
import { errors } from '../errors.ts';
import { callerIdentity, type PlatformCall } from '../jar.ts';
import { follow, isDirectory, removeNode } from '../tree/nodes.ts';
import { claimNode, inVolume, writable } from './access.ts';
import { filesErrors } from './errors.ts';
import { checkSize, checkTarget, recordFile, storeFile } from './store-file.ts';

/** `overwrite` in the query. Default: true. */
export function overwrites({ query }: PlatformCall): boolean {
  const { overwrite = 'true' } = query;
  if (overwrite === 'true' || overwrite === '') return true;
  if (overwrite === 'false') return false;
  throw errors.INVALID_PARAMETER_VALUE({ reason: "The parameter 'overwrite' must be true or false." });
}

/** Throws if no file could be written now. The same check is repeated when the bytes have arrived. */
export async function checkUpload(call: PlatformCall, path: string, overwrite: boolean): Promise<void> {
  const place = await writable(call, path);
  if (place.names.length === 0) throw filesErrors.ALREADY_EXISTS__Directory({ path: place.path });
  const { nodes, missing } = await follow(call.jar.store, place.tree, place.names);
  if (missing.length === 0) checkTarget(nodes.at(-1), place.path, overwrite);
}

/** Uploads a file in one request. The file becomes visible when it is complete. */
export async function uploadFile(call: PlatformCall, path: string): Promise<void> {
  const overwrite = overwrites(call);
  await checkUpload(call, path, overwrite);
  checkSize(Number(call.headers['content-length'] ?? 0));
  const content: Content = isStream(call.body)
    ? await stage(call.jar, call.body, checkSize)
    : { bytes: Buffer.alloc(0) };
  try {
    await inVolume(call, path, async (tx, place) => {
      const writer = { by: callerIdentity(call).principal.id, volume: place.chain.target };
      await storeFile(tx, call.jar, writer, place, overwrite, content);
    });
  } catch (error) {
    await discard(call.jar, content);
    throw error;
  }
}

export const deleteFile = (call: PlatformCall, path: string): Promise<void> =>
  inVolume(call, path, async (tx, place) => {
    const file = place.names.length === 0 ? undefined : await claimNode(tx, place);
    if (!file || isDirectory(file)) throw filesErrors.NOT_FOUND({ path: place.path });
    await removeNode(tx, call.jar, file);
    await recordFile(tx, call.jar, 'delete', place.chain.target, place.volume, place.names);
  });
