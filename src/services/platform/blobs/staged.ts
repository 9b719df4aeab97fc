import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { deletionSteps } from '../../../kernel/store/index.ts';
import { HOUR_MS } from '../../../kernel/time/index.ts';
import { runInSteps, workHandler } from '../../../kernel/work/index.ts';
import { errors } from '../errors.ts';
import type { PlatformJar } from '../jar.ts';
import { blobPieces } from './collections.ts';
import { appendToBlob, type Blob, newBlobId, PIECE_BYTES, putBlob } from './store.ts';
import { ABANDON_BLOB, abandonBlobId, DROP_BLOB, dropBlobId } from './work.ts';

/** An upload is abandoned after this long without new bytes. */
const UNFINISHED_MS = HOUR_MS;
/** Bytes that are written in one transaction. */
const WRITTEN_AT_ONCE = 5 * PIECE_BYTES;

type BlobJar = Pick<Jar, 'store' | 'clock'>;

/** Bytes of an upload: in memory if small, otherwise already stored, and abandoned unless a file claims them. */
export type Content = { readonly bytes: Buffer } | { readonly staged: Blob };

export const sizeOf = (content: Content): number => ('bytes' in content ? content.bytes.length : content.staged.size);

/**
 * Stores chunks as they arrive, a few pieces at a time: an upload is never completely in memory. `counted` receives the size so far, and
 * throws to refuse a larger upload.
 */
export async function stage(
  { store, clock }: BlobJar,
  chunks: AsyncIterable<Buffer>,
  counted: (size: number) => void,
): Promise<Content> {
  let blob: Blob = { blob: newBlobId(), size: 0 };
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  const flush = async (): Promise<void> => {
    const bytes = Buffer.concat(waiting, waitingBytes);
    [waiting, waitingBytes] = [[], 0];
    blob = await store.transact(async (tx) => {
      // If the earlier bytes were removed meanwhile, bytes stored after them would be orphaned.
      if (blob.size > 0) await claimStaged(tx, blob);
      await abandonAt(tx, blob, clock.now() + UNFINISHED_MS);
      return appendToBlob(tx, blob, bytes);
    });
  };
  try {
    for await (const chunk of chunks) {
      counted(blob.size + waitingBytes + chunk.length);
      waiting.push(chunk);
      waitingBytes += chunk.length;
      if (waitingBytes >= WRITTEN_AT_ONCE) await flush();
    }
    if (blob.size === 0) return { bytes: Buffer.concat(waiting, waitingBytes) };
    if (waitingBytes > 0) await flush();
  } catch (error) {
    await discard({ store, clock }, { staged: blob });
    throw error;
  }
  return { staged: blob };
}

/** Called in the transaction that gives the bytes to a file. */
export async function keep(tx: Tx, content: Content): Promise<Blob> {
  if ('bytes' in content) return putBlob(tx, content.bytes);
  await claimStaged(tx, content.staged);
  return content.staged;
}

/** Throws if the upload was already abandoned: its bytes are being removed. */
async function claimStaged(tx: Tx, { blob }: Blob): Promise<void> {
  if (!(await tx.cancel(abandonBlobId(blob))))
    throw errors.ABORTED({ reason: 'The upload took too long and was abandoned: the received bytes were removed.' });
}

const abandonAt = async (tx: Tx, { blob }: Blob, dueAt: number): Promise<void> => {
  await tx.schedule(ABANDON_BLOB.at(dueAt, { blob }, abandonBlobId(blob)));
};

/** Discards an upload that is not needed. Bytes that a file has claimed stay, even if the caller got an error later. */
export async function discard({ store, clock }: BlobJar, content: Content | undefined): Promise<void> {
  if (!content || 'bytes' in content || content.staged.size === 0) return;
  const { staged } = content;
  await store.transact(async (tx) => {
    if (await tx.cancel(abandonBlobId(staged.blob))) await dropNow(tx, staged, clock.now());
  });
}

const dropNow = async (tx: Tx, { blob }: Pick<Blob, 'blob'>, now: number): Promise<void> => {
  await tx.schedule(DROP_BLOB.at(now, { blob }, dropBlobId(blob)));
};

/** In one transaction, so that an upload is either claimed or removed completely. */
export const abandonBlob = workHandler(ABANDON_BLOB, (item, jar: PlatformJar) =>
  jar.store.transact(async (tx) => {
    await dropNow(tx, item.payload, jar.clock.now());
    await tx.complete(item);
  }),
);

export const dropBlobWork = workHandler(DROP_BLOB, async (item, jar: PlatformJar, halt) => {
  const prefix = `${item.payload.blob}/`;
  await runInSteps(item, jar, halt, [deletionSteps(jar.store, blobPieces, { prefix, limit: 50 })]);
});
