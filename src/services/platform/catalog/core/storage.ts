import type { Reader } from '../../../../kernel/store/index.ts';
import { errors } from '../../errors.ts';
import type { Actor } from '../../jar.ts';
import { requirePrivilege, requireReachable } from './access.ts';
import type { Chain } from './chain.ts';
import { metastoreOf } from './chain.ts';
import { coveringLocation } from './dependants.ts';
import type { Privilege } from './privileges.ts';
import type { Securable } from './securables.ts';
import { isStorageScheme, parseStorageUrl } from './storage-url.ts';

/** File addresses of tables and volumes. The storage does not exist: addresses only name where the files would be. */

const MOST_CHARACTERS = 4096;
const ADDRESS = /^[a-z][a-z0-9+.-]{1,20}:\/\/[^/\s]+/i;

/** Removes trailing slashes. */
export function trimSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  return path.slice(0, end);
}

/** Validates the storage address of a creation. */
export function checkAddress(field: string, value: string): string {
  const address = trimSlashes(value);
  if (address.length > MOST_CHARACTERS || !ADDRESS.test(address) || address.split('/').includes('..'))
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `The field '${field}' must be the address of a directory, such as abfss://container@account.storage.example/directory, not '${value.slice(0, 100)}'.`,
    });
  return address;
}

/** Parent of the files of metastores without a storage root. */
const ROOT = 'abfss://unity@metastores.vendor.example';

/**
 * The address of a managed table's or volume's files: below the storage root of its schema, otherwise of its catalog, otherwise of the
 * metastore.
 */
export function managedLocation(chain: Chain): string {
  const { target, above } = chain;
  const [schema, catalog] = above;
  const kind = `${target.kind === 'registered_model' ? 'model' : target.kind}s/${target.id}`;
  const own = (holder: Securable | undefined, of: string): string | undefined =>
    holder && typeof holder.fields.storage_root === 'string'
      ? `${trimSlashes(holder.fields.storage_root)}/__unitystorage/${of}/${holder.id}/${kind}`
      : undefined;
  const metastore = metastoreOf(chain);
  const root = typeof metastore.fields.storage_root === 'string' ? metastore.fields.storage_root : ROOT;
  return own(schema, 'schemas') ?? own(catalog, 'catalogs') ?? `${trimSlashes(root)}/${metastore.id}/${kind}`;
}

/**
 * Throws if an external location covers this address and the caller lacks the privileges on it. An address that no location covers is open
 * to all callers.
 */
export async function requireLocation(
  reader: Reader,
  call: Actor,
  metastore: Securable,
  address: string,
  ...privileges: readonly Privilege[]
): Promise<void> {
  const url = parseStorageUrl(address);
  if (!url && isStorageScheme(address))
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `'${address.slice(0, 300)}' is not a valid storage address: at most 2,000 bytes and 100 folders, none of them empty.`,
    });
  const location = url && (await coveringLocation(reader, metastore.id, url));
  if (!location) return;
  const chain: Chain = { target: location, above: [metastore] };
  requirePrivilege(call, chain, ...privileges);
  requireReachable(call, chain, { writes: true });
}
