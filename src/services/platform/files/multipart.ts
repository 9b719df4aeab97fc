import { createHash } from 'node:crypto';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { isStream } from '../blobs/body.ts';
import { type Content, discard, keep, sizeOf, stage } from '../blobs/staged.ts';
import { BlobGone, blobParts, dropBlob } from '../blobs/store.ts';
import { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import { callerIdentity, type PlatformCall } from '../jar.ts';
import { inVolume } from './access.ts';
import { type FileUpload, partKey, type UploadPart, uploadParts } from './collections.ts';
import { filesErrors } from './errors.ts';
import { linkTo, readLink, untilOf } from './links.ts';
import { endUpload, runningUpload, uploadOf } from './sessions.ts';
import { checkSize, storeFile } from './store-file.ts';

/** Multipart uploads: each part is sent to its own link. */

const MOST_PARTS = 10_000;
const MOST_LINKS = 1000;
/** Headers that clients send with each request to a link. */
const HEADERS = [{ name: 'Content-Type', value: 'application/octet-stream' }] as const;

/** Links for parts, starting at a number. */
export async function partLinks(call: PlatformCall): Promise<JsonMembers> {
  const sent = new Sent(call.body);
  const { id } = await uploadOf(call, sent.need('path'), sent.need('session_token'), 'multipart');
  const first = sent.whole('start_part_number') ?? 1;
  const count = sent.whole('count') ?? 1;
  if (first < 1 || count < 1 || count > MOST_LINKS || first + count - 1 > MOST_PARTS)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `Parts must have numbers from 1 to ${MOST_PARTS}, and at most ${MOST_LINKS} links can be requested at once.`,
    });
  const until = untilOf(call, sent.text('expire_time'));
  return {
    upload_part_urls: Array.from({ length: count }, (_, index) => ({
      url: linkTo(call, { does: 'part', upload: id, part: first + index }, until),
      part_number: first + index,
      headers: [...HEADERS],
    })),
  };
}

/** Receives a part at its link; a part may be sent repeatedly. Returns its ETag. */
export async function receivePart(call: PlatformCall): Promise<string> {
  const { upload: id, part } = readLink(call, 'part');
  const { jar, body } = call;
  await runningUpload(jar, jar.store, id, 'none');
  const hash = createHash('md5');
  const content: Content = isStream(body)
    ? await stage(jar, hashed(body, hash), checkSize)
    : { bytes: Buffer.alloc(0) };
  const etag = `"${hash.digest('hex')}"`;
  try {
    await jar.store.transact(async (tx) => {
      await runningUpload(jar, tx, id, 'share');
      const key = partKey(id, part);
      await tx.lock(`platform.upload-part:${key}`);
      const before = (await tx.get(uploadParts, key))?.value;
      if (before) await dropBlob(tx, before, jar.clock.now());
      await tx.put(uploadParts, key, { number: part, etag, ...(await keep(tx, content)) });
    });
  } catch (error) {
    await discard(jar, content);
    throw error;
  }
  return etag;
}

async function* hashed(body: AsyncIterable<Buffer>, hash: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    hash.update(chunk);
    yield chunk;
  }
}

/** Completes the upload: the file consists of the named parts, in order. */
export async function completeUpload(call: PlatformCall, path: string): Promise<void> {
  const { session_token: token, upload_type: type = 'multipart' } = call.query;
  if (typeof token !== 'string' || token === '')
    throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'session_token' });
  if (type !== 'multipart')
    throw errors.INVALID_PARAMETER_VALUE({ reason: "The parameter 'upload_type' must be multipart." });
  const upload = await uploadOf(call, path, token, 'multipart');
  const parts = await namedParts(call, upload);
  checkSize(parts.reduce((size, part) => size + part.size, 0));
  const { jar } = call;
  const content = await joined(call, parts);
  try {
    await inVolume(call, path, async (tx, place) => {
      const { overwrite } = await runningUpload(jar, tx, upload.id, 'update');
      const writer = { by: callerIdentity(call).principal.id, volume: place.chain.target };
      await storeFile(tx, jar, writer, place, overwrite, content);
      await endUpload(tx, jar, upload);
    });
  } catch (error) {
    if (sizeOf(content) > 0) await discard(jar, content);
    throw error;
  }
}

/** Joins the parts into one file. If parts disappear meanwhile, another request has completed or aborted the upload. */
async function joined(call: PlatformCall, parts: readonly UploadPart[]): Promise<Content> {
  try {
    return await stage(call.jar, bytesOf(call, parts), checkSize);
  } catch (error) {
    if (error instanceof BlobGone) throw filesErrors.NOT_FOUND__Upload({}, { cause: error });
    throw error;
  }
}

async function* bytesOf({ jar }: PlatformCall, parts: readonly UploadPart[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield* blobParts(jar.store, part);
}

async function namedParts(call: PlatformCall, upload: FileUpload): Promise<readonly UploadPart[]> {
  const named = new Sent(call.body).list('parts') ?? [];
  if (named.length > MOST_PARTS)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `An upload can have at most ${MOST_PARTS} parts.` });
  const parts: UploadPart[] = [];
  let last = 0;
  for (const each of named) {
    const number = each.whole('part_number') ?? 0;
    if (number <= last)
      throw errors.INVALID_PARAMETER_VALUE({
        reason: 'The parts must be in ascending order of their numbers, without duplicates.',
      });
    last = number;
    const found = (await call.jar.store.get(uploadParts, partKey(upload.id, number)))?.value;
    if (!found || unquoted(each.text('etag') ?? '') !== unquoted(found.etag))
      throw errors.INVALID_PARAMETER_VALUE({ reason: `The part ${number} was not uploaded with this ETag.` });
    parts.push(found);
  }
  return parts;
}

const unquoted = (etag: string): string => etag.replaceAll('"', '');

/** A link that aborts the upload. */
export async function abortLink(call: PlatformCall): Promise<JsonMembers> {
  const sent = new Sent(call.body);
  const { id } = await uploadOf(call, sent.need('path'), sent.need('session_token'));
  const url = linkTo(call, { does: 'abort', upload: id }, untilOf(call, sent.text('expire_time')));
  return { abort_upload_url: { url, headers: [...HEADERS] } };
}

export async function abortUpload(call: PlatformCall): Promise<void> {
  const { upload: id } = readLink(call, 'abort', 'resume');
  await call.jar.store.transact(async (tx) => endUpload(tx, call.jar, await runningUpload(call.jar, tx, id, 'update')));
}
