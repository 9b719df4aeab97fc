import type { Tx } from '../store/types.ts';
import { type Lock, locks, type Subscription, subscriptions } from './collections.ts';
import { gatewayErrors } from './errors.ts';
import type { ArmJar } from './jar.ts';
import { LOCKS_AT_SCOPE } from './limits.ts';

/** Number of locks deleted per query. */
const SLICE = 100;

/** Creates or changes a lock. */
export async function putLock(
  tx: Tx,
  jar: ArmJar,
  subscriptionId: string,
  key: string,
  write: (before: Lock | undefined) => Lock,
): Promise<{ readonly lock: Lock; readonly isNew: boolean }> {
  // Every change of a subscription's locks first locks the subscription's document, so that its count matches the locks.
  const holder = await held(tx, subscriptionId);
  const existing = (await tx.get(locks, key))?.value;
  const lock = write(existing);
  if (!existing) {
    const { allowed, maximum } = await jar.limits.takeQuota(tx, { limit: LOCKS_AT_SCOPE, scope: quotaScope(lock) });
    if (!allowed) throw gatewayErrors.TooManyLocks({ scope: lock.scope, maximum });
    await count(tx, holder, 1);
  }
  await tx.put(locks, key, lock);
  return { lock, isNew: existing === undefined };
}

/** Returns false if the lock does not exist. */
export async function deleteLock(tx: Tx, jar: ArmJar, subscriptionId: string, key: string): Promise<boolean> {
  const holder = await held(tx, subscriptionId);
  const lock = (await tx.get(locks, key))?.value;
  if (!lock) return false;
  await tx.delete(locks, key);
  await jar.limits.freeQuota(tx, { limit: LOCKS_AT_SCOPE, scope: quotaScope(lock) });
  await count(tx, holder, -1);
  return true;
}

/** Deletes the locks at deleted scopes and below them: also locks that were created after the deletion began. */
export async function forgetLocks(
  tx: Tx,
  jar: ArmJar,
  subscriptionId: string,
  scopeKeys: readonly string[],
): Promise<void> {
  const subscription = await tx.get(subscriptions, subscriptionId.toLowerCase(), 'none');
  if (!subscription?.value.locks) return;
  for (const scopeKey of scopeKeys) await forgetBelow(tx, jar, subscriptionId, scopeKey);
}

async function forgetBelow(tx: Tx, jar: ArmJar, subscriptionId: string, scopeKey: string): Promise<void> {
  for (;;) {
    const { items } = await tx.query(locks, { prefix: `${scopeKey}/`, limit: SLICE });
    for (const { key } of items) await deleteLock(tx, jar, subscriptionId, key);
    if (items.length < SLICE) return;
  }
}

const quotaScope = ({ scope }: Lock): string[] => [scope.toLowerCase()];

async function held(tx: Tx, subscriptionId: string): Promise<Subscription | undefined> {
  return (await tx.get(subscriptions, subscriptionId.toLowerCase()))?.value;
}

async function count(tx: Tx, subscription: Subscription | undefined, more: number): Promise<void> {
  if (!subscription) return;
  const { locks: before = 0, ...others } = subscription;
  const after = before + more;
  // Absent instead of zero: the gateway looks for locks only if the count exists.
  const changed: Subscription = after > 0 ? { ...others, locks: after } : others;
  await tx.put(subscriptions, subscription.subscriptionId.toLowerCase(), changed);
}
