import type { Tx } from '../../../../kernel/store/index.ts';
import { putPieces, readPart } from '../../blobs/store.ts';
import { mailboxes, uploadSessions } from '../../collections.ts';
import { errors } from '../../errors.ts';
import { keyOfItem } from '../../extras/item.ts';
import { itemSource } from '../../extras/sources.ts';
import type { MailJar } from '../../jar.ts';
import { type MailboxWriter, writingMailbox } from '../../mailbox/writer.ts';
import { changeBy, checkRoom, nextPosition } from '../add.ts';
import { attachmentsOf, getAttachment, putAttachment } from '../store.ts';
import { sessionNamed } from './find.ts';
import type { ByteRange } from './range.ts';
import type { UploadSession } from './types.ts';

/** Result of a range: the current session, and whether the range was the next one or a repeat. */
export interface Received {
  readonly session: UploadSession;
  readonly isExpected: boolean;
}

/**
 * Stores a range. It must follow the ranges before it; a repeated range with equal bytes changes nothing, since its client may not have got
 * the response. The last range creates the attachment. Everything is one transaction, so an acknowledged range is stored.
 */
export async function receiveRange(
  tx: Tx,
  jar: MailJar,
  uid: string,
  { from, to }: ByteRange,
  bytes: Buffer,
): Promise<Received> {
  const session = await sessionNamed(tx, jar, uid);
  const { received, blob, size } = session;
  if (from !== received || session.attachment !== undefined) {
    const isRepeated = to <= received && bytes.equals(await readPart(tx, blob, from, to));
    if (isRepeated && session.attachment !== undefined) await checkThere(tx, session);
    return { session, isExpected: isRepeated };
  }
  await putPieces(tx, blob, received, bytes);
  const further: UploadSession = { ...session, received: to };
  const attachment = to === size ? await attach(tx, jar, further) : undefined;
  const after = { ...further, ...(attachment !== undefined && { attachment }) };
  await tx.put(uploadSessions, uid, after);
  return { session: after, isExpected: true };
}

async function checkThere(tx: Tx, { mailbox, item, attachment = '' }: UploadSession): Promise<void> {
  if (!(await getAttachment(tx, `${mailbox}/${item}`, attachment))) throw errors.ErrorItemNotFound();
}

async function attach(tx: Tx, jar: MailJar, session: UploadSession): Promise<string> {
  const mailbox = (await tx.get(mailboxes, session.mailbox, 'none'))?.value;
  if (!mailbox) throw errors.ErrorItemNotFound();
  return writingMailbox(tx, jar, mailbox, (writer) => attachTo(writer, session));
}

/** The pieces of the session become the content of the attachment, without being copied. */
async function attachTo(writer: MailboxWriter, session: UploadSession): Promise<string> {
  const item = await itemSource(session.kind).load(writer.tx, writer.mailbox, session.item);
  if (!item) throw errors.ErrorItemNotFound();
  const key = keyOfItem(item);
  const before = await attachmentsOf(writer.tx, key);
  const { name, contentType, isInline, size, blob, contentId } = session;
  await checkRoom(writer, item.document.body, [...before, { size }]);
  const attachment = await putAttachment(writer.tx, key, {
    kind: 'file',
    position: nextPosition(before),
    name,
    contentType,
    isInline,
    size,
    blob,
    modifiedAt: writer.now,
    ...(contentId !== undefined && { contentId }),
  });
  await item.change(writer, changeBy(item, [attachment]));
  return attachment.uid;
}
