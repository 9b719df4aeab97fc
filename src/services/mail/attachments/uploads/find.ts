import type { Reader } from '../../../../kernel/store/index.ts';
import { uploadSessions } from '../../collections.ts';
import { errors } from '../../errors.ts';
import type { MailJar } from '../../jar.ts';
import type { UploadSession } from './types.ts';

/** A session that can be used; one that has expired is gone, whether or not its remains are. */
export async function sessionNamed(reader: Reader, { clock }: MailJar, uid: string): Promise<UploadSession> {
  const session = (await reader.get(uploadSessions, uid))?.value;
  if (!session || session.expiresAt <= clock.now()) throw errors.ErrorItemNotFound__Upload();
  return session;
}
