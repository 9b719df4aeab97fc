import { numericId } from '../../../kernel/ids/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { MINUTE_MS } from '../../../kernel/time/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import { appendToBlob, dropBlob, newBlobId } from '../blobs/store.ts';
import { callerIdentity, type PlatformCall, type PlatformJar, workspaceIn } from '../jar.ts';
import { follow } from '../tree/nodes.ts';
import { type DbfsHandle, dbfsHandles, handleKey } from './collections.ts';
import { dbfsErrors } from './errors.ts';
import { checkTarget, type FileWrite, treeOf, writeFile } from './files.ts';
import { EXPIRE_HANDLE, expireHandleId } from './work.ts';

/** A handle that is unused for this long is closed, and its bytes are discarded. */
const IDLE_MS = 10 * MINUTE_MS;

async function putHandle(tx: Tx, jar: PlatformJar, handle: Omit<DbfsHandle, 'expiresAt'>): Promise<void> {
  const key = handleKey(handle.workspaceId, handle.id);
  const expiresAt = jar.clock.now() + IDLE_MS;
  await tx.put(dbfsHandles, key, { ...handle, expiresAt });
  await tx.schedule(EXPIRE_HANDLE.at(expiresAt, { key }, expireHandleId(key)));
}

/** Returns the id of the handle. The file becomes visible when the handle is closed; the target is checked now as well. */
export async function openHandle(call: PlatformCall, { names, overwrite }: FileWrite): Promise<string> {
  const { jar } = call;
  const id = numericId();
  await jar.store.transact(async (tx) => {
    const { nodes, missing } = await follow(tx, treeOf(call), names);
    if (missing.length === 0) checkTarget(nodes.at(-1), names, overwrite);
    if (names.length === 0) throw dbfsErrors.RESOURCE_ALREADY_EXISTS({ path: '/' });
    const owner = callerIdentity(call).principal.id;
    const workspaceId = workspaceIn(call).id;
    await putHandle(tx, jar, { id, workspaceId, owner, names, overwrite, blob: newBlobId(), size: 0 });
  });
  return id;
}

/** A handle of the caller. Handles of other callers are not found. */
async function findHandle(tx: Tx, call: PlatformCall, id: string): Promise<DbfsHandle> {
  const found = (await tx.get(dbfsHandles, handleKey(workspaceIn(call).id, id)))?.value;
  if (!found || found.owner !== callerIdentity(call).principal.id || found.expiresAt <= call.jar.clock.now())
    throw dbfsErrors.RESOURCE_DOES_NOT_EXIST__Handle({ handle: id });
  return found;
}

export const addBlock = (call: PlatformCall, id: string, bytes: Buffer): Promise<void> =>
  call.jar.store.transact(async (tx) => {
    const handle = await findHandle(tx, call, id);
    const { size } = bytes.length === 0 ? handle : await appendToBlob(tx, handle, bytes);
    await putHandle(tx, call.jar, { ...handle, size });
  });

export const closeHandle = (call: PlatformCall, id: string): Promise<void> =>
  call.jar.store.transact(async (tx) => {
    const handle = await findHandle(tx, call, id);
    const { names, overwrite, blob, size } = handle;
    await writeFile(tx, call, { names, overwrite }, { blob, size });
    const key = handleKey(handle.workspaceId, id);
    await tx.delete(dbfsHandles, key);
    await tx.cancel(expireHandleId(key));
  });

export const expireHandle = workHandler(EXPIRE_HANDLE, async (item, jar: PlatformJar) => {
  await jar.store.transact(async (tx) => {
    const { key } = item.payload;
    const handle = (await tx.get(dbfsHandles, key))?.value;
    if (handle && handle.expiresAt <= jar.clock.now()) {
      await tx.delete(dbfsHandles, key);
      await dropBlob(tx, handle, jar.clock.now());
    }
    await tx.complete(item);
  });
});
