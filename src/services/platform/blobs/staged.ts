import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { deletingSlices } from '../../../kernel/store/index.ts';
import { HOUR_MS } from '../../../kernel/time/index.ts';
import { handleWork, runInSteps } from '../../../kernel/work/index.ts';
import { errors } from '../errors.ts';
import type { PlatformJar } from '../jar.ts';
import { blobPieces } from './collections.ts';
import { appendToBlob, type Blob, newBlobId, PIECE_BYTES, putBlob } from './store.ts';
import { DROP_BLOB, dropBlobId } from './work.ts';

/** An upload that nobody finishes within this time is removed. */
const UNFINISHED_MS = HOUR_MS;
/** Bytes that are written in one transaction. */
const WRITTEN_AT_ONCE = 5 * PIECE_BYTES;

type BlobJar = Pick<Jar, 'store' | 'clock'>;

/** Bytes on their way into a file: in memory where they are few, otherwise written already and due to be dropped unless a file takes them. */
export type Content = { readonly bytes: Buffer } | { readonly staged: Blob };

export const sizeOf = (content: Content): number => ('bytes' in content ? content.bytes.length : content.staged.size);

/** Writes what comes, a few pieces at a time: an upload is never whole in memory. `counted` gets the size so far, and throws to refuse more. */
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
      const id = dropBlobId(blob.blob);
      if (blob.size === 0) await tx.schedule(DROP_BLOB.at(clock.now() + UNFINISHED_MS, { blob: blob.blob }, id));
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

/** In the transaction that gives the bytes to a file. */
export async function keep(tx: Tx, content: Content): Promise<Blob> {
  if ('bytes' in content) return putBlob(tx, content.bytes);
  if (!(await tx.cancel(dropBlobId(content.staged.blob))))
    throw errors.ABORTED({ reason: 'The upload took too long: what had come of it was removed.' });
  return content.staged;
}

/** Nobody wants it after all. */
export async function discard({ store, clock }: BlobJar, content: Content | undefined): Promise<void> {
  if (!content || 'bytes' in content || content.staged.size === 0) return;
  const { blob } = content.staged;
  await store.transact(async (tx) => {
    await tx.schedule(DROP_BLOB.at(clock.now(), { blob }, dropBlobId(blob)));
  });
}

export const dropBlobWork = handleWork(DROP_BLOB, async (item, jar: PlatformJar, halt) => {
  const prefix = `${item.payload.blob}/`;
  await runInSteps(item, jar, halt, [deletingSlices(jar.store, blobPieces, { prefix, limit: 50 })]);
});
