import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Vault } from '../../../kernel/auth/vault.ts';

const SECRET_BYTES = 20;
/** Half of a SHA-256 in base64url, rounded down to a whole character. */
const KEY_LENGTH = 21;

/** 40 hexadecimal digits. */
export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('hex');

/** The secret of a seeded token: the same after every reset and on every node, and no other jar's. */
export const seededSecret = (vault: Vault, userName: string): string =>
  vault
    .deriveKey(`lifecycle token of ${userName}`)
    .toString('hex')
    .slice(0, 2 * SECRET_BYTES);

/** What is kept of a secret: one half of its hash to find it by, and the other to compare. Neither says anything about the secret. */
export interface Imprint {
  readonly key: string;
  readonly proof: string;
}

export function imprintOf(secret: string): Imprint {
  const digest = hash('sha256', secret, 'base64url');
  return { key: digest.slice(0, KEY_LENGTH), proof: digest.slice(KEY_LENGTH) };
}

/** In a time that says nothing about where they differ. Both are halves of hashes, and as long as each other. */
export const sameProof = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a, 'latin1'), Buffer.from(b, 'latin1'));
