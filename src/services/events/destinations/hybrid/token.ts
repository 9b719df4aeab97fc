import { createHmac, timingSafeEqual } from 'node:crypto';
import type { EventsJar } from '../../jar.ts';
import { settingsOf } from '../../settings.ts';
import { relayErrors } from './errors.ts';

/** The only rule: every namespace of the real service has one of this name. */
export const RELAY_KEY_NAME = 'RootManageSharedAccessKey';

/** Key that listeners sign with: the configured one, otherwise derived from the jar's secret key. */
export const relayKey = (jar: Pick<EventsJar, 'config' | 'vault'>): string =>
  settingsOf(jar).relayKey ?? jar.vault.deriveKey('relay').toString('base64');

const SCHEME = 'SharedAccessSignature ';
const SECOND = 1000;

/**
 * Checks `SharedAccessSignature sr={address}&sig={signature}&se={seconds}&skn={name}`. Returns the time, by the jar's clock, until which
 * the token is valid for the hybrid connection at `path` (`namespace/connection`); throws the error that refuses the handshake.
 */
export function checkRelayToken(jar: EventsJar, token: string, path: string): number {
  if (!token.startsWith(SCHEME)) {
    throw relayErrors.Unauthorized({ reason: 'The token is missing, or not a SharedAccessSignature.' });
  }
  // The signature covers the address as it was sent, so the parts must not be decoded yet.
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
    throw relayErrors.Unauthorized({ reason: 'The signature of the token is wrong.' });
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

/** A token covers its address and everything below it. The host is ignored: a jar has many names. */
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
