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

/** Where tables and volumes have their files: addresses of storage that is not there, which only name where something would be. */

const MOST_CHARACTERS = 4096;
const ADDRESS = /^[a-z][a-z0-9+.-]{1,20}:\/\/[^/\s]+/i;

/** Without final slashes. */
export function trimSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  return path.slice(0, end);
}

/** The address of storage that a creation names. */
export function checkAddress(field: string, value: string): string {
  const address = trimSlashes(value);
  if (address.length > MOST_CHARACTERS || !ADDRESS.test(address) || address.split('/').includes('..'))
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `The field '${field}' must be the address of a directory, such as abfss://container@account.storage.example/directory, not '${value.slice(0, 100)}'.`,
    });
  return address;
}

/** Under this the files of a metastore without a storage root are. */
const ROOT = 'abfss://unity@metastores.vendor.example';

/** Where a managed table or volume has its files: below the storage root of its schema, else of its catalog, else of the metastore. */
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

/** Throws where an external location has this address and the caller may not use it so. What no external location has is everybody's. */
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
      reason: `'${address.slice(0, 300)}' is not a valid address of storage: it has at most 2,000 bytes and 100 folders, none of them empty.`,
    });
  const location = url && (await coveringLocation(reader, metastore.id, url));
  if (!location) return;
  const chain: Chain = { target: location, above: [metastore] };
  requirePrivilege(call, chain, ...privileges);
  requireReachable(call, chain, { writes: true });
}
