import { createHmac, timingSafeEqual } from 'node:crypto';
import type { MailJar } from '../../jar.ts';
import { UPLOAD_MOUNT } from './mount.ts';

const SIGNATURE_BYTES = 16;

/**
 * The address of a session is the permission to use it: clients send no token there. Its name is random and signed, so that a name that somebody made
 * up is refused without a look into the store.
 */
export const uploadUrl = (jar: MailJar, origin: string, uid: string): string =>
  `${origin}${UPLOAD_MOUNT}/${uid}.${signatureOf(jar, uid).toString('base64url')}`;

/** The uid in the name of a session; undefined where it was not signed here. */
export function uploadUid(jar: MailJar, name: string): string | undefined {
  const [, uid = '', signature = ''] = /^([\w-]{16})\.([\w-]{22})$/.exec(name) ?? [];
  const given = Buffer.from(signature, 'base64url');
  return given.length === SIGNATURE_BYTES && timingSafeEqual(given, signatureOf(jar, uid)) ? uid : undefined;
}

const signatureOf = ({ vault }: MailJar, uid: string): Buffer =>
  createHmac('sha256', vault.deriveKey('mail upload sessions')).update(uid).digest().subarray(0, SIGNATURE_BYTES);
