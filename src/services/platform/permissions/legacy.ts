import { ok } from '../../../kernel/http/index.ts';
import { principalsOf } from '../accounts/principals.ts';
import { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import { type PlatformCall, routeCode, workspaceIn } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { changeAcl, recordPermissions } from './change.ts';
import { userNamed } from './entries.ts';
import type { Guarded } from './guard.ts';
import { type ObjectType, typeRow } from './levels.ts';
import { type Addressed, findGuarded, isAdmin, kindOf, requireVisible } from './object.ts';
import { principalView } from './view.ts';

/** The older API for permissions on SQL objects: one level per principal, without inheritance. */

const TYPES: ReadonlyMap<string, readonly [type: ObjectType, objectType: string]> = new Map([
  ['alerts', ['alerts', 'alert']],
  ['dashboards', ['dbsql-dashboards', 'dashboard']],
  ['data_sources', ['warehouses', 'data_source']],
  ['queries', ['queries', 'query']],
]);

interface LegacyCall {
  readonly params: { readonly type: string; readonly id: string };
}

function addressedBy({ params }: LegacyCall): Addressed {
  const [type] = TYPES.get(params.type) ?? [];
  if (type) return { type, id: params.id };
  throw errors.INVALID_PARAMETER_VALUE({ reason: `objectType is not recognized: ${params.type.slice(0, 100)}` });
}

async function view(call: PlatformCall & LegacyCall, { acl }: Guarded) {
  const { type, id } = call.params;
  const known = await principalsOf(
    call.jar.store,
    workspaceIn(call).accountId,
    acl.map(({ principal }) => principal),
  );
  return ok({
    object_id: `${type}/${id}`,
    object_type: TYPES.get(type)?.[1],
    access_control_list: acl.flatMap(({ principal, level }) => {
      const found = known.get(principal);
      return found ? { ...principalView(found), permission_level: level } : [];
    }),
  });
}

async function transfer(call: PlatformCall & LegacyCall) {
  const { jar } = call;
  const addressed = addressedBy(call);
  const workspace = workspaceIn(call);
  if (!isAdmin(call))
    throw errors.PERMISSION_DENIED({ reason: 'Only administrators can transfer the ownership of objects.' });
  const owner = await userNamed(jar.store, workspace, new Sent(call.body).need('new_owner'));
  await jar.store.transact(async (tx) => {
    const { acl } = await findGuarded(tx, call, addressed);
    const kind = kindOf(addressed);
    const others = acl.filter(({ principal }) => principal !== owner.id);
    const level = typeRow(addressed.type).levels.at(-1) as string;
    await kind.save(tx, workspace.id, addressed.id, [...others, { kind: 'user', principal: owner.id, level }]);
    await kind.transfer?.(tx, workspace.id, addressed.id, owner);
    await recordPermissions(tx, call, addressed);
  });
  return ok({ message: 'Success' });
}

const PATH = '/preview/sql/permissions/{type}/{id}';

export const LEGACY_PERMISSION_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: PATH,
    operation: 'dbsqlPermissions_get',
    summary: 'Read the permissions on an SQL object',
    code: routeCode(['type', 'id'], {
      async handle(call) {
        const guarded = await findGuarded(call.jar.store, call, addressedBy(call));
        requireVisible(call, guarded);
        return view(call, guarded);
      },
    }),
  },
  {
    method: 'POST',
    path: PATH,
    operation: 'dbsqlPermissions_set',
    summary: 'Replace the permissions on an SQL object',
    code: routeCode(['type', 'id'], {
      handle: async (call) => view(call, await changeAcl(call, addressedBy(call), false)),
    }),
  },
  {
    method: 'POST',
    path: `${PATH}/transfer`,
    operation: 'dbsqlPermissions_transferOwnership',
    summary: 'Transfer an SQL object to another owner',
    code: routeCode(['type', 'id'], { handle: transfer }),
  },
];
