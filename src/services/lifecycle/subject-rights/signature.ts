import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { Vault } from '../../../kernel/auth/index.ts';

/** By which an address lets in whoever has it. Made from a key of the jar whenever it is needed, and kept nowhere. */
export const signatureOf = (vault: Vault, token: string): string =>
  createHmac('sha256', vault.deriveKey('lifecycle exports')).update(token).digest('hex');

export function isSignature(vault: Vault, token: string, given: string): boolean {
  const expected = Buffer.from(signatureOf(vault, token));
  const sent = Buffer.from(given);
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

/** The same address has another hash in every request. */
export const emailHashOf = (token: string, email: string): string =>
  hash('sha256', `${token}/${email.toLowerCase()}`, 'base64url');
