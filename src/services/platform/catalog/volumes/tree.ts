import { createHash } from 'node:crypto';
import type { Securable } from '../core/securables.ts';

/**
 * The tree with the files of a volume. A managed volume has its own files, so that another volume with the same name starts empty. The
 * files of an external volume belong to its address, so that a new volume at the address finds them.
 */
export function treeOfVolume({ accountId, id, fields }: Securable): string {
  if (fields.volume_type !== 'EXTERNAL') return `volume/${id}`;
  const address = createHash('sha256').update(`${accountId} ${fields.storage_location}`).digest('hex').slice(0, 32);
  return `storage/${address}`;
}
