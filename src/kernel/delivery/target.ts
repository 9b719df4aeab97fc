import { createHmac } from 'node:crypto';
import type { Vault } from '../auth/vault.ts';
import { isSecretName } from '../telemetry/redact.ts';
import type { DeliveryRecord, Target } from './records.ts';

/** How a URL and its headers are stored: encrypted if any part may be a secret. */
export function storedTarget(
  vault: Vault,
  url: string,
  headers: Readonly<Record<string, string>> | undefined,
): Pick<DeliveryRecord, 'address' | 'target' | 'sealedTarget'> {
  const address = shownAddress(url);
  if (headers === undefined && address === url) return { address };
  const target: Target = headers === undefined ? { url } : { url, headers };
  const secret = address !== url || Object.keys(headers ?? {}).some(isSecretName);
  return secret ? { address, sealedTarget: vault.seal(JSON.stringify(target)) } : { address, target };
}

export function openTarget(vault: Vault, record: Pick<DeliveryRecord, 'address' | 'target' | 'sealedTarget'>): Target {
  if (record.sealedTarget === undefined) return record.target ?? { url: record.address };
  return JSON.parse(vault.open(record.sealedTarget)) as Target;
}

/**
 * Name of a destination as it is shown. A service may use the URL itself as destination, including secrets in it; they are replaced by a
 * fingerprint that keeps destinations apart.
 */
export function shownDestination(vault: Vault, destination: string): string {
  const shown = shownAddress(destination);
  if (shown === destination) return destination;
  const fingerprint = createHmac('sha256', vault.deriveKey('delivery destinations'))
    .update(destination)
    .digest('hex')
    .slice(0, FINGERPRINT_DIGITS);
  return `${shown} (${fingerprint})`;
}

const FINGERPRINT_DIGITS = 12;

/** Secrets may be in the query, in user name and password, and in the fragment. */
function shownAddress(url: string): string {
  if (!/[?#@]/.test(url)) return url;
  const parsed = URL.parse(url);
  // Not a valid URL, but perhaps meant as one.
  if (!parsed) return url.replace(/[?#].*$/s, '').replace(/^.*@/s, '');
  const { username, password, search, hash } = parsed;
  if (username === '' && password === '' && search === '' && hash === '') return url;
  parsed.username = '';
  parsed.password = '';
  parsed.search = '';
  parsed.hash = '';
  return parsed.href;
}
