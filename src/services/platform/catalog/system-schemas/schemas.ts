import { eq } from '../../../../kernel/store/index.ts';

import { errors } from '../../errors.ts';
import type { PlatformCall } from '../../jar.ts';
import { findChain } from '../core/chain.ts';
import { INFORMATION_SCHEMA, putSystemSchema, SYSTEM_CATALOG } from '../core/found-metastore.ts';
import { metastoreNow } from '../core/metastore.ts';
import { record } from '../core/operations.ts';
import { keyOf, listOf, type Securable, securableKey, securables } from '../core/securables.ts';

/** Schemas of the catalog `system`, which administrators enable individually. */

export const SYSTEM_SCHEMAS = [
  'access',
  'billing',
  'compute',
  INFORMATION_SCHEMA,
  'lineage',
  'marketplace',
  'operational_data',
  'query',
  'serving',
  'storage',
] as const;

export type SystemSchemaState = 'AVAILABLE' | 'ENABLE_COMPLETED' | 'UNAVAILABLE';

/** A metastore without a system catalog has no schemas to enable. */
export async function statesOf(
  { jar }: Pick<PlatformCall, 'jar'>,
  metastore: Securable,
): Promise<readonly { readonly schema: string; readonly state: SystemSchemaState }[]> {
  const system = (await jar.store.get(securables, securableKey(metastore.id, 'catalog', SYSTEM_CATALOG)))?.value;
  const enabled = new Set<string>();
  if (system) {
    const filter = eq('list', listOf(system.id, 'schema'));
    const { items } = await jar.store.query(securables, { filter, limit: 100 });
    for (const { value } of items) enabled.add(value.name);
  }
  return SYSTEM_SCHEMAS.map((schema) => ({
    schema,
    state: !system ? 'UNAVAILABLE' : enabled.has(schema) ? 'ENABLE_COMPLETED' : 'AVAILABLE',
  }));
}

function known(schema: string): string {
  const name = schema.toLowerCase();
  if (SYSTEM_SCHEMAS.some((each) => each === name)) return name;
  throw errors.INVALID_PARAMETER_VALUE({
    reason: `'${schema.slice(0, 100)}' is not a system schema. System schemas: ${SYSTEM_SCHEMAS.join(', ')}.`,
  });
}

/** The catalog, locked so that two calls about one schema run one after the other, and the schema if it is enabled. */
async function found(tx: Parameters<typeof metastoreNow>[0], metastore: Securable, name: string) {
  const now = await metastoreNow(tx, metastore);
  const catalog = await findChain(tx, now, 'catalog', SYSTEM_CATALOG, { lock: 'update' });
  const schema = (await tx.get(securables, securableKey(catalog.target.id, 'schema', name)))?.value;
  return { catalog, schema };
}

export const enableSchema = (call: PlatformCall, metastore: Securable, sent: string): Promise<void> =>
  call.jar.store.transact(async (tx) => {
    const name = known(sent);
    const { catalog, schema } = await found(tx, metastore, name);
    if (schema) throw errors.INVALID_STATE({ reason: `System schema '${name}' is already enabled.` });
    await putSystemSchema(tx, catalog.target, name, call.jar.clock.now());
    await record(tx, call, `enable-${name}`, catalog);
  });

export const disableSchema = (call: PlatformCall, metastore: Securable, sent: string): Promise<void> =>
  call.jar.store.transact(async (tx) => {
    const name = known(sent);
    if (name === INFORMATION_SCHEMA)
      throw errors.INVALID_STATE({ reason: `System schema '${name}' cannot be disabled.` });
    const { catalog, schema } = await found(tx, metastore, name);
    if (!schema) throw errors.INVALID_STATE({ reason: `System schema '${name}' is not enabled.` });
    await tx.delete(securables, keyOf(schema));
    await record(tx, call, `disable-${name}`, catalog);
  });
