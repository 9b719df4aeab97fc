import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { Vault } from '../../../kernel/auth/index.ts';

/** The signature of a download URL, which gives access to any holder. Derived from a key of the jar when needed, and not stored. */
export const signatureOf = (vault: Vault, token: string): string =>
  createHmac('sha256', vault.deriveKey('lifecycle exports')).update(token).digest('hex');

export function isSignature(vault: Vault, token: string, given: string): boolean {
  const expected = Buffer.from(signatureOf(vault, token));
  const sent = Buffer.from(given);
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

/** Salted with the token, so that the same address has a different hash in each request. */
export const emailHashOf = (token: string, email: string): string =>
  hash('sha256', `${token}/${email.toLowerCase()}`, 'base64url');
