import type { Reader } from '../../../../kernel/store/index.ts';
import { uploadSessions } from '../../collections.ts';
import { errors } from '../../errors.ts';
import type { MailJar } from '../../jar.ts';
import type { UploadSession } from './types.ts';

/** A session that can be used. An expired session counts as missing, even if it is still stored. */
export async function sessionNamed(reader: Reader, { clock }: MailJar, uid: string): Promise<UploadSession> {
  const session = (await reader.get(uploadSessions, uid))?.value;
  if (!session || session.expiresAt <= clock.now()) throw errors.ErrorItemNotFound__Upload();
  return session;
}
