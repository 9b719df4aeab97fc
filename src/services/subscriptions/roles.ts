import {
  allowedFromAbove,
  covers,
  GATEWAY_FAILURE,
  gatewayErrors,
  type RoleAssignments,
  roleAssignments,
  type Subscription,
  subscriptionPath,
} from '../../kernel/arm/index.ts';
import type { Caller } from '../../kernel/auth/index.ts';
import { readCached, type Stored, type Tx } from '../../kernel/store/index.ts';
import type { SubscriptionsCall } from './jar.ts';

/** The caller, which the gateway guarantees. */
export function callerOf({ caller }: Pick<SubscriptionsCall, 'caller'>): Caller {
  if (!caller) throw new Error('a call without a caller came past the gateway');
  return caller;
}

export const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** The caller's roles; read in the transaction if one is given. */
function rightsHeldBy(call: SubscriptionsCall, tx?: Tx): Promise<Stored<RoleAssignments> | undefined> {
  const key = callerOf(call).objectId.toLowerCase();
  return tx ? tx.get(roleAssignments, key, 'none') : readCached(call.jar.store, roleAssignments, key);
}

/** True if the caller has any role on the subscription or at a management group above it, in the same tenant. */
export async function mayRead(call: SubscriptionsCall, subscription: Subscription): Promise<boolean> {
  const { store, config } = call.jar;
  const held = (await rightsHeldBy(call))?.value.assignments ?? [];
  const scope = subscriptionPath(subscription.subscriptionId);
  if (held.some((each) => covers(each.scope, scope, config.namespace))) return true;
  return allowedFromAbove(store, held, subscription, 'read', config.namespace);
}

const ROOT = '/';

/** Resources of a tenant require a role at the root, because the gateway has no tenant-level roles. Reading accepts any role there. */
export async function requireRootRole(
  call: SubscriptionsCall,
  need: 'read' | 'write',
  action: string,
  tx?: Tx,
): Promise<void> {
  const held = (await rightsHeldBy(call, tx))?.value.assignments ?? [];
  if (held.some(({ scope, role }) => scope === ROOT && (need === 'read' || role !== 'Reader'))) return;
  const { name: client, objectId } = callerOf(call);
  throw gatewayErrors.AuthorizationFailed(
    { client, objectId, action, scope: call.path },
    { headers: { ...GATEWAY_FAILURE } },
  );
}

export async function makeOwner(tx: Tx, principalId: string, subscriptionId: string): Promise<void> {
  const key = principalId.toLowerCase();
  // The key is locked, because there may be no document yet and two subscriptions may finish at once.
  await tx.lock(`${roleAssignments.name}:${key}`);
  const before = (await tx.get(roleAssignments, key))?.value;
  const assignment = { scope: subscriptionPath(subscriptionId), role: 'Owner' } as const;
  await tx.put(roleAssignments, key, {
    principalId: before?.principalId ?? principalId,
    assignments: [...(before?.assignments ?? []), assignment],
  });
}
