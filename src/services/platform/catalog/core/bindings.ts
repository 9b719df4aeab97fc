import { ok } from '../../../../kernel/http/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { findWorkspace } from '../../accounts/workspaces.ts';
import { Sent } from '../../engine/sent.ts';
import { errors } from '../../errors.ts';
import { type PlatformCall, routeCode } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { requireManager } from './access.ts';
import { BOUND_TYPES } from './bound-types.ts';
import { type Chain, findChain } from './chain.ts';
import { metastoreIn, metastoreNow } from './metastore.ts';
import { record } from './operations.ts';
import { type SecurableType, securableType } from './privileges.ts';
import { type Binding, keyOf, securables } from './securables.ts';
import { CATALOG_VERSIONS } from './wire.ts';

/** Bindings of isolated catalogs, locations and credentials to workspaces. */

const MOST_BINDINGS = 1000;

const KINDS = { BINDING_TYPE_READ_WRITE: {}, BINDING_TYPE_READ_ONLY: { readOnly: true } } as const;

function typeIn(sent: string): SecurableType {
  const type = securableType(sent);
  if (type && BOUND_TYPES.includes(type)) return type;
  throw errors.INVALID_PARAMETER_VALUE({
    reason: `'${sent.slice(0, 100)}' cannot be bound to workspaces; catalog, storage_credential, credential and external_location can.`,
  });
}

const idIn = (sent: Sent): string => String(sent.whole('workspace_id') ?? '');

const bindingIn = (sent: Sent): Binding => ({
  workspace: idIn(sent),
  ...KINDS[
    sent.word('binding_type', ['BINDING_TYPE_READ_WRITE', 'BINDING_TYPE_READ_ONLY']) ?? 'BINDING_TYPE_READ_WRITE'
  ],
});

interface Wanted {
  readonly add: readonly Binding[];
  readonly remove: readonly string[];
}

async function rebind(call: PlatformCall, type: SecurableType, name: string, wanted: Wanted): Promise<Chain> {
  const metastore = await metastoreIn(call);
  return call.jar.store.transact(async (tx) => {
    const chain = await findChain(tx, await metastoreNow(tx, metastore), type, name, { lock: 'update' });
    requireManager(call, chain);
    for (const { workspace } of wanted.add) await findWorkspace(tx, call, workspace);
    // A change that binds nothing must not close a securable that is open to all workspaces.
    if (!chain.target.bindings && wanted.add.length === 0) return chain;
    const bound = new Map((chain.target.bindings ?? []).map((each) => [each.workspace, each]));
    for (const workspace of wanted.remove) bound.delete(workspace);
    for (const each of wanted.add) bound.set(each.workspace, each);
    const bindings = [...bound.values()];
    if (bindings.length > MOST_BINDINGS)
      throw errors.INVALID_PARAMETER_VALUE({
        reason: `A securable can be bound to at most ${MOST_BINDINGS} workspaces.`,
      });
    const target = { ...chain.target, bindings, updatedAt: call.jar.clock.now() };
    await tx.put(securables, keyOf(target), target);
    await record(tx, call, 'bind', { ...chain, target });
    return { ...chain, target };
  });
}

const bindingsView = ({ target }: Chain): JsonMembers => ({
  bindings: (target.bindings ?? []).map(({ workspace, readOnly }) => ({
    workspace_id: Number(workspace),
    binding_type: readOnly ? 'BINDING_TYPE_READ_ONLY' : 'BINDING_TYPE_READ_WRITE',
  })),
});

const workspacesView = ({ target }: Chain): JsonMembers => ({
  workspaces: (target.bindings ?? []).map(({ workspace }) => Number(workspace)),
});

async function readBound(call: PlatformCall, type: SecurableType, name: string): Promise<Chain> {
  const chain = await findChain(call.jar.store, await metastoreIn(call), type, name);
  requireManager(call, chain);
  return chain;
}

const PATH = '/unity-catalog/bindings/{securable_type}/{name}';
const OLD_PATH = '/unity-catalog/workspace-bindings/catalogs/{name}';

export const BINDING_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: PATH,
    versions: CATALOG_VERSIONS,
    operation: 'workspaceBindings_getBindings',
    summary: 'List the workspaces in which a securable can be used',
    code: routeCode(['securable_type', 'name'], {
      handle: async (call) =>
        ok(bindingsView(await readBound(call, typeIn(call.params.securable_type), call.params.name))),
    }),
  },
  {
    method: 'PATCH',
    path: PATH,
    versions: CATALOG_VERSIONS,
    operation: 'workspaceBindings_updateBindings',
    summary: 'Change the workspaces in which a securable can be used',
    code: routeCode(['securable_type', 'name'], {
      async handle(call) {
        const type = typeIn(call.params.securable_type);
        await readBound(call, type, call.params.name);
        const sent = new Sent(call.body);
        const wanted = {
          add: (sent.list('add') ?? []).map(bindingIn),
          remove: (sent.list('remove') ?? []).map(idIn),
        };
        return ok(bindingsView(await rebind(call, type, call.params.name, wanted)));
      },
    }),
  },
  {
    method: 'GET',
    path: OLD_PATH,
    versions: CATALOG_VERSIONS,
    operation: 'workspaceBindings_get',
    summary: 'List the workspaces in which a catalog can be used, in the older form',
    code: routeCode(['name'], {
      handle: async (call) => ok(workspacesView(await readBound(call, 'catalog', call.params.name))),
    }),
  },
  {
    method: 'PATCH',
    path: OLD_PATH,
    versions: CATALOG_VERSIONS,
    operation: 'workspaceBindings_update',
    summary: 'Change the workspaces in which a catalog can be used, in the older form',
    code: routeCode(['name'], {
      async handle(call) {
        await readBound(call, 'catalog', call.params.name);
        const ids = (field: string): readonly string[] => idsIn(call.body, field);
        const wanted = {
          add: ids('assign_workspaces').map((workspace) => ({ workspace })),
          remove: ids('unassign_workspaces'),
        };
        return ok(workspacesView(await rebind(call, 'catalog', call.params.name, wanted)));
      },
    }),
  },
];

function idsIn(body: unknown, field: string): readonly string[] {
  const value = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[field] : undefined;
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every((each) => /^\d{1,16}$/.test(String(each))))
    throw errors.MALFORMED_REQUEST({
      reason: `Could not parse request object: the field '${field}' must be an array of workspace ids.`,
    });
  return value.map(String);
}
