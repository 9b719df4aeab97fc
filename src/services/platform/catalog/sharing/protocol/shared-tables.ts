import { allOf, eq, type Filter, type Reader } from '../../../../../kernel/store/index.ts';
import type { PlatformJar } from '../../../jar.ts';
import { holds } from '../../core/access.ts';
import { type Chain, chainById } from '../../core/chain.ts';
import { listOf, type Securable, SYSTEM_USER, securableKey, securables } from '../../core/securables.ts';
import { columnsOf } from '../../tables/column-store.ts';
import { type SharedObject, sharedObjects } from '../collections.ts';
import { readableShare } from '../readable-shares.ts';
import { objectsOf } from '../shares/view.ts';
import { sharingErrors } from './errors.ts';

/** The content of a share for recipients: schemas and tables, under the aliases of the share. */

const TABLE_TYPES: ReadonlySet<string> = new Set([
  'TABLE',
  'VIEW',
  'MATERIALIZED_VIEW',
  'STREAMING_TABLE',
  'FOREIGN_TABLE',
]);

export async function requireShare(reader: Reader, recipient: Securable, name: string): Promise<Securable> {
  const share = await readableShare(reader, recipient, name);
  if (share) return share;
  throw sharingErrors.RESOURCE_DOES_NOT_EXIST({ reason: `Share '${name.slice(0, 255)}' does not exist.` });
}

/** The names of a share's schemas, in order. */
export async function sharedSchemas(reader: Reader, share: Securable): Promise<readonly string[]> {
  const names = new Set<string>();
  for (const { type, sharedAs } of await objectsOf(reader, share.id)) {
    if (type === 'SCHEMA') names.add(sharedAs);
    else if (TABLE_TYPES.has(type)) names.add(sharedAs.slice(0, sharedAs.indexOf('.')));
  }
  return [...names].sort();
}

export interface TableName {
  readonly schema: string;
  readonly name: string;
  readonly id: string;
}

/**
 * Up to `most` tables of one schema after a name, in order: tables shared individually, and the tables of a schema that was shared as a
 * whole.
 */
export async function sharedTables(
  reader: Reader,
  share: Securable,
  schema: string,
  { after = '', most }: { readonly after?: string; readonly most: number },
): Promise<readonly TableName[]> {
  const found = new Map<string, TableName>();
  const single = await reader.query(sharedObjects, {
    filter: allOf(
      eq('share', share.id),
      { op: 'startsWith', field: 'sharedAs', value: `${schema}.` },
      { op: 'gt', field: 'sharedAs', value: `${schema}.${after}` },
    ),
    order: [{ field: 'sharedAs' }],
    // Volumes and models of the same schema are among them.
    limit: 6000,
  });
  for (const { value } of single.items) {
    if (!TABLE_TYPES.has(value.type) || value.securable === undefined) continue;
    const name = value.sharedAs.slice(schema.length + 1);
    found.set(name, { schema, name, id: value.securable });
  }
  const whole = await sharedSchema(reader, share, schema);
  if (whole?.securable !== undefined) {
    const later: readonly Filter[] = after === '' ? [] : [{ op: 'gt', field: 'name', value: after }];
    const { items } = await reader.query(securables, {
      filter: allOf(eq('list', listOf(whole.securable, 'table')), ...later),
      order: [{ field: 'name' }],
      limit: most,
    });
    for (const { value } of items)
      if (!found.has(value.name)) found.set(value.name, { schema, name: value.name, id: value.id });
  }
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1)).slice(0, most);
}

async function sharedSchema(reader: Reader, share: Securable, schema: string): Promise<SharedObject | undefined> {
  const filter = allOf(eq('share', share.id), eq('sharedAs', schema), eq('type', 'SCHEMA'));
  return (await reader.query(sharedObjects, { filter, limit: 1 })).items[0]?.value;
}

/** A table that a recipient may read, and the share's entry for it. */
export interface SharedTable {
  readonly share: Securable;
  /** The entry for the table itself, or for the schema that was shared as a whole. */
  readonly object: SharedObject;
  readonly chain: Chain;
}

interface TablePath {
  readonly share: string;
  readonly schema: string;
  readonly table: string;
}

export async function requireTable(
  jar: PlatformJar,
  recipient: Securable,
  { share: shareName, schema, table }: TablePath,
): Promise<SharedTable> {
  const { store } = jar;
  const share = await requireShare(store, recipient, shareName);
  const [schemaName, name] = [schema.toLowerCase(), table.toLowerCase()];
  const filter = allOf(eq('share', share.id), eq('sharedAs', `${schemaName}.${name}`));
  const single = (await store.query(sharedObjects, { filter, limit: 10 })).items
    .map(({ value }) => value)
    .find(({ type }) => TABLE_TYPES.has(type));
  const object = single ?? (await sharedSchema(store, share, schemaName));
  const id =
    object?.type === 'SCHEMA'
      ? (await store.get(securables, securableKey(object.securable ?? '', 'table', name), 'none'))?.value.id
      : object?.securable;
  const chain = id === undefined ? undefined : await chainById(store, id);
  if (!object || !chain)
    throw sharingErrors.RESOURCE_DOES_NOT_EXIST({
      reason: `Table '${shareName.slice(0, 255)}.${schema.slice(0, 255)}.${table.slice(0, 255)}' does not exist.`,
    });
  await requireOwnerReads(jar, share, chain);
  await refuseHidden(store, chain);
  return { share, object, chain };
}

/** Row filters and masks are functions that the jar does not run, so tables that have them are refused. */
async function refuseHidden(reader: Reader, { target }: Chain): Promise<void> {
  if (target.fields.row_filter === undefined && !(await columnsOf(reader, target)).some(({ mask }) => mask)) return;
  throw sharingErrors.UNSUPPORTED_OPERATION({
    reason: `'${target.name}' has a row filter or column masks; recipients cannot read such tables.`,
  });
}

/** Recipients read with the current privileges of the share's owner. */
async function requireOwnerReads(jar: PlatformJar, share: Securable, chain: Chain): Promise<void> {
  if (share.owner === SYSTEM_USER) return;
  const standing = await jar.callerIdentities.of(share.accountId, share.owner);
  if (standing && holds(standing, chain, 'SELECT')) return;
  throw sharingErrors.PERMISSION_DENIED({
    reason: `The owner of the share '${share.name}' is no longer allowed to read this table.`,
  });
}
