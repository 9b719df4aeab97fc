import { mutate, subscriptions } from '../../../kernel/arm/index.ts';
import { readThrough, type Tx } from '../../../kernel/store/index.ts';
import { type Alias, aliases, aliasKey, type Requested } from '../collections.ts';
import { beginCreation, newAlias, throttleCreation } from '../creation/begin.ts';
import { planCreation } from '../creation/plan.ts';
import { subscriptionErrors } from '../errors.ts';
import type { SubscriptionsCall } from '../jar.ts';
import { callerOf, isSame, mayRead, requireRootRole } from '../roles.ts';
import type { AliasRequest } from './body.ts';

/** An alias is its maker's; others need a role at the root, and are told nothing of it without. */
export async function requireAlias(
  call: SubscriptionsCall,
  name: string,
  need: 'read' | 'write',
  action: string,
): Promise<Alias | undefined> {
  const caller = callerOf(call);
  const alias = (await call.jar.store.get(aliases, aliasKey(caller.tenantId, name)))?.value;
  if (alias && !isSame(alias.creator, caller.objectId)) await requireRootRole(call, need, action);
  return alias;
}

/**
 * The same for a write, within its transaction: somebody else may have made or replaced the alias since. Two requests for one name wait for
 * each other, though there may be no document to lock yet.
 */
export async function lockedAlias(
  tx: Tx,
  call: SubscriptionsCall,
  name: string,
  action: string,
): Promise<Alias | undefined> {
  const caller = callerOf(call);
  const key = aliasKey(caller.tenantId, name);
  await tx.lock(`${aliases.name}:${key}`);
  const alias = (await tx.get(aliases, key))?.value;
  if (alias && !isSame(alias.creator, caller.objectId)) await requireRootRole(call, 'write', action, tx);
  return alias;
}

/** What a PUT leads to: the alias that is there already, or a new one. */
export async function putAlias(
  call: SubscriptionsCall,
  name: string,
  existing: Alias | undefined,
  request: AliasRequest,
  action: string,
): Promise<Alias> {
  if (isKept(existing)) return unchanged(existing, request);
  const { subscriptionId } = request;
  if (subscriptionId !== undefined) return aliasOfExisting(call, name, subscriptionId, request, action);
  const plan = await planCreation(call, name, request);
  await throttleCreation(call);
  return call.jar.store.transact(async (tx) => {
    const other = await lockedAlias(tx, call, name, action);
    return isKept(other) ? unchanged(other, request) : beginCreation(tx, call, name, plan);
  });
}

/** An alias whose creation failed has nothing to keep, and can be tried again. */
const isKept = (alias: Alias | undefined): alias is Alias =>
  alias !== undefined && alias.progress.provisioningState !== 'Failed';

/** Aliases create and never update: all that a second request can get wrong is to mean another subscription. */
function unchanged(alias: Alias, { subscriptionId: given }: AliasRequest): Alias {
  const { name, subscriptionId: existing } = alias;
  if (given === undefined || isSame(given, existing)) return alias;
  throw subscriptionErrors.AliasConflict({ alias: name, existing, given }, { target: 'properties.subscriptionId' });
}

async function aliasOfExisting(
  call: SubscriptionsCall,
  name: string,
  id: string,
  { additionalProperties: { tags } }: AliasRequest,
  action: string,
): Promise<Alias> {
  const { displayName, subscriptionId } = await visibleSubscription(call, id);
  const requested: Requested = { displayName, ...(tags && { tags: { ...tags } }) };
  return mutate(call, async (tx) => {
    const other = await lockedAlias(tx, call, name, action);
    if (isKept(other)) return unchanged(other, { subscriptionId: id, additionalProperties: {} });
    const alias = newAlias(call, name, { subscriptionId, requested, progress: { provisioningState: 'Succeeded' } });
    await tx.put(aliases, aliasKey(alias.tenantId, name), alias);
    return alias;
  });
}

/** A subscription of another tenant, or one that the caller has no role on or above, is not there. */
async function visibleSubscription(call: SubscriptionsCall, id: string) {
  const found = (await readThrough(call.jar.store, subscriptions, id.toLowerCase()))?.value;
  const isOwn = found && isSame(found.tenantId, callerOf(call).tenantId);
  if (isOwn && (await mayRead(call, found))) return found;
  throw subscriptionErrors.SubscriptionNotFound({ subscription: id }, { target: 'properties.subscriptionId' });
}
