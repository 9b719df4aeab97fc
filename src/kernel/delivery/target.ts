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

/** Keys travel in queries, in names and passwords before the host, and behind the hash. */
function shownAddress(url: string): string {
  const end = url.search(/[?#]/);
  const plain = end < 0 ? url : url.slice(0, end);
  if (!plain.includes('@')) return plain;
  return plain.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1');
}
