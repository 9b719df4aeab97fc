import { createHmac } from 'node:crypto';
import type { Vault } from '../auth/vault.ts';
import { isSecretName } from '../telemetry/redact.ts';
import type { DeliveryRecord, Target } from './records.ts';

/** How an address and its headers are stored: sealed as soon as anything in them may be a secret. */
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
 * How a destination is named where everybody can read it. Services that keep an address apart from all others give the address itself,
 * with whatever secrets it carries; what tells two of them apart is then a fingerprint.
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

/** Keys travel in queries, in names and passwords before the host, and behind the hash. */
function shownAddress(url: string): string {
  if (!/[?#@]/.test(url)) return url;
  const parsed = URL.parse(url);
  // What is no address may be meant as one.
  if (!parsed) return url.replace(/[?#].*$/s, '').replace(/^.*@/s, '');
  const { username, password, search, hash } = parsed;
  if (username === '' && password === '' && search === '' && hash === '') return url;
  parsed.username = '';
  parsed.password = '';
  parsed.search = '';
  parsed.hash = '';
  return parsed.href;
}
