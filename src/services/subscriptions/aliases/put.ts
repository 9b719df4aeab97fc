import { mutate, subscriptions } from '../../../kernel/arm/index.ts';
import { readCached, type Tx } from '../../../kernel/store/index.ts';
import { type Alias, aliases, aliasKey, type Requested } from '../collections.ts';
import { beginCreation, newAlias, throttleCreation } from '../creation/begin.ts';
import { planCreation } from '../creation/plan.ts';
import { subscriptionErrors } from '../errors.ts';
import type { SubscriptionsCall } from '../jar.ts';
import { callerOf, isSame, mayRead, requireRootRole } from '../roles.ts';
import type { AliasRequest } from './body.ts';

/**
 * Returns the alias, if it exists. Its creator may access it; any other caller needs a role at the root and otherwise does not learn
 * whether it exists.
 */
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
 * The same in the transaction of a write, because another request may have created or replaced the alias since. Locks the key, so that two
 * requests for one name run one after the other even if there is no document to lock yet.
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

/** Processes a PUT: returns the existing alias or creates one. */
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

/** An alias whose creation failed does not count as existing, so the creation can be repeated. */
const isKept = (alias: Alias | undefined): alias is Alias =>
  alias !== undefined && alias.progress.provisioningState !== 'Failed';

/** A PUT never updates an alias. It fails only if it names another subscription. */
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

/** A subscription of another tenant, or one on which the caller has no role (directly or inherited), is reported as missing. */
async function visibleSubscription(call: SubscriptionsCall, id: string) {
  const found = (await readCached(call.jar.store, subscriptions, id.toLowerCase()))?.value;
  const isOwn = found && isSame(found.tenantId, callerOf(call).tenantId);
  if (isOwn && (await mayRead(call, found))) return found;
  throw subscriptionErrors.SubscriptionNotFound({ subscription: id }, { target: 'properties.subscriptionId' });
}
