import { newSecret } from '../auth/secrets.ts';
import type { Sealer } from '../store/secrets.ts';
import { isObject } from '../values/objects.ts';

/**
 * Sealed addresses of subscriptions in a snapshot file without secrets. An address that has neither a query, nor a name and password, nor a fragment is
 * shown everywhere else as well, so that it comes along in the clear; of any other nothing does. `sealed` is a JSON object with the members below.
 */
const ADDRESSES = ['notificationUrl', 'lifecycleNotificationUrl'] as const;
const CLIENT_STATE = 'clientState';
const MAY_BE_SECRET = /[?#@]/;

/** The addresses as JSON, and nothing where one of them may be secret: what cannot be opened counts as sealed under the key of another jar. */
export function plainAddress(sealer: Pick<Sealer, 'open'>, sealed: string): string {
  const secrets = opened(sealer, sealed);
  if (!secrets) return '';
  const addresses = ADDRESSES.flatMap((name) => (typeof secrets[name] === 'string' ? [[name, secrets[name]]] : []));
  if (addresses.some(([, url]) => MAY_BE_SECRET.test(url ?? ''))) return '';
  return JSON.stringify({ ...Object.fromEntries(addresses), ...(CLIENT_STATE in secrets && { [CLIENT_STATE]: '' }) });
}

/** What `plainAddress` gave, sealed, with a new client state where there was one. Anything else stays as it is. */
export function newClientState(sealer: Pick<Sealer, 'seal'>, stored: string): string {
  if (!stored.startsWith('{')) return stored;
  const secrets = JSON.parse(stored) as Record<string, string>;
  return sealer.seal(JSON.stringify(CLIENT_STATE in secrets ? { ...secrets, [CLIENT_STATE]: newSecret() } : secrets));
}

/** An address that is stored in the clear, without what may be a key in it; the same text where there is nothing of the kind. */
export function plainUrl(address: string): string {
  if (!MAY_BE_SECRET.test(address)) return address;
  const url = URL.parse(address);
  return url ? `${url.origin}${url.pathname}` : address.split(/[?#]/, 1).join('');
}

function opened(sealer: Pick<Sealer, 'open'>, sealed: string): Record<string, string> | undefined {
  try {
    const secrets: unknown = JSON.parse(sealer.open(sealed));
    return isObject(secrets) ? (secrets as Record<string, string>) : undefined;
  } catch {
    return undefined;
  }
}
