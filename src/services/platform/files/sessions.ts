import { decodeSkipToken, encodeSkipToken } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import type { Reader, ReadLock, Tx } from '../../../kernel/store/index.ts';
import { runInSteps, workHandler } from '../../../kernel/work/index.ts';
import { dropBlob, newBlobId } from '../blobs/store.ts';
import { errors } from '../errors.ts';
import { callerIdentity, type PlatformCall, type PlatformJar, workspaceIn } from '../jar.ts';
import { writable } from './access.ts';
import { type FileUpload, fileUploads, partKey, uploadParts } from './collections.ts';
import { filesErrors } from './errors.ts';
import { LONGEST_MS } from './links.ts';
import { checkUpload, overwrites } from './upload.ts';
import { END_UPLOAD, endUploadId } from './work.ts';

/** Uploads that take several requests. */

const LIST = 'uploads of files';

/** Starts an upload. Returns the token by which the caller names it. */
export async function beginUpload(call: PlatformCall, path: string, kind: FileUpload['kind']): Promise<string> {
  const overwrite = overwrites(call);
  await checkUpload(call, path, overwrite);
  const { chain, path: shown } = await writable(call, path);
  const { jar } = call;
  const upload: FileUpload = {
    id: uuid(),
    workspaceId: workspaceIn(call).id,
    by: callerIdentity(call).principal.id,
    volume: chain.target.id,
    path: shown,
    overwrite,
    kind,
    expiresAt: jar.clock.now() + LONGEST_MS,
    ...(kind === 'resumable' && { blob: newBlobId(), size: 0 }),
  };
  await jar.store.transact(async (tx) => {
    await tx.put(fileUploads, upload.id, upload);
    await tx.schedule(END_UPLOAD.at(upload.expiresAt, { upload: upload.id }, endUploadId(upload.id)));
  });
  return encodeSkipToken(jar.vault, LIST, { upload: upload.id });
}

/** The caller's upload for this path. */
export async function uploadOf(
  call: PlatformCall,
  path: string,
  token: string,
  kind?: FileUpload['kind'],
): Promise<FileUpload> {
  const { path: shown } = await writable(call, path);
  const id = decodeSkipToken<{ readonly upload: string }>(call.jar.vault, LIST, token)?.upload;
  if (id === undefined)
    throw errors.INVALID_PARAMETER_VALUE({ reason: "The field 'session_token' is not the token of an upload." });
  const upload = await runningUpload(call.jar, call.jar.store, id, 'none');
  const isOwn = upload.by === callerIdentity(call).principal.id && upload.workspaceId === workspaceIn(call).id;
  if (!isOwn) throw filesErrors.NOT_FOUND__Upload({});
  if (upload.path !== shown)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `The upload is for ${upload.path}, not for ${shown}.` });
  if (kind && upload.kind !== kind)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `The upload is ${upload.kind}, not ${kind}.` });
  return upload;
}

/** Finds an upload that has neither ended nor expired. */
export async function runningUpload(
  { clock }: Pick<PlatformJar, 'clock'>,
  reader: Reader,
  id: string,
  lock: ReadLock,
): Promise<FileUpload> {
  const upload = (await reader.get(fileUploads, id, lock))?.value;
  if (!upload || upload.expiresAt <= clock.now()) throw filesErrors.NOT_FOUND__Upload({});
  return upload;
}

/** In a transaction: ends the upload. Due work removes its parts, and bytes that no file has claimed. */
export async function endUpload(
  tx: Tx,
  { clock }: PlatformJar,
  upload: FileUpload,
  { kept = false } = {},
): Promise<void> {
  await tx.delete(fileUploads, upload.id);
  if (!kept && upload.blob !== undefined)
    await dropBlob(tx, { blob: upload.blob, size: upload.size ?? 0 }, clock.now());
  await tx.schedule(END_UPLOAD.at(clock.now(), { upload: upload.id }, endUploadId(upload.id)));
}

/** Parts per transaction, since each may have megabytes to remove. */
const SLICE = 20;

/** Due work: removes an upload that has expired or ended. */
export const endUploadWork = workHandler(END_UPLOAD, async (item, jar: PlatformJar, halt) => {
  const { upload: id } = item.payload;
  const expire = async (): Promise<boolean> => {
    await jar.store.transact(async (tx) => {
      const upload = (await tx.get(fileUploads, id))?.value;
      if (!upload) return;
      await tx.delete(fileUploads, id);
      if (upload.blob !== undefined) await dropBlob(tx, { blob: upload.blob, size: upload.size ?? 0 }, jar.clock.now());
    });
    return false;
  };
  const parts = (): Promise<boolean> =>
    jar.store.transact(async (tx) => {
      const { items } = await tx.query(uploadParts, { prefix: partKey(id), limit: SLICE });
      for (const { key, value } of items) {
        await tx.delete(uploadParts, key);
        await dropBlob(tx, value, jar.clock.now());
      }
      return items.length === SLICE;
    });
  await runInSteps(item, jar, halt, [expire, parts]);
});
