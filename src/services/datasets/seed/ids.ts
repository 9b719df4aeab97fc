import { sha256 } from '../../../kernel/auth/index.ts';

/** A deterministic id for an item without one, derived from its names, so that it is the same after every reset. */
export function seededId(...names: readonly string[]): string {
  const hex = Buffer.from(sha256(JSON.stringify(names)), 'base64url').toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
