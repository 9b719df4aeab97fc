import type { Tx } from '../../../../kernel/store/index.ts';
import { workHandler } from '../../../../kernel/work/index.ts';
import { deleteBlob } from '../../blobs/store.ts';
import { uploadSessions } from '../../collections.ts';
import type { MailJar } from '../../jar.ts';
import { EXPIRE_UPLOAD } from '../../work.ts';
import type { UploadSession } from './types.ts';

/** The bytes of a completed session belong to the attachment and are kept. */
export async function removeSession(tx: Tx, { uid, blob, attachment }: UploadSession): Promise<void> {
  if (attachment === undefined) await deleteBlob(tx, blob);
  await tx.delete(uploadSessions, uid);
}

/** Work handler that removes an expired session. */
export const expireUpload = workHandler(EXPIRE_UPLOAD, (item, jar: MailJar) =>
  jar.store.transact(async (tx) => {
    const session = (await tx.get(uploadSessions, item.payload.session))?.value;
    if (session) await removeSession(tx, session);
    await tx.complete(item);
  }),
);
