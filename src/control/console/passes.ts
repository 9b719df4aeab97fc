import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Vault } from '../../kernel/auth/index.ts';

/** `reader` sees everything except secrets, and changes nothing. */
export const ROLES = ['admin', 'reader'] as const;
export type Role = (typeof ROLES)[number];

/** What a one-time link or a session permits. */
export interface Pass {
  readonly role: Role;
  /** By the system's clock: a person's browser does not follow the jar's. */
  readonly expiresAt: number;
  readonly id: string;
}

export type PassKind = 'link' | 'session';

const ROLE_BYTES = 1;
const TIME_BYTES = 6;
const ID_BYTES = 16;
const MAC_BYTES = 16;
const SIGNED_BYTES = ROLE_BYTES + TIME_BYTES + ID_BYTES;

/** The secrets of a jar that passes are signed with: sessions end when the admin key is replaced. */
export interface PassKeys {
  readonly vault: Pick<Vault, 'deriveKey'>;
  readonly adminKey: string;
}

/**
 * Signed instead of stored: printing a link at every start costs no write, every node of a jar accepts a session, and a reset does not sign
 * people out.
 */
export function issuePass(keys: PassKeys, kind: PassKind, { role, expiresAt }: Omit<Pass, 'id'>): string {
  const signed = Buffer.alloc(SIGNED_BYTES);
  signed.writeUInt8(ROLES.indexOf(role), 0);
  signed.writeUIntBE(expiresAt, ROLE_BYTES, TIME_BYTES);
  randomBytes(ID_BYTES).copy(signed, ROLE_BYTES + TIME_BYTES);
  return Buffer.concat([signed, macOf(keys, kind, signed)]).toString('base64url');
}

/** Returns undefined if this jar did not issue the pass. Whether it has expired is for the caller to decide. */
export function readPass(keys: PassKeys, kind: PassKind, text: string): Pass | undefined {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== SIGNED_BYTES + MAC_BYTES) return undefined;
  const signed = bytes.subarray(0, SIGNED_BYTES);
  if (!timingSafeEqual(bytes.subarray(SIGNED_BYTES), macOf(keys, kind, signed))) return undefined;
  const role = ROLES[signed.readUInt8(0)];
  if (role === undefined) return undefined;
  const expiresAt = signed.readUIntBE(ROLE_BYTES, TIME_BYTES);
  return { role, expiresAt, id: signed.subarray(ROLE_BYTES + TIME_BYTES).toString('base64url') };
}

function macOf({ vault, adminKey }: PassKeys, kind: PassKind, signed: Buffer): Buffer {
  const key = vault.deriveKey(`console ${kind}`);
  return createHmac('sha256', key).update(adminKey).update('\0').update(signed).digest().subarray(0, MAC_BYTES);
}
