import type { Vault } from '../../kernel/auth/index.ts';
import { wallNow } from '../../kernel/time/index.ts';
import { type Pass, type PassKeys, readPass } from './passes.ts';

interface Browser {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly origin: string;
  readonly method: string;
}

/** The only addresses that need the session: the files of the console contain nothing of the jar. */
const COOKIE_PATH = '/_jar';

const NAME_PURPOSE = 'console cookie name';
const NAME_CHARACTERS = 10;

/** Browsers share cookies between the ports of a host: with a name per jar, two jars on one host keep separate sessions. */
function cookieName({ vault }: { readonly vault: Pick<Vault, 'deriveKey'> }): string {
  return `cloudjar-console-${vault.deriveKey(NAME_PURPOSE).toString('hex').slice(0, NAME_CHARACTERS)}`;
}

/** The session that a browser sends with a request; undefined if there is none, or if another site has caused the request. */
export function sessionOf(keys: PassKeys, { headers, method }: Browser): Pass | undefined {
  const value = cookieValue(headers.cookie, cookieName(keys));
  if (value === undefined || !isOwnRequest(headers, method)) return undefined;
  const pass = readPass(keys, 'session', value);
  return pass && pass.expiresAt > wallNow() ? pass : undefined;
}

/**
 * `SameSite` ignores ports, so a page of another program on this host is "the same site". Browsers tell the origin in addition; an address
 * typed by a person (`none`) may be read.
 */
function isOwnRequest(headers: Browser['headers'], method: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin') return true;
  return site === 'none' && method === 'GET';
}

export function sessionCookie(keys: PassKeys, origin: string, value: string, maxAgeSeconds: number): string {
  const secure = origin.startsWith('https:') ? '; Secure' : '';
  return `${cookieName(keys)}=${value}; Path=${COOKIE_PATH}; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${secure}`;
}

function cookieValue(header: string | string[] | undefined, wanted: string): string | undefined {
  if (typeof header !== 'string') return undefined;
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === wanted) return pair.slice(at + 1).trim();
  }
  return undefined;
}
