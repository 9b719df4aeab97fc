import type { Answer } from '../../../kernel/http/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { isStream } from '../blobs/body.ts';
import { appendToBlob, PIECE_BYTES } from '../blobs/store.ts';
import { chainById, fullNameOf } from '../catalog/core/chain.ts';
import { volumePath } from '../catalog/volumes/places.ts';
import { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';
import { type FileUpload, fileUploads } from './collections.ts';
import { filesErrors } from './errors.ts';
import { linkTo, readLink, untilOf } from './links.ts';
import { sentRangeOf } from './range.ts';
import { endUpload, runningUpload, uploadOf } from './sessions.ts';
import { checkSize, storeFile } from './store-file.ts';

/** Resumable uploads: every request to the link says which bytes it contains, and the answer how many have been received. */

const WRITTEN_AT_ONCE = 5 * PIECE_BYTES;

export async function resumableLink(call: PlatformCall): Promise<JsonMembers> {
  const sent = new Sent(call.body);
  const { id } = await uploadOf(call, sent.need('path'), sent.need('session_token'), 'resumable');
  const url = linkTo(call, { does: 'resume', upload: id }, untilOf(call, sent.text('expire_time')));
  return { resumable_upload_url: { url, headers: [] } };
}

/** Receives bytes at the link. The last byte completes the file. */
export async function receiveBytes(call: PlatformCall): Promise<Answer> {
  const { upload: id } = readLink(call, 'resume');
  const range = sentRangeOf(call.headers['content-range']);
  if (!range)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: 'The header Content-Range is required: bytes <from>-<to>/<total>, with * for unknown parts.',
    });
  const { jar, body } = call;
  let upload = await runningUpload(jar, jar.store, id, 'none');
  checkSize(Math.max(range.total ?? 0, (range.to ?? -1) + 1));
  const { from = 0 } = range;
  // Bytes after a gap are not read: the answer says where to continue.
  if (isStream(body) && range.from !== undefined && from <= (upload.size ?? 0))
    upload = await append(call, upload, body, from, range.to ?? from);
  const size = upload.size ?? 0;
  if (range.total !== undefined && size >= range.total) return finish(call, id);
  return { status: 308, headers: size > 0 ? { range: `bytes=0-${size - 1}` } : {} };
}

async function append(
  { jar }: PlatformCall,
  upload: FileUpload,
  body: AsyncIterable<Buffer>,
  from: number,
  to: number,
): Promise<FileUpload> {
  let now = upload;
  let waiting: Buffer[] = [];
  let bytes = 0;
  // Skips bytes that were already received.
  let skip = (upload.size ?? 0) - from;
  let left = to - from + 1;
  const flush = async (): Promise<void> => {
    const chunk = Buffer.concat(waiting, bytes);
    [waiting, bytes] = [[], 0];
    now = await jar.store.transact(async (tx) => {
      const current = await runningUpload(jar, tx, upload.id, 'update');
      // Another request is sending the same upload: the later one stops.
      if (current.size !== now.size) throw errors.ABORTED({ reason: 'Another request is sending the same upload.' });
      const { size } = await appendToBlob(tx, { blob: current.blob ?? '', size: current.size ?? 0 }, chunk);
      checkSize(size);
      const next = { ...current, size };
      await tx.put(fileUploads, next.id, next);
      return next;
    });
  };
  // Reads to the end, even beyond the declared range: if reading stops early, the request ends, and its response is lost.
  for await (const sent of body) {
    const chunk = sent.subarray(Math.min(skip, sent.length), Math.max(0, left));
    skip -= Math.min(skip, sent.length);
    left -= sent.length;
    if (chunk.length > 0) waiting.push(chunk);
    bytes += chunk.length;
    if (bytes >= WRITTEN_AT_ONCE) await flush();
  }
  if (bytes > 0) await flush();
  return now;
}

async function finish({ jar }: PlatformCall, id: string): Promise<Answer> {
  await jar.store.transact(async (tx) => {
    const upload = await runningUpload(jar, tx, id, 'update');
    const chain = await chainById(tx, upload.volume);
    if (!chain) throw filesErrors.NOT_FOUND({ path: upload.path });
    // The volume may have been renamed.
    const at = { ...volumePath(upload.path), volume: fullNameOf(chain) };
    const blob = { blob: upload.blob ?? '', size: upload.size ?? 0 };
    await storeFile(tx, jar, { by: upload.by, volume: chain.target }, at, upload.overwrite, blob);
    await endUpload(tx, jar, upload, { kept: true });
  });
  return { status: 200 };
}
