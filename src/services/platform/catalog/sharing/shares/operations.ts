import { ok } from '../../../../../kernel/http/index.ts';
import type { JsonMembers } from '../../../../../kernel/values/index.ts';
import { type PlatformCall, routeCode } from '../../../jar.ts';
import type { Operation } from '../../../operation.ts';
import { type Chain, findChain } from '../../core/chain.ts';
import { viewChain } from '../../core/list.ts';
import { metastoreIn, metastoreNow } from '../../core/metastore.ts';
import { changeFound } from '../../core/operations.ts';
import { CATALOG_VERSIONS, catalogOperations, readSecurable } from '../../core/wire.ts';
import { changeGrants } from '../../grants/change.ts';
import { assignmentsPage, directGrants } from '../../grants/view.ts';
import { SHARES } from './kind.ts';
import { updateObjects } from './updates.ts';
import { objectsOf, objectViews } from './view.ts';

async function shareView(call: PlatformCall, chain: Chain): Promise<JsonMembers> {
  const view = await viewChain(call, SHARES, chain);
  return { ...view, objects: (await objectViews(call, await objectsOf(call.jar.store, chain.target.id))) as never };
}

async function changeShare(call: PlatformCall, name: string): Promise<Chain> {
  const metastore = await metastoreIn(call);
  return call.jar.store.transact(async (tx) => {
    const found = await findChain(tx, await metastoreNow(tx, metastore), 'share', name, { lock: 'update' });
    const chain = await changeFound(tx, call, SHARES, found, call.body);
    await updateObjects(tx, call, chain, call.body);
    return chain;
  });
}

const RATED = '/catalog/shares';
const at = (end: string) => ({
  path: `/unity-catalog/shares/{full_name}${end}`,
  versions: CATALOG_VERSIONS,
  rated: `${RATED}/{full_name}${end}`,
  bare: [`${RATED}/{full_name}${end}`],
});

export const SHARE_OPERATIONS: readonly Operation[] = [
  ...catalogOperations(SHARES, {
    of: 'Shares',
    operations: 'shares',
    path: '/shares',
    array: 'shares',
    rated: RATED,
    verbs: ['create', 'list', 'delete'],
  }),
  {
    ...at(''),
    method: 'GET',
    operation: 'shares_get',
    summary: 'Shares: read one',
    code: routeCode(['full_name'], {
      async handle(call) {
        const chain = await readSecurable(call, SHARES, call.params.full_name);
        const isFull = call.query.include_shared_data === 'true';
        return ok(isFull ? await shareView(call, chain) : await viewChain(call, SHARES, chain));
      },
    }),
  },
  {
    ...at(''),
    method: 'PATCH',
    operation: 'shares_update',
    summary: 'Shares: change one and its content',
    code: routeCode(['full_name'], {
      handle: async (call) => ok(await shareView(call, await changeShare(call, call.params.full_name))),
    }),
  },
  {
    ...at('/permissions'),
    method: 'GET',
    operation: 'shares_sharePermissions',
    summary: 'Shares: list the permissions on one',
    code: routeCode(['full_name'], {
      async handle(call) {
        const chain = await readSecurable(call, SHARES, call.params.full_name);
        return ok(assignmentsPage(call, await directGrants(call, chain), 'max_results'));
      },
    }),
  },
  {
    ...at('/permissions'),
    method: 'PATCH',
    operation: 'shares_updatePermissions',
    summary: 'Shares: change the permissions on one',
    code: routeCode(['full_name'], {
      async handle(call) {
        const chain = await changeGrants(call, 'share', call.params.full_name);
        const body = call.body as { readonly omit_permissions_list?: unknown } | undefined;
        if (body?.omit_permissions_list === true) return ok({});
        return ok({ privilege_assignments: await directGrants(call, chain) });
      },
    }),
  },
];
