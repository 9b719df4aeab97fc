import { createHmac, timingSafeEqual } from 'node:crypto';
import { readTime } from '../forms/times.ts';

/** `r={resource}&e={expiry}&s={signature}`: permission to publish to a resource until a time, signed with one of its keys. */
export interface Signature {
  /** The signed text: everything before the signature, as it was sent. */
  readonly signed: string;
  readonly resource: string;
  readonly expiry: string;
  readonly signature: string;
}

const LONGEST = 8192;

/** Returns undefined if the token is not a signature. */
export function readSignature(token: string): Signature | undefined {
  const at = token.lastIndexOf('&s=');
  if (at < 0 || token.length > LONGEST) return undefined;
  const signed = token.slice(0, at);
  const parts = new Map(
    signed.split('&').map((part): [string, string] => {
      const equals = part.indexOf('=');
      return [part.slice(0, equals).trim(), part.slice(equals + 1)];
    }),
  );
  const resource = decoded(parts.get('r')?.replaceAll('+', ' '));
  const expiry = decoded(parts.get('e')?.replaceAll('+', ' '));
  // A plus belongs to the base64 text, whether it was encoded or not.
  const signature = decoded(token.slice(at + '&s='.length));
  if (resource === undefined || expiry === undefined || signature === undefined) return undefined;
  return { signed, resource, expiry, signature };
}

function decoded(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Keys are base64 of bytes. */
export function isSignedWith(key: string, { signed, signature }: Signature): boolean {
  const expected = createHmac('sha256', Buffer.from(key, 'base64')).update(signed).digest();
  return isSame(Buffer.from(signature, 'base64'), expected);
}

/** Compares in constant time; the length of a key is not secret. */
export const isSame = (sent: Buffer, expected: Buffer): boolean =>
  sent.length === expected.length && timingSafeEqual(sent, expected);

/** `6/5/2020 12:09:03 PM`, the US format of .NET and the official clients; UTC. */
const US = /^(\d{1,2})\/(\d{1,2})\/(\d{4})\s+(\d{1,2}):(\d\d)(?::(\d\d))?\s*([AaPp])[Mm]$/;
const SECONDS = /^\d{9,11}$/;
const ZONED = /(?:[Zz]|GMT|UTC|[+-]\d\d:?\d\d)$/;

/** Expiry of a signature, in any of the formats that clients write. Returns NaN if it cannot be read. */
export function readExpiry(text: string): number {
  const trimmed = text.trim();
  if (SECONDS.test(trimmed)) return Number(trimmed) * 1000;
  const us = US.exec(trimmed);
  if (us) {
    const [, month, day, year, hour, minute, second = '00', half = ''] = us;
    const hours = (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
    const two = (part: string | number | undefined): string => String(part).padStart(2, '0');
    return readTime(`${year}-${two(month)}-${two(day)}T${two(hours)}:${minute}:${second}Z`);
  }
  const iso = readTime(trimmed);
  if (!Number.isNaN(iso)) return iso;
  return Date.parse(ZONED.test(trimmed) ? trimmed : `${trimmed} UTC`);
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * True if the signed resource is an endpoint or a parent path of one. The path tells topics apart: ports are ignored, and all names of this
 * machine count as one host, since signatures are often made for another name than they are used with.
 */
export function coversEndpoint(resource: string, endpoints: readonly string[]): boolean {
  const signed = URL.parse(resource.includes('://') ? resource : `https://${resource}`);
  if (!signed) return false;
  const path = signed.pathname.toLowerCase().replace(/\/+$/, '');
  return endpoints.some((endpoint) => {
    const { hostname, pathname } = new URL(endpoint);
    const isHost = hostname === signed.hostname || (LOOPBACK.test(hostname) && LOOPBACK.test(signed.hostname));
    const whole = pathname.toLowerCase();
    return isHost && (path === '' || whole === path || whole.startsWith(`${path}/`));
  });
}
