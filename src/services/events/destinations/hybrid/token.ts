import { createHmac, timingSafeEqual } from 'node:crypto';
import type { EventsJar } from '../../jar.ts';
import { settingsOf } from '../../settings.ts';
import { relayErrors } from './errors.ts';

/** The one rule there is, by the name that every namespace of the real service has. */
export const RELAY_KEY_NAME = 'RootManageSharedAccessKey';

/** What listeners sign with: configured, else the jar's own, which stays the same as long as its secret key does. */
export const relayKey = (jar: Pick<EventsJar, 'config' | 'vault'>): string =>
  settingsOf(jar).relayKey ?? jar.vault.deriveKey('relay').toString('base64');

const SCHEME = 'SharedAccessSignature ';
const SECOND = 1000;

/**
 * `SharedAccessSignature sr={address}&sig={signature}&se={seconds}&skn={name}`. Gives the time, by the jar's clock, until which it is good for
 * the hybrid connection at `path` (`namespace/connection`); throws what the handshake is refused with.
 */
export function checkRelayToken(jar: EventsJar, token: string, path: string): number {
  if (!token.startsWith(SCHEME)) {
    throw relayErrors.Unauthorized({ reason: 'The token is missing, or not a SharedAccessSignature.' });
  }
  // The address is signed in the spelling in which it was sent, so that the parts are not decoded yet.
  const parts = new Map<string, string>();
  for (const part of token.slice(SCHEME.length).split('&')) {
    const equals = part.indexOf('=');
    if (equals > 0) parts.set(part.slice(0, equals).toLowerCase(), part.slice(equals + 1));
  }
  const [address, signature, expiry, name] = ['sr', 'sig', 'se', 'skn'].map((part) => parts.get(part) ?? '');
  if (!address || !signature || !/^\d{1,12}$/.test(expiry ?? '') || decoded(name ?? '') !== RELAY_KEY_NAME) {
    throw relayErrors.Unauthorized({ reason: `The token needs sr, sig, se and skn=${RELAY_KEY_NAME}.` });
  }
  const expected = createHmac('sha256', relayKey(jar)).update(`${address}\n${expiry}`).digest();
  const given = Buffer.from(decoded(signature), 'base64');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw relayErrors.Unauthorized({ reason: 'The signature of the token is not right.' });
  }
  const until = Number(expiry) * SECOND;
  if (until <= jar.clock.now()) {
    throw relayErrors.Unauthorized({ reason: "The token has expired, by the jar's clock." });
  }
  if (!covers(decoded(address), path)) {
    throw relayErrors.Forbidden({ reason: `The token is not for the hybrid connection '${path}'.` });
  }
  return until;
}

/** A token is for what its address names and all below it. The host does not count: a jar has many names. */
function covers(address: string, path: string): boolean {
  const url = URL.parse(address);
  if (!url) return false;
  const named = decoded(url.pathname)
    .split('/')
    .filter((segment) => segment !== '' && segment !== '$hc')
    .map((segment) => segment.toLowerCase());
  const wanted = path.toLowerCase().split('/');
  return named.length <= wanted.length && named.every((segment, i) => segment === wanted[i]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
