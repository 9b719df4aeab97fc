import { ok } from '../../../../kernel/http/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { type PlatformCall, routeCode } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { viewChain, viewChains } from '../core/list.ts';
import { metastoreIn } from '../core/metastore.ts';
import type { Securable } from '../core/securables.ts';
import { CATALOG_VERSIONS } from '../core/wire.ts';
import { METASTORES } from './kind.ts';
import { changeMetastore, createMetastore, deleteMetastore, findMetastore, listMetastores } from './metastores.ts';

const view = (call: PlatformCall, target: Securable): Promise<JsonMembers> =>
  viewChain(call, METASTORES, { target, above: [] });

const viewAll = (call: PlatformCall, found: readonly Securable[]): Promise<readonly JsonMembers[]> =>
  viewChains(
    call,
    METASTORES,
    found.map((target) => ({ target, above: [] })),
  );

const wrapped = (body: unknown): unknown =>
  (body as { readonly metastore_info?: unknown } | undefined)?.metastore_info ?? {};

/** The same operations on the host of a workspace, and below the account with the object in a member of the body. */
function operationsAt(path: string, of: 'workspace' | 'account'): readonly Operation[] {
  const isAccount = of === 'account';
  const name = (verb: string): string => `${isAccount ? 'accountMetastores' : 'metastores'}_${verb}`;
  const head = isAccount ? { path, needs: 'accountAdmin' as const } : { path, versions: CATALOG_VERSIONS };
  const one = { ...head, path: `${path}/{metastore_id}` };
  const sent = (call: PlatformCall): unknown => (isAccount ? wrapped(call.body) : (call.body ?? {}));
  const shown = async (call: PlatformCall, metastore: Securable): Promise<object> =>
    isAccount ? { metastore_info: await view(call, metastore) } : view(call, metastore);
  return [
    {
      ...head,
      method: 'POST',
      operation: name('create'),
      summary: 'Create a metastore',
      code: routeCode([], { handle: async (call) => ok(await shown(call, await createMetastore(call, sent(call)))) }),
    },
    {
      ...head,
      method: 'GET',
      operation: name('list'),
      summary: 'List the metastores that the caller administers',
      code: routeCode([], {
        handle: async (call) => ok({ metastores: await viewAll(call, await listMetastores(call)) }),
      }),
    },
    {
      ...one,
      method: 'GET',
      operation: name('get'),
      summary: 'Read a metastore',
      code: routeCode(['metastore_id'], {
        handle: async (call) => ok(await shown(call, await findMetastore(call, call.params.metastore_id))),
      }),
    },
    {
      ...one,
      method: isAccount ? 'PUT' : 'PATCH',
      operation: name('update'),
      summary: 'Change a metastore',
      code: routeCode(['metastore_id'], {
        handle: async (call) =>
          ok(await shown(call, await changeMetastore(call, call.params.metastore_id, sent(call)))),
      }),
    },
    {
      ...one,
      method: 'DELETE',
      operation: name('delete'),
      summary: 'Delete a metastore',
      code: routeCode(['metastore_id'], {
        async handle(call) {
          await deleteMetastore(call, call.params.metastore_id, call.query.force === 'true');
          return ok({});
        },
      }),
    },
  ];
}

export const METASTORE_OPERATIONS: readonly Operation[] = [
  ...operationsAt('/unity-catalog/metastores', 'workspace'),
  ...operationsAt('/accounts/{account_id}/metastores', 'account'),
  {
    method: 'GET',
    path: '/unity-catalog/metastore_summary',
    versions: CATALOG_VERSIONS,
    operation: 'metastores_summary',
    summary: 'Read the metastore of the workspace',
    code: routeCode([], { handle: async (call) => ok(await view(call, await metastoreIn(call))) }),
  },
];
