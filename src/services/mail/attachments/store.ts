import { etag } from '../../../kernel/ids/index.ts';
import { type Reader, readAll, type Tx } from '../../../kernel/store/index.ts';
import { copyBlob, deleteBlob, putBlob } from '../blobs/store.ts';
import { attachments } from '../collections.ts';
import type { Attachment } from './types.ts';

/** Key of an attachment: the key of its item, `{mailbox}/{uid}`, and its own uid. */

const keyOf = (item: string, uid: string): string => `${item}/${uid}`;

const MOST_NAMES = 1000;

/** Attachment names that a message stores for searches. */
export const searchedNames = (all: readonly Pick<Attachment, 'name'>[]): readonly string[] =>
  all.slice(0, MOST_NAMES).map(({ name }) => name);

/** Ordered by when they were added. */
export async function attachmentsOf(reader: Reader, item: string): Promise<readonly Attachment[]> {
  const found = await readAll(reader, attachments, { prefix: `${item}/` });
  return inOrder(found.map(({ value }) => value));
}

export const inOrder = (attachments: readonly Attachment[]): readonly Attachment[] =>
  attachments.toSorted((a, b) => (a.position ?? -1) - (b.position ?? -1));

export const getAttachment = async (reader: Reader, item: string, uid: string): Promise<Attachment | undefined> =>
  (await reader.get(attachments, keyOf(item, uid)))?.value;

/** Stores an attachment after the existing ones, with its bytes if it has any. */
export async function putAttachment(
  tx: Tx,
  item: string,
  given: Omit<Attachment, 'uid' | 'blob' | 'owner'> & Partial<Pick<Attachment, 'uid' | 'blob'>>,
  bytes?: Buffer,
): Promise<Attachment> {
  const attachment: Attachment = {
    ...given,
    owner: item,
    position: given.position ?? (await tx.count(attachments, { prefix: `${item}/` })),
    uid: given.uid ?? etag(),
    ...(bytes && { blob: await putBlob(tx, bytes) }),
  };
  await tx.put(attachments, keyOf(item, attachment.uid), attachment);
  return attachment;
}

export async function deleteAttachment(tx: Tx, item: string, { uid, blob }: Attachment): Promise<void> {
  await tx.delete(attachments, keyOf(item, uid));
  if (blob !== undefined) await deleteBlob(tx, blob);
}

export async function deleteAttachments(tx: Tx, item: string): Promise<void> {
  for (const attachment of await attachmentsOf(tx, item)) await deleteAttachment(tx, item, attachment);
}

export const copyAttachments = async (tx: Tx, from: string, to: string): Promise<void> =>
  putCopies(tx, await attachmentsOf(tx, from), to);

/** Copies attachments to another item, after its existing ones. */
export async function putCopies(tx: Tx, all: readonly Attachment[], to: string): Promise<void> {
  for (const { uid: _, position: _position, blob, ...rest } of all)
    await putAttachment(tx, to, { ...rest, ...(blob !== undefined && { blob: await copyBlob(tx, blob) }) });
}
