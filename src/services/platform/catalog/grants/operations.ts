import { ok } from '../../../../kernel/http/index.ts';
import { type PlatformCall, routeCode } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { requireReachable, requireVisible } from '../core/access.ts';
import type { Chain } from '../core/chain.ts';
import { metastoreIn } from '../core/metastore.ts';
import { CATALOG_VERSIONS } from '../core/wire.ts';
import { changeGrants, findGrantable, grantableType } from './change.ts';
import { assignmentsPage, directGrants, effectiveGrants } from './view.ts';

const UC = '/unity-catalog';
const AT = '/{securable_type}/{full_name}';

type Named = PlatformCall & { readonly params: { readonly securable_type: string; readonly full_name: string } };

async function readGrantable(call: Named): Promise<Chain> {
  const { securable_type: type, full_name: name } = call.params;
  const chain = await findGrantable(call.jar.store, await metastoreIn(call), grantableType(type), name);
  // Every caller may see its own grants on the metastore of its workspace.
  if (chain.target.kind !== 'metastore') requireVisible(call, chain, { browse: true });
  requireReachable(call, chain);
  return chain;
}

type Reading = (call: PlatformCall, chain: Chain) => ReturnType<typeof directGrants>;

const reading = (
  path: string,
  operation: string,
  summary: string,
  read: Reading,
  parameter: 'max_results' | 'page_size',
): Operation => ({
  method: 'GET',
  path: `${UC}${path}${AT}`,
  versions: CATALOG_VERSIONS,
  operation,
  summary,
  code: routeCode(['securable_type', 'full_name'], {
    handle: async (call) => ok(assignmentsPage(call, await read(call, await readGrantable(call)), parameter)),
  }),
});

/** Operations on grants. */
export const GRANT_OPERATIONS: readonly Operation[] = [
  reading('/permissions', 'grants_get', 'List the grants on a securable', directGrants, 'max_results'),
  reading(
    '/effective-permissions',
    'grants_getEffective',
    'List the effective grants on a securable, including inherited ones',
    effectiveGrants,
    'max_results',
  ),
  reading(
    '/privilege-assignments',
    'grants_list',
    'List the grants on a securable, in pages',
    directGrants,
    'page_size',
  ),
  reading(
    '/effective-privilege-assignments',
    'grants_listEffective',
    'List the effective grants on a securable, in pages',
    effectiveGrants,
    'page_size',
  ),
  {
    method: 'PATCH',
    path: `${UC}/permissions${AT}`,
    versions: CATALOG_VERSIONS,
    operation: 'grants_update',
    summary: 'Change the grants on a securable',
    code: routeCode(['securable_type', 'full_name'], {
      async handle(call) {
        const chain = await changeGrants(call, call.params.securable_type, call.params.full_name);
        const body = call.body as { readonly omit_permissions_in_response?: unknown } | undefined;
        if (body?.omit_permissions_in_response === true) return ok({});
        return ok({ privilege_assignments: await directGrants(call, chain) });
      },
    }),
  },
];
