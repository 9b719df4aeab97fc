import { ok } from '../../../../kernel/http/index.ts';
import { eq, readAll } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { findWorkspace } from '../../accounts/workspaces.ts';
import { Sent } from '../../engine/sent.ts';
import { accountIn, type PlatformCall, routeCode, workspaceIn } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { noMetastore } from '../core/chain.ts';
import { type MetastoreAssignment, metastoreAssignments } from '../core/collections.ts';
import { doesNotExist } from '../core/errors.ts';
import { DEFAULT_CATALOG } from '../core/found-metastore.ts';
import { metastoreIn } from '../core/metastore.ts';
import { CATALOG_VERSIONS } from '../core/wire.ts';
import { findMetastore, requireAccountAdmin } from './metastores.ts';

/** Assignments of metastores to workspaces, made by administrators of the account. */

const view = ({ workspaceId, metastore, defaultCatalog }: MetastoreAssignment): JsonMembers => ({
  workspace_id: Number(workspaceId),
  metastore_id: metastore ?? '',
  default_catalog_name: defaultCatalog,
});

interface Wanted {
  readonly metastore?: string | undefined;
  readonly defaultCatalog?: string | undefined;
}

/** Assigns a metastore, or changes an assignment; fields that the request lacks stay. */
async function assign(call: PlatformCall, workspace: string, wanted: Wanted): Promise<MetastoreAssignment> {
  requireAccountAdmin(call);
  await findWorkspace(call.jar.store, call, workspace);
  if (wanted.metastore !== undefined) await findMetastore(call, wanted.metastore);
  return call.jar.store.transact(async (tx) => {
    await findWorkspace(tx, call, workspace);
    const before = (await tx.get(metastoreAssignments, workspace))?.value;
    const metastore = wanted.metastore ?? before?.metastore ?? undefined;
    if (metastore === undefined) throw noMetastore(workspace);
    // The metastore may have been deleted since it was found.
    await findMetastore(call, metastore, tx);
    const assignment: MetastoreAssignment = {
      workspaceId: workspace,
      accountId: accountIn(call).id,
      metastore,
      defaultCatalog: wanted.defaultCatalog ?? before?.defaultCatalog ?? DEFAULT_CATALOG,
    };
    await tx.put(metastoreAssignments, workspace, assignment);
    await record(tx, call, 'assign', workspace, metastore);
    return assignment;
  });
}

async function unassign(call: PlatformCall, workspace: string, metastore: string | undefined): Promise<void> {
  requireAccountAdmin(call);
  await call.jar.store.transact(async (tx) => {
    await findWorkspace(tx, call, workspace);
    const before = (await tx.get(metastoreAssignments, workspace))?.value;
    if (!before || before.metastore === null) throw noMetastore(workspace);
    if (metastore !== undefined && before.metastore !== metastore) throw doesNotExist('metastore', metastore);
    await tx.put(metastoreAssignments, workspace, { ...before, metastore: null });
    await record(tx, call, 'unassign', workspace, before.metastore);
  });
}

type ChangeTx = Parameters<Parameters<PlatformCall['jar']['store']['transact']>[0]>[0];

const record = (tx: ChangeTx, { jar }: PlatformCall, kind: string, workspace: string, metastore: string) =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/metastores/${metastore}/workspaces/${workspace}`,
    outcome: 'Succeeded',
    at: jar.clock.now(),
    data: { workspace, metastore },
  });

function wantedIn(body: unknown, required: boolean): Wanted {
  const sent = new Sent(body);
  return {
    metastore: required ? sent.need('metastore_id') : sent.text('metastore_id'),
    defaultCatalog: required ? sent.need('default_catalog_name') : sent.text('default_catalog_name'),
  };
}

const UC = '/unity-catalog';
const OF_WORKSPACE = `${UC}/workspaces/{workspace_id}/metastore`;
const ACC = '/accounts/{account_id}';
const PAIR = `${ACC}/workspaces/{workspace_id}/metastores/{metastore_id}`;

const assigned = (body: unknown): unknown =>
  (body as { readonly metastore_assignment?: unknown } | undefined)?.metastore_assignment;

const pairOperation = (method: 'POST' | 'PUT', verb: string): Operation => ({
  method,
  path: PAIR,
  operation: `accountMetastoreAssignments_${verb}`,
  summary: `${method === 'POST' ? 'Assign' : 'Change the assignment of'} a metastore to a workspace`,
  code: routeCode(['workspace_id', 'metastore_id'], {
    async handle(call) {
      const { metastore: said, ...rest } = wantedIn(assigned(call.body), false);
      await assign(call, call.params.workspace_id, { ...rest, metastore: said ?? call.params.metastore_id });
      return ok({});
    },
  }),
});

export const ASSIGNMENT_OPERATIONS: readonly Operation[] = [
  {
    method: 'PUT',
    path: OF_WORKSPACE,
    versions: CATALOG_VERSIONS,
    operation: 'metastores_assign',
    summary: 'Assign a metastore to a workspace',
    code: routeCode(['workspace_id'], {
      async handle(call) {
        requireAccountAdmin(call);
        await assign(call, call.params.workspace_id, wantedIn(call.body, true));
        return ok({});
      },
    }),
  },
  {
    method: 'PATCH',
    path: OF_WORKSPACE,
    versions: CATALOG_VERSIONS,
    operation: 'metastores_updateAssignment',
    summary: 'Change the assignment of a metastore',
    code: routeCode(['workspace_id'], {
      async handle(call) {
        requireAccountAdmin(call);
        await assign(call, call.params.workspace_id, wantedIn(call.body, false));
        return ok({});
      },
    }),
  },
  {
    method: 'DELETE',
    path: OF_WORKSPACE,
    versions: CATALOG_VERSIONS,
    operation: 'metastores_unassign',
    summary: 'Unassign the metastore of a workspace',
    code: routeCode(['workspace_id'], {
      async handle(call) {
        const { metastore_id: metastore } = call.query;
        await unassign(call, call.params.workspace_id, typeof metastore === 'string' ? metastore : undefined);
        return ok({});
      },
    }),
  },
  {
    method: 'GET',
    path: `${UC}/current-metastore-assignment`,
    versions: CATALOG_VERSIONS,
    operation: 'metastores_current',
    summary: 'Read the metastore assignment of the workspace',
    code: routeCode([], {
      async handle(call) {
        await metastoreIn(call);
        const { id } = workspaceIn(call);
        const found = (await call.jar.store.get(metastoreAssignments, id))?.value;
        if (!found || found.metastore === null) throw noMetastore(id);
        return ok(view(found));
      },
    }),
  },
  pairOperation('POST', 'create'),
  pairOperation('PUT', 'update'),
  {
    method: 'DELETE',
    path: PAIR,
    operation: 'accountMetastoreAssignments_delete',
    summary: 'Unassign the metastore of a workspace',
    code: routeCode(['workspace_id', 'metastore_id'], {
      async handle(call) {
        await unassign(call, call.params.workspace_id, call.params.metastore_id);
        return ok({});
      },
    }),
  },
  {
    method: 'GET',
    path: `${ACC}/workspaces/{workspace_id}/metastore`,
    operation: 'accountMetastoreAssignments_get',
    summary: 'Read the metastore assignment of a workspace',
    code: routeCode(['workspace_id'], {
      async handle(call) {
        await findWorkspace(call.jar.store, call, call.params.workspace_id);
        const found = (await call.jar.store.get(metastoreAssignments, call.params.workspace_id))?.value;
        if (!found || found.metastore === null) throw noMetastore(call.params.workspace_id);
        return ok({ metastore_assignment: view(found) });
      },
    }),
  },
  {
    method: 'GET',
    path: `${ACC}/metastores/{metastore_id}/workspaces`,
    operation: 'accountMetastoreAssignments_list',
    summary: 'List the workspaces of a metastore',
    code: routeCode(['metastore_id'], {
      async handle(call) {
        const { id } = await findMetastore(call, call.params.metastore_id);
        const found = await readAll(call.jar.store, metastoreAssignments, { filter: eq('metastore', id) });
        return ok({ workspace_ids: found.map(({ value }) => Number(value.workspaceId)) });
      },
    }),
  },
];
