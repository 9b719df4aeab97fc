import { createHash } from 'node:crypto';

/**
 * A normalised key: UIDs have any length and any characters. The vendor's hexadecimal UIDs contain the date of an occurrence, which is
 * removed.
 */
export function uidKey(uid: string): string {
  const normal = /^040000008200E00074C5B7101A82E008[0-9A-F]{8}/i.test(uid)
    ? `${uid.slice(0, 32)}00000000${uid.slice(40)}`.toUpperCase()
    : uid;
  return createHash('sha256').update(normal).digest('base64url');
}
