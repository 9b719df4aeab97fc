import { allOf, eq, type Filter, type Reader, type Tx } from '../../../../kernel/store/index.ts';
import { errors } from '../../errors.ts';
import { TITLES } from './privileges.ts';
import { keyOf, type Securable, securables } from './securables.ts';
import { keyOfUrl, keysAbove, parseStorageUrl, type StorageUrl } from './storage-url.ts';

/** Objects that depend on a securable, by reference or by the address of their data. Both are found by index. */

/**
 * Throws while another securable refers to this one. A transaction that adds a reference first reads the securable with the lock `share`.
 */
export async function refuseUsed(tx: Tx, securable: Securable, remedy: string): Promise<void> {
  await refuseFound(tx, securable, eq('uses', securable.id), remedy);
}

/** Throws while a securable has its data at or below the address of the location. */
export async function refuseDataIn(tx: Tx, location: Securable, remedy: string): Promise<void> {
  const url = parseStorageUrl(String(location.fields.url));
  if (!url) return;
  const value = keyOfUrl('data', location.metastore, url);
  await refuseFound(tx, location, { op: 'startsWith', field: 'storage', value }, remedy);
}

async function refuseFound(tx: Tx, securable: Securable, filter: Filter, remedy: string): Promise<void> {
  const { items, next } = await tx.query(securables, { filter, limit: 1 });
  const first = items[0]?.value;
  if (!first) return;
  const others = next ? ` and ${(await tx.count(securables, { filter })) - 1} more` : '';
  throw errors.INVALID_STATE({
    reason: `${TITLES[securable.kind]} '${securable.name}' has dependent objects: the ${first.kind} '${first.name}'${others}. ${remedy}`,
  });
}

/**
 * The external location that contains an address, if any. In a transaction that stores something at the address, the location is locked
 * until the transaction ends, so that a later deletion of the location finds what was stored.
 */
export async function coveringLocation(
  reader: Reader,
  metastore: string,
  url: StorageUrl,
): Promise<Securable | undefined> {
  const values = keysAbove('location', metastore, url);
  const { items } = await reader.query(securables, { filter: { op: 'in', field: 'storage', values }, limit: 1 });
  const found = items[0]?.value;
  return found && (await reader.get(securables, keyOf(found), 'share'))?.value;
}

/** An external location that would overlap with one at `url`. */
export async function overlappingLocation(
  tx: Tx,
  metastore: string,
  url: StorageUrl,
  own: string | undefined,
): Promise<Securable | undefined> {
  const isOther = own === undefined ? undefined : ({ op: 'ne', field: 'id', value: own } as const);
  const at = async (filter: Filter) =>
    (await tx.query(securables, { filter: allOf(filter, isOther), limit: 1 })).items[0]?.value;
  const above = await at({ op: 'in', field: 'storage', values: keysAbove('location', metastore, url) });
  return above ?? at({ op: 'startsWith', field: 'storage', value: keyOfUrl('location', metastore, url) });
}

/** Managed storage has a root in the metastore, a catalog or a schema. */
const ROOTS: readonly string[] = ['metastore', 'catalog', 'schema'];
/** An address that no location covers yet has only a few roots above it. */
const MOST_ROOTS = 50;

/** The managed storage root that contains an address; also the metastore's root if that lies below the address. */
export async function overlappingRoot(tx: Tx, metastore: Securable, url: StorageUrl): Promise<Securable | undefined> {
  const own = parseStorageUrl(String(metastore.fields.storage_root ?? ''));
  if (own && keyOfUrl('data', metastore.id, own).startsWith(keyOfUrl('data', metastore.id, url))) return metastore;
  const values = keysAbove('data', metastore.id, url);
  const { items } = await tx.query(securables, { filter: { op: 'in', field: 'storage', values }, limit: MOST_ROOTS });
  return items.map(({ value }) => value).find(({ kind }) => ROOTS.includes(kind));
}

/** The table or volume whose data is at the address or contains it. */
export async function dataAbove(reader: Reader, metastore: string, url: StorageUrl): Promise<Securable | undefined> {
  const values = keysAbove('data', metastore, url);
  const { items } = await reader.query(securables, {
    filter: { op: 'in', field: 'storage', values },
    limit: MOST_ROOTS,
  });
  return items.map(({ value }) => value).find(({ kind }) => kind === 'table' || kind === 'volume');
}
