import { createHmac, timingSafeEqual } from 'node:crypto';
import type { MailJar } from '../../jar.ts';
import { UPLOAD_MOUNT } from './mount.ts';

const SIGNATURE_BYTES = 16;

/**
 * The URL of a session is the permission to use it, since clients send no token there. The name in it is random and signed, so that a
 * made-up name is rejected without a read from the store.
 */
export const uploadUrl = (jar: MailJar, origin: string, uid: string): string =>
  `${origin}${UPLOAD_MOUNT}/${uid}.${signatureOf(jar, uid).toString('base64url')}`;

/** The uid in the name of a session; undefined if the signature is not valid. */
export function uploadUid(jar: MailJar, name: string): string | undefined {
  const [, uid = '', signature = ''] = /^([\w-]{16})\.([\w-]{22})$/.exec(name) ?? [];
  const given = Buffer.from(signature, 'base64url');
  return given.length === SIGNATURE_BYTES && timingSafeEqual(given, signatureOf(jar, uid)) ? uid : undefined;
}

const signatureOf = ({ vault }: MailJar, uid: string): Buffer =>
  createHmac('sha256', vault.deriveKey('mail upload sessions')).update(uid).digest().subarray(0, SIGNATURE_BYTES);
