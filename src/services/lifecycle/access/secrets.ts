import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Sealer } from '../../../kernel/store/index.ts';

const SECRET_BYTES = 20;

/** 40 hexadecimal digits. */
export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('hex');

/** The secret of a seeded token: the same after every reset and on every node, but different in every jar. */
export const seededSecret = (vault: Pick<Sealer, 'deriveKey'>, userName: string): string =>
  vault
    .deriveKey(`lifecycle token of ${userName}`)
    .toString('hex')
    .slice(0, 2 * SECRET_BYTES);

/** The secret of the token with which people look into the jar. It is the same on every node, and different in every jar. */
export const readerSecret = (vault: Pick<Sealer, 'deriveKey'>): string =>
  vault
    .deriveKey('lifecycle token of readers')
    .toString('hex')
    .slice(0, 2 * SECRET_BYTES);

/** The stored form of a secret: one half of its hash is the token's id, the other half is compared. Neither reveals the secret. */
export interface SecretHash {
  /** A UUID. */
  readonly id: string;
  /** 32 hexadecimal digits. */
  readonly proof: string;
}

export function secretHashOf(secret: string): SecretHash {
  const digest = hash('sha256', secret, 'hex');
  // The version and variant digits of the UUID replace two digits of the hash.
  const id = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-4${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
  return { id, proof: digest.slice(32) };
}

/** Compares in constant time. Both values are halves of hashes of equal length. */
export const sameProof = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a, 'latin1'), Buffer.from(b, 'latin1'));
