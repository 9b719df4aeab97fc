import type { Tx } from '../../../../kernel/store/index.ts';
import { errors } from '../../errors.ts';
import type { Actor } from '../../jar.ts';
import { requirePrivilege, requireReachable } from './access.ts';
import { type Chain, metastoreOf } from './chain.ts';
import { coveringLocation } from './dependants.ts';
import type { SecurableDraft } from './kind.ts';
import { parseStorageUrl } from './storage-url.ts';

/** Permission for managed storage locations. */

/** Throws unless the address may hold managed data: it must be in a location on which the caller has `CREATE_MANAGED_STORAGE`. */
export async function requireManagedPlace(
  tx: Tx,
  call: Actor,
  above: Chain,
  { field, address }: { readonly field: string; readonly address: string },
): Promise<void> {
  const shown = address.slice(0, 300);
  const url = parseStorageUrl(address);
  if (!url)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `'${shown}' is not a valid ${field}; the form is abfss://container@account/path (also s3, gs, r2, wasbs).`,
    });
  const metastore = metastoreOf(above);
  const location = await coveringLocation(tx, metastore.id, url);
  if (!location)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `The ${field} '${shown}' is not within an external location of the metastore.`,
    });
  const chain: Chain = { target: location, above: [metastore] };
  requirePrivilege(call, chain, 'CREATE_MANAGED_STORAGE');
  requireReachable(call, chain, { writes: true });
}

/** A new catalog or schema may have its own storage root. */
export async function checkManagedRoot(tx: Tx, call: Actor, { fields, above }: SecurableDraft): Promise<void> {
  const { storage_root: address } = fields;
  if (typeof address === 'string') await requireManagedPlace(tx, call, above, { field: 'storage_root', address });
}
