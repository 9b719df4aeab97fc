import type { Tx } from '../../../kernel/store/index.ts';
import type { Json, JsonMembers } from '../../../kernel/values/index.ts';
import { listOf, membersOf } from '../engine/json.ts';
import { errors } from '../errors.ts';
import { type PlatformCall, standingIn, workspaceIn } from '../jar.ts';
import { requireLevel } from '../permissions/guard.ts';
import type { GuardedKind } from '../permissions/guarded-kind.ts';
import type { ObjectType } from '../permissions/levels.ts';
import { GUARDED_KINDS } from '../permissions/registry.ts';
import { type SecretPermission, scopeKey, secretKey, secretScopes, secrets } from '../secrets/collections.ts';
import { findScope } from '../secrets/scope.ts';
import { endpointKey, servingEndpoints } from '../serving/collections.ts';
import { isServingName } from '../serving/served-entity.ts';
import { kindOfResource } from './fields.ts';

/** Access of an app to other objects: its service principal is given a level on each of them, by somebody who manages them. */

/** Kinds of resources that have permissions here, and the field that names the object. Others are kept as they are sent. */
const GUARDED: Readonly<Partial<Record<string, { readonly type: ObjectType; readonly idField: string }>>> = {
  sql_warehouse: { type: 'warehouses', idField: 'id' },
  serving_endpoint: { type: 'serving-endpoints', idField: 'name' },
  job: { type: 'jobs', idField: 'id' },
  experiment: { type: 'experiments', idField: 'experiment_id' },
  app: { type: 'apps', idField: 'name' },
};

/** The owner of an object is one principal, and stays who it is: an app that asks for as much manages it. */
const levelOf = (permission: Json | undefined): string =>
  permission === undefined ? 'CAN_USE' : permission === 'IS_OWNER' ? 'CAN_MANAGE' : String(permission);

interface Place {
  readonly type: ObjectType;
  readonly kind: GuardedKind;
  readonly id: string;
}

/** Serving endpoints are named by their name, and known to the permissions API by their id. */
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

/** Gives the principal of an app what one resource says. Throws where there is no such object, or the caller does not manage it. */
async function grant(tx: Tx, call: PlatformCall, principal: string, resource: JsonMembers): Promise<void> {
  const found = kindOfResource(resource);
  if (!found) return;
  const { kind, of } = found;
  if (kind === 'secret') return grantSecret(tx, call, principal, of);
  const workspaceId = workspaceIn(call).id;
  const place = await placeOf(tx, workspaceId, kind, of);
  if (!place) return;
  const guarded = await place.kind.find(tx, workspaceId, place.id);
  if (!guarded) throw missing(kind, String(of[GUARDED[kind]?.idField ?? 'id']));
  requireLevel(call, guarded, 'CAN_MANAGE');
  const entry = { kind: 'servicePrincipal', principal, level: levelOf(of.permission) } as const;
  const others = guarded.acl.filter((each) => each.principal !== principal);
  await place.kind.save(tx, workspaceId, place.id, [...others, entry]);
}

async function grantSecret(tx: Tx, call: PlatformCall, principal: string, of: JsonMembers): Promise<void> {
  const workspace = workspaceIn(call);
  const scope = await findScope(tx, { workspace, standing: standingIn(call) }, String(of.scope), 'MANAGE');
  const key = scopeKey(workspace.id, scope.name);
  if (!(await tx.get(secrets, secretKey(key, String(of.key)))))
    throw missing('secret', `${scope.name}/${String(of.key)}`);
  const entry = { kind: 'servicePrincipal', principal, permission: of.permission as SecretPermission } as const;
  const others = scope.acl.filter((each) => each.principal !== principal);
  await tx.put(secretScopes, key, { ...scope, acl: [...others, entry] });
}

/** Takes away what a resource gave, where the object is still there. */
async function revoke(tx: Tx, workspaceId: string, principal: string, resource: JsonMembers): Promise<void> {
  const found = kindOfResource(resource);
  if (!found) return;
  const { kind, of } = found;
  if (kind === 'secret') {
    const key = scopeKey(workspaceId, String(of.scope));
    const scope = (await tx.get(secretScopes, key))?.value;
    if (scope)
      await tx.put(secretScopes, key, { ...scope, acl: scope.acl.filter((each) => each.principal !== principal) });
    return;
  }
  const place = await placeOf(tx, workspaceId, kind, of);
  const guarded = place && (await place.kind.find(tx, workspaceId, place.id));
  if (!place || !guarded) return;
  const acl = guarded.acl.filter((each) => each.principal !== principal);
  await place.kind.save(tx, workspaceId, place.id, acl);
}

const resourcesIn = ({ resources }: JsonMembers): readonly JsonMembers[] => listOf(resources).map(membersOf);

const textOf = (resource: JsonMembers): string => JSON.stringify(kindOfResource(resource));

/** Gives what is new, and takes away what is no longer there. What stays was decided when it was given. */
export async function changeGrants(
  tx: Tx,
  call: PlatformCall,
  principal: string,
  before: JsonMembers,
  after: JsonMembers,
): Promise<void> {
  const [had, has] = [resourcesIn(before), resourcesIn(after)];
  const [old, kept] = [new Set(had.map(textOf)), new Set(has.map(textOf))];
  for (const each of had) if (!kept.has(textOf(each))) await revoke(tx, workspaceIn(call).id, principal, each);
  for (const each of has) if (!old.has(textOf(each))) await grant(tx, call, principal, each);
}

export async function revokeAll(tx: Tx, workspaceId: string, principal: string, fields: JsonMembers): Promise<void> {
  for (const each of resourcesIn(fields)) await revoke(tx, workspaceId, principal, each);
}
