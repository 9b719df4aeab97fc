import {
  covers,
  GATEWAY_FAILURE,
  gatewayErrors,
  type Role,
  roleAssignments,
  subscriptionPath,
} from '../../kernel/arm/index.ts';
import type { Caller } from '../../kernel/auth/index.ts';
import { readThrough, type Tx } from '../../kernel/store/index.ts';
import type { SubscriptionsCall } from './jar.ts';

/** Who calls: the gateway lets nobody through without. */
export function callerOf({ caller }: Pick<SubscriptionsCall, 'caller'>): Caller {
  if (!caller) throw new Error('a call without a caller came past the gateway');
  return caller;
}

export const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** The roles of the caller that count at a scope; within a transaction by its own reads. */
export async function rolesAt(call: SubscriptionsCall, scope: string, tx?: Tx): Promise<readonly Role[]> {
  const { store, config } = call.jar;
  const key = callerOf(call).objectId.toLowerCase();
  const held = tx ? await tx.get(roleAssignments, key, 'none') : await readThrough(store, roleAssignments, key);
  const there = held?.value.assignments.filter((each) => covers(each.scope, scope, config.namespace)) ?? [];
  return there.map(({ role }) => role);
}

const ROOT = '/';

/** What is the tenant's own needs a role at the root, as the gateway has no tenant-level roles; reading will do with any. */
export async function requireRootRole(
  call: SubscriptionsCall,
  need: 'read' | 'write',
  action: string,
  tx?: Tx,
): Promise<void> {
  const roles = await rolesAt(call, ROOT, tx);
  if (roles.some((role) => need === 'read' || role !== 'Reader')) return;
  const { name: client, objectId } = callerOf(call);
  throw gatewayErrors.AuthorizationFailed(
    { client, objectId, action, scope: call.path },
    { headers: { ...GATEWAY_FAILURE } },
  );
}

/** Makes a principal the owner of a subscription. */
export async function makeOwner(tx: Tx, principalId: string, subscriptionId: string): Promise<void> {
  const key = principalId.toLowerCase();
  // There may be no document to lock yet, and two subscriptions may be ready at once.
  await tx.lock(`${roleAssignments.name}:${key}`);
  const before = (await tx.get(roleAssignments, key))?.value;
  const assignment = { scope: subscriptionPath(subscriptionId), role: 'Owner' } as const;
  await tx.put(roleAssignments, key, {
    principalId: before?.principalId ?? principalId,
    assignments: [...(before?.assignments ?? []), assignment],
  });
}
