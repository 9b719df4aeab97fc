import type { Tx } from '../../../kernel/store/index.ts';
import type { Json, JsonMembers } from '../../../kernel/values/index.ts';
import { listOf, membersOf } from '../engine/json.ts';
import { errors } from '../errors.ts';
import { callerIdentity, type PlatformCall, workspaceIn } from '../jar.ts';
import { requireLevel } from '../permissions/guard.ts';
import type { PermissionedKind } from '../permissions/guarded-kind.ts';
import { type ObjectType, rankOf } from '../permissions/levels.ts';
import { GUARDED_KINDS } from '../permissions/registry.ts';
import { PERMISSIONS, scopeKey, secretKey, secretScopes, secrets } from '../secrets/collections.ts';
import { findScope } from '../secrets/scope.ts';
import { endpointKey, servingEndpoints } from '../serving/collections.ts';
import { isServingName } from '../serving/served-entity.ts';
import type { App } from './collections.ts';
import { kindOfResource } from './fields.ts';

/** Access of an app to other objects: its service principal gets a permission level on each. The caller must manage these objects. */

/** Kinds of resources whose permissions are enforced here, with the field that names the object. Other kinds are stored as sent. */
const GUARDED: Readonly<Partial<Record<string, { readonly type: ObjectType; readonly idField: string }>>> = {
  sql_warehouse: { type: 'warehouses', idField: 'id' },
  serving_endpoint: { type: 'serving-endpoints', idField: 'name' },
  job: { type: 'jobs', idField: 'id' },
  experiment: { type: 'experiments', idField: 'experiment_id' },
  app: { type: 'apps', idField: 'name' },
};

/** An object has one owner, which does not change: an app that requests IS_OWNER gets CAN_MANAGE. */
const levelOf = (permission: Json | undefined): string =>
  permission === undefined ? 'CAN_USE' : permission === 'IS_OWNER' ? 'CAN_MANAGE' : String(permission);

interface Place {
  readonly type: ObjectType;
  readonly kind: PermissionedKind;
  readonly id: string;
}

/** Apps refer to serving endpoints by name, the permissions API by id. */
async function placeOf(tx: Tx, workspaceId: string, kind: string, of: JsonMembers): Promise<Place | undefined> {
  const rule = GUARDED[kind];
  const guarded = rule && GUARDED_KINDS[rule.type];
  if (!rule || !guarded) return undefined;
  const named = String(of[rule.idField]);
  if (kind !== 'serving_endpoint') return { type: rule.type, kind: guarded, id: named };
  const key = endpointKey(workspaceId, named);
  const found = isServingName(named) ? (await tx.get(servingEndpoints, key))?.value : undefined;
  return { type: rule.type, kind: guarded, id: found?.id ?? '' };
}

const missing = (kind: string, named: string) =>
  errors.RESOURCE_DOES_NOT_EXIST({ reason: `The ${kind} '${named.slice(0, 200)}' of the app does not exist.` });

type Resource = NonNullable<ReturnType<typeof kindOfResource>>;

/** Throws if the object does not exist or the caller does not manage it. */
async function checkResource(tx: Tx, call: PlatformCall, { kind, of }: Resource): Promise<void> {
  const workspace = workspaceIn(call);
  if (kind === 'secret') {
    const scope = await findScope(tx, { workspace, standing: callerIdentity(call) }, String(of.scope), 'MANAGE');
    if (!(await tx.get(secrets, secretKey(scopeKey(workspace.id, scope.name), String(of.key)))))
      throw missing('secret', `${scope.name}/${String(of.key)}`);
    return;
  }
  const place = await placeOf(tx, workspace.id, kind, of);
  if (!place) return;
  const guarded = await place.kind.find(tx, workspace.id, place.id);
  if (!guarded) throw missing(kind, String(of[GUARDED[kind]?.idField ?? 'id']));
  requireLevel(call, guarded, 'CAN_MANAGE');
}

/**
 * Sets the principal's level to the highest that these resources, which all name one object, ask for. Does nothing if the object is gone.
 */
async function setLevel(
  tx: Tx,
  workspaceId: string,
  principal: string,
  named: Resource,
  resources: readonly Resource[],
): Promise<void> {
  if (named.kind === 'secret')
    return setScopeLevel(tx, scopeKey(workspaceId, String(named.of.scope)), principal, resources);
  const place = await placeOf(tx, workspaceId, named.kind, named.of);
  const guarded = place && (await place.kind.find(tx, workspaceId, place.id));
  if (!place || !guarded) return;
  const levels = resources.map(({ of }) => levelOf(of.permission));
  const level = levels.toSorted((one, other) => rankOf(place.type, one) - rankOf(place.type, other)).at(-1);
  const others = guarded.acl.filter((each) => each.principal !== principal);
  const own = level === undefined ? [] : [{ kind: 'servicePrincipal', principal, level } as const];
  await place.kind.save(tx, workspaceId, place.id, [...others, ...own]);
}

/** All secrets of a scope share the ACL of the scope. */
async function setScopeLevel(tx: Tx, key: string, principal: string, resources: readonly Resource[]): Promise<void> {
  const scope = (await tx.get(secretScopes, key))?.value;
  if (!scope) return;
  const permission = PERMISSIONS.findLast((each) => resources.some(({ of }) => of.permission === each));
  const others = scope.acl.filter((each) => each.principal !== principal);
  const own = permission === undefined ? [] : [{ kind: 'servicePrincipal', principal, permission } as const];
  await tx.put(secretScopes, key, { ...scope, acl: [...others, ...own] });
}

const resourcesIn = ({ resources }: JsonMembers): readonly Resource[] =>
  listOf(resources).flatMap((each) => kindOfResource(membersOf(each)) ?? []);

/** Groups resources by the object they name. */
const objectOf = ({ kind, of }: Resource): string =>
  JSON.stringify([kind, kind === 'secret' ? of.scope : of[GUARDED[kind]?.idField ?? '']]);

const textOf = (resource: Resource): string => JSON.stringify(resource);

/** Grants added resources and revokes removed ones. Unchanged resources were checked when they were granted. */
export async function changeGrants(
  tx: Tx,
  call: PlatformCall,
  principal: string,
  before: JsonMembers,
  after: JsonMembers,
): Promise<void> {
  const [had, has] = [resourcesIn(before), resourcesIn(after)];
  const [old, kept] = [new Set(had.map(textOf)), new Set(has.map(textOf))];
  const added = has.filter((each) => !old.has(textOf(each)));
  const changed = [...had.filter((each) => !kept.has(textOf(each))), ...added];
  for (const each of added) await checkResource(tx, call, each);
  await setLevels(tx, workspaceIn(call).id, principal, changed, has);
}

/** Sets the level once for each object that a changed resource names. */
async function setLevels(
  tx: Tx,
  workspaceId: string,
  principal: string,
  changed: readonly Resource[],
  has: readonly Resource[],
): Promise<void> {
  for (const [object, [named]] of Map.groupBy(changed, objectOf)) {
    const resources = has.filter((each) => objectOf(each) === object);
    if (named) await setLevel(tx, workspaceId, principal, named, resources);
  }
}

/** Revokes everything, including the resources of an unfinished update. */
export const revokeAll = (
  tx: Tx,
  { workspaceId, principal, fields, update }: Pick<App, 'workspaceId' | 'principal' | 'fields' | 'update'>,
): Promise<void> =>
  setLevels(tx, workspaceId, principal.id, [...resourcesIn(fields), ...resourcesIn(update?.fields ?? {})], []);
