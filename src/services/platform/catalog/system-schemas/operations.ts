import { ok } from '../../../../kernel/http/index.ts';
import { nameOf } from '../../access/standing.ts';
import { pageOf } from '../../engine/paging.ts';
import { errors } from '../../errors.ts';
import { accountIn, callerIdentity, type PlatformCall, routeCode } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { isMetastoreAdmin } from '../core/access.ts';
import { byId } from '../core/chain.ts';
import { doesNotExist } from '../core/errors.ts';
import { maxResults } from '../core/list.ts';
import type { Securable } from '../core/securables.ts';
import { CATALOG_VERSIONS } from '../core/wire.ts';
import { disableSchema, enableSchema, statesOf } from './schemas.ts';

const PATH = '/unity-catalog/metastores/{metastore_id}/systemschemas';
const ONE = `${PATH}/{schema_name}`;

/** Throws unless the caller administers the account or the metastore. */
async function administered(call: PlatformCall, id: string): Promise<Securable> {
  const standing = callerIdentity(call);
  const found = await byId(call.jar.store, id);
  if (found?.kind !== 'metastore' || found.accountId !== accountIn(call).id) throw doesNotExist('metastore', id);
  if (standing.isAccountAdmin || isMetastoreAdmin(standing, found)) return found;
  throw errors.PERMISSION_DENIED({
    reason: `User is not an administrator of Metastore '${found.name}'. (user: ${nameOf(standing.principal)})`,
  });
}

export const SYSTEM_SCHEMA_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: PATH,
    versions: CATALOG_VERSIONS,
    operation: 'systemSchemas_list',
    summary: 'List the system schemas with their states',
    code: routeCode(['metastore_id'], {
      async handle(call) {
        const metastore = await administered(call, call.params.metastore_id);
        const { items, next } = pageOf(call, await statesOf(call, metastore), maxResults(call));
        return ok({ schemas: items, ...(next !== undefined && { next_page_token: next }) });
      },
    }),
  },
  {
    method: 'PUT',
    path: ONE,
    versions: CATALOG_VERSIONS,
    operation: 'systemSchemas_enable',
    summary: 'Enable a system schema',
    code: routeCode(['metastore_id', 'schema_name'], {
      async handle(call) {
        const metastore = await administered(call, call.params.metastore_id);
        await enableSchema(call, metastore, call.params.schema_name);
        return ok({});
      },
    }),
  },
  {
    method: 'DELETE',
    path: ONE,
    versions: CATALOG_VERSIONS,
    operation: 'systemSchemas_disable',
    summary: 'Disable a system schema',
    code: routeCode(['metastore_id', 'schema_name'], {
      async handle(call) {
        const metastore = await administered(call, call.params.metastore_id);
        await disableSchema(call, metastore, call.params.schema_name);
        return ok({});
      },
    }),
  },
];
