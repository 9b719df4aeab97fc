import { createHmac, timingSafeEqual } from 'node:crypto';
import { readTime } from '../forms/times.ts';

/** `r={resource}&e={expiry}&s={signature}`: leave to publish to a resource until a time, signed with one of its keys. */
export interface Signature {
  /** What is signed: all in front of the signature, as it was sent. */
  readonly signed: string;
  readonly resource: string;
  readonly expiry: string;
  readonly signature: string;
}

const LONGEST = 8192;

/** Undefined where it is none. */
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
  // A plus is a character of base64, whether it was encoded or not.
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

/** Keys are bytes in base64. */
export function isSignedWith(key: string, { signed, signature }: Signature): boolean {
  const expected = createHmac('sha256', Buffer.from(key, 'base64')).update(signed).digest();
  return isSame(Buffer.from(signature, 'base64'), expected);
}

/** In the same time wherever they differ; how long a key is, is no secret. */
export const isSame = (sent: Buffer, expected: Buffer): boolean =>
  sent.length === expected.length && timingSafeEqual(sent, expected);

/** `6/5/2020 12:09:03 PM`, as .NET and the official clients write it for the United States; UTC. */
const US = /^(\d{1,2})\/(\d{1,2})\/(\d{4})\s+(\d{1,2}):(\d\d)(?::(\d\d))?\s*([AaPp])[Mm]$/;
const SECONDS = /^\d{9,11}$/;
const ZONED = /(?:[Zz]|GMT|UTC|[+-]\d\d:?\d\d)$/;

/** When a signature ends, in any of the forms in which clients write it; NaN where it cannot be read. */
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
 * Whether what was signed is an endpoint or what it is below. It is the path that tells topics apart; hosts compare without their
 * ports, and all names of this machine are one, since signatures are often made by another name than they are used by.
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
