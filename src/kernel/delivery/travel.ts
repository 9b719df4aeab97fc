import type { Caller } from '../auth/caller.ts';
import { newSecret } from '../auth/secrets.ts';
import type { Sealer } from '../store/secrets.ts';
import { isObject } from '../values/objects.ts';

/**
 * How encrypted subscription URLs are written to a snapshot file without secrets. A URL without query, credentials and fragment is public
 * and is written in plain text; any other is dropped. `sealed` is an encrypted JSON object with the members below.
 */
const ADDRESSES = ['notificationUrl', 'lifecycleNotificationUrl'] as const;
const CLIENT_STATE = 'clientState';
const MAY_BE_SECRET = /[?#@]/;

/** The URLs as JSON; empty if one of them may be secret, or if the text was encrypted with the key of another jar. */
export function plainAddress(sealer: Pick<Sealer, 'open'>, sealed: string): string {
  const secrets = opened(sealer, sealed);
  if (!secrets) return '';
  const addresses = ADDRESSES.flatMap((name) => (typeof secrets[name] === 'string' ? [[name, secrets[name]]] : []));
  if (addresses.some(([, url]) => MAY_BE_SECRET.test(url ?? ''))) return '';
  return JSON.stringify({ ...Object.fromEntries(addresses), ...(CLIENT_STATE in secrets && { [CLIENT_STATE]: '' }) });
}

/** Encrypts the result of `plainAddress`, with a new client state if there was one. Other text is returned unchanged. */
export function newClientState(sealer: Pick<Sealer, 'seal'>, stored: string): string {
  if (!stored.startsWith('{')) return stored;
  const secrets = JSON.parse(stored) as Record<string, string>;
  return sealer.seal(JSON.stringify(CLIENT_STATE in secrets ? { ...secrets, [CLIENT_STATE]: newSecret() } : secrets));
}

/** Removes the parts of a URL that may be secret; returns the same text if there are none. */
export function plainUrl(address: string): string {
  if (!MAY_BE_SECRET.test(address)) return address;
  const url = URL.parse(address);
  return url ? `${url.origin}${url.pathname}` : address.split(/[?#]/, 1).join('');
}

/** The address of a receiver as a caller may see it: tokens that only read get it without the parts that may be secret. */
export const urlFor = (caller: Pick<Caller, 'readOnly'> | undefined, address: string): string =>
  caller?.readOnly ? plainUrl(address) : address;

function opened(sealer: Pick<Sealer, 'open'>, sealed: string): Record<string, string> | undefined {
  try {
    const secrets: unknown = JSON.parse(sealer.open(sealed));
    return isObject(secrets) ? (secrets as Record<string, string>) : undefined;
  } catch {
    return undefined;
  }
}
