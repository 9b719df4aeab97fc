import { readCached } from '../store/read-cached.ts';
import type { Store } from '../store/types.ts';
import { type RoleAssignments, roleAssignments, type Subscription } from './collections.ts';
import { GATEWAY_FAILURE, gatewayErrors } from './errors.ts';
import {
  groupsUpFrom,
  isRootGroup,
  managementGroupIn,
  managementGroupKey,
  managementGroupPath,
  managementGroups,
  type ReadDocument,
} from './hierarchy.ts';
import { type ArmCall, type ArmTraits, armFacts, armTraits } from './route.ts';

/** Roles at management groups, which apply to the groups, subscriptions and resources below them. */

type Held = RoleAssignments['assignments'];
/** Only owners may create or remove locks; the contributor role lacks the permission. */
type Effect = ArmTraits['effect'] | 'own';

export const effectOf = ({ effect, isAboutLocks }: Pick<ArmTraits, 'effect' | 'isAboutLocks'>): Effect =>
  isAboutLocks && effect !== 'read' ? 'own' : effect;

export const suffices = (role: Held[number]['role'], effect: Effect): boolean =>
  effect === 'read' || role === 'Owner' || (role === 'Contributor' && effect !== 'own');

/** Names, in lower case, of the groups at which one of the roles allows an effect. */
export function rolesAtGroups(held: Held, effect: Effect, aliases: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { scope, role } of held) {
    const name = suffices(role, effect) ? managementGroupIn(scope, aliases) : undefined;
    if (name !== undefined) names.add(name.toLowerCase());
  }
  return names;
}

/** Reads from the cache if possible. */
const readFrom =
  (store: Store): ReadDocument =>
  (collection, key) =>
    readCached(store, collection, key);

/** Names, in lower case, of the groups above a subscription; always includes the root group. */
async function namesAbove(
  store: Store,
  { tenantId, managementGroup }: Pick<Subscription, 'tenantId' | 'managementGroup'>,
): Promise<readonly string[]> {
  const root = tenantId.toLowerCase();
  if (managementGroup === undefined) return [root];
  const groups = await groupsUpFrom(readFrom(store), tenantId, managementGroup);
  return [...(groups ?? []).map(({ name }) => name.toLowerCase()), root];
}

/** Whether a role at a group above the subscription allows an effect on it. */
export async function allowedFromAbove(
  store: Store,
  held: Held,
  subscription: Pick<Subscription, 'tenantId' | 'managementGroup'>,
  effect: Effect,
  aliases: readonly string[],
): Promise<boolean> {
  const groups = rolesAtGroups(held, effect, aliases);
  return groups.size > 0 && (await namesAbove(store, subscription)).some((name) => groups.has(name));
}

/** Whether the caller has a role that allows an effect on a management group of their tenant: at the group, above it, or everywhere. */
export async function mayUseGroup(call: ArmCall, name: string, effect: Effect): Promise<boolean> {
  const { store, config } = call.jar;
  const { objectId = '', tenantId = '' } = call.caller ?? {};
  const held = (await readCached(store, roleAssignments, objectId.toLowerCase()))?.value.assignments ?? [];
  if (held.some(({ scope, role }) => scope === '/' && suffices(role, effect))) return true;
  const groups = rolesAtGroups(held, effect, config.namespace);
  if (groups.size === 0) return false;
  if (groups.has(tenantId.toLowerCase()) || groups.has(name.toLowerCase())) return true;
  const above = (await groupsUpFrom(readFrom(store), tenantId, name)) ?? [];
  return above.some((group) => groups.has(group.name.toLowerCase()));
}

/**
 * Rejects callers without a role at a management group, whether or not the group exists, so that its existence is not revealed. For other
 * callers an existing group becomes a fact of the call.
 */
export async function authorizeGroup(
  call: ArmCall,
  name: string,
  effect: Effect = armTraits(call).effect,
): Promise<void> {
  const { caller, jar } = call;
  if (!caller) return;
  const { tenantId } = caller;
  const found = isRootGroup(tenantId, name)
    ? { name: tenantId }
    : (await readCached(jar.store, managementGroups, managementGroupKey(tenantId, name)))?.value;
  if (found) armFacts(call).managementGroup = { tenantId, name: found.name };
  if (!(await mayUseGroup(call, name, effect))) throw refusedAtGroup(call, found?.name ?? name);
}

/** The error for a caller without permission on a group, the same as for any scope. */
export function refusedAtGroup(call: ArmCall, name: string): Error {
  const { name: client = '', objectId = '' } = call.caller ?? {};
  const values = { client, objectId, action: armTraits(call).action, scope: managementGroupPath(name) };
  return gatewayErrors.AuthorizationFailed(values, { headers: GATEWAY_FAILURE });
}
