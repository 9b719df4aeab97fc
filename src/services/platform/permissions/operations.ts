import { ok } from '../../../kernel/http/index.ts';
import { type PlatformCall, routeCode, workspaceIn } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { changeAcl } from './change.ts';
import type { ObjectType } from './levels.ts';
import { type Addressed, findGuarded, requireVisible, typeNamed } from './object.ts';
import { levelsView, permissionsView } from './view.ts';

/** SQL objects have a second path, below `/permissions/sql`. */
const SQL_TYPES: ReadonlyMap<string, ObjectType> = new Map([
  ['alerts', 'alerts'],
  ['dashboards', 'dbsql-dashboards'],
  ['queries', 'queries'],
  ['warehouses', 'warehouses'],
]);

const addressedBy = ({ params }: { readonly params: { readonly type: string; readonly id: string } }): Addressed => ({
  type: typeNamed(params.type),
  id: params.id,
});

const addressedBelowSql = ({
  params,
}: {
  readonly params: { readonly type: string; readonly id: string };
}): Addressed => ({ type: SQL_TYPES.get(params.type) ?? typeNamed(`sql/${params.type}`), id: params.id });

async function show(call: PlatformCall, addressed: Addressed) {
  const guarded = await findGuarded(call.jar.store, call, addressed);
  requireVisible(call, guarded);
  return ok(await permissionsView(call.jar.store, workspaceIn(call), guarded));
}

async function change(call: PlatformCall, addressed: Addressed, merges: boolean) {
  const guarded = await changeAcl(call, addressed, merges);
  return ok(await permissionsView(call.jar.store, workspaceIn(call), guarded));
}

async function levels(call: PlatformCall, addressed: Addressed) {
  const guarded = await findGuarded(call.jar.store, call, addressed);
  requireVisible(call, guarded);
  return ok(levelsView(guarded));
}

type Addressing = typeof addressedBy;

function rowsOf(prefix: string, name: string, addressed: Addressing): readonly Operation[] {
  const row = (method: Operation['method'], verb: string, summary: string, code: Operation['code'], end = '') => ({
    method,
    path: `${prefix}/{type}/{id}${end}`,
    bare: [`${prefix}/{type}/{id}${end}`],
    operation: `${name}_${verb}`,
    summary,
    code,
  });
  const params = ['type', 'id'] as const;
  return [
    row(
      'GET',
      'get',
      'Read the permissions on an object',
      routeCode(params, { handle: (call) => show(call, addressed(call)) }),
    ),
    row(
      'PUT',
      'set',
      'Replace the permissions on an object',
      routeCode(params, { handle: (call) => change(call, addressed(call), false) }),
    ),
    row(
      'PATCH',
      'update',
      'Add permissions on an object',
      routeCode(params, { handle: (call) => change(call, addressed(call), true) }),
    ),
    row(
      'GET',
      'levels',
      'List the permission levels of an object',
      routeCode(params, { handle: (call) => levels(call, addressed(call)) }),
      '/permissionLevels',
    ),
  ];
}

export const PERMISSION_OPERATIONS: readonly Operation[] = [
  ...rowsOf('/permissions', 'permissions', addressedBy),
  ...rowsOf('/permissions/sql', 'sqlPermissions', addressedBelowSql),
];
