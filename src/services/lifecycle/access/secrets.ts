import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Sealer } from '../../../kernel/store/index.ts';

const SECRET_BYTES = 20;

/** 40 hexadecimal digits. */
export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('hex');

/** The secret of a seeded token: the same after every reset and on every node, and no other jar's. */
export const seededSecret = (vault: Pick<Sealer, 'deriveKey'>, userName: string): string =>
  vault
    .deriveKey(`lifecycle token of ${userName}`)
    .toString('hex')
    .slice(0, 2 * SECRET_BYTES);

/** What is kept of a secret: one half of its hash, which is the id of the token, and the other to compare. Neither says anything about the secret. */
export interface Imprint {
  /** A UUID. */
  readonly id: string;
  /** 32 hexadecimal digits. */
  readonly proof: string;
}

export function imprintOf(secret: string): Imprint {
  const digest = hash('sha256', secret, 'hex');
  // The two digits that say of a UUID that it is random are given up for it.
  const id = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-4${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
  return { id, proof: digest.slice(32) };
}

/** In a time that says nothing about where they differ. Both are halves of hashes, and as long as each other. */
export const sameProof = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a, 'latin1'), Buffer.from(b, 'latin1'));
