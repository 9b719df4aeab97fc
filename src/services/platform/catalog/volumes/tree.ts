import { createHash } from 'node:crypto';
import type { Securable } from '../core/securables.ts';

/**
 * The tree that has the files of a volume. Those of a managed volume are its own, and another volume of its name begins empty. Those of an external volume
 * belong to its address: whoever makes a volume there again finds them.
 */
export function treeOfVolume({ accountId, id, fields }: Securable): string {
  if (fields.volume_type !== 'EXTERNAL') return `volume/${id}`;
  const address = createHash('sha256').update(`${accountId} ${fields.storage_location}`).digest('hex').slice(0, 32);
  return `storage/${address}`;
}
