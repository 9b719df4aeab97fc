import { readCached } from '../store/read-cached.ts';
import type { Collection } from '../store/types.ts';
import { challenged } from './authenticate.ts';
import { resourceGroups, roleAssignments, type Subscription, subscriptions } from './collections.ts';
import { GATEWAY_FAILURE, gatewayErrors } from './errors.ts';
import { allowedFromAbove, authorizeGroup, effectOf, suffices } from './group-roles.ts';
import { managementGroupIn } from './hierarchy.ts';
import {
  callPath,
  canonicalNamespace,
  groupPath,
  isGuid,
  parseScope,
  pathId,
  resourceKey,
  subscriptionPath,
} from './ids.ts';
import { REGISTRATION_FREE } from './providers.ts';
import { type ArmCall, armFacts, armTraits } from './route.ts';

/** Checks of the gateway, in the order in which clients of the real gateway observe them. */

export function findSubscription(call: ArmCall): Promise<void> | void {
  const id = subscriptionIdOf(call);
  if (id === undefined) return;
  return withCached(call, subscriptions, id.toLowerCase(), (found) => {
    armFacts(call).subscription = ownSubscription(call, id, found);
  });
}

/** Returns the subscription of the path, if there is one. Throws like the step, but does not modify the call. */
export async function subscriptionOf(call: ArmCall): Promise<Subscription | undefined> {
  const id = subscriptionIdOf(call);
  if (id === undefined) return undefined;
  return ownSubscription(call, id, (await readCached(call.jar.store, subscriptions, id.toLowerCase()))?.value);
}

function subscriptionIdOf(call: ArmCall): string | undefined {
  if (armTraits(call).tenantLevel) return undefined;
  return call.params.subscriptionId ?? parseScope(call.params.scope ?? '').subscriptionId;
}

function ownSubscription(call: ArmCall, id: string, found: Subscription | undefined): Subscription {
  if (!found && !isGuid(id))
    throw gatewayErrors.InvalidSubscriptionId({ subscription: id }, { headers: GATEWAY_FAILURE });
  if (!found) throw gatewayErrors.SubscriptionNotFound({ subscription: id }, { headers: GATEWAY_FAILURE });
  const actual = call.caller?.tenantId ?? '';
  if (found.tenantId === actual) return found;
  const error = gatewayErrors.InvalidAuthenticationTokenTenant(
    { actual, expected: found.tenantId },
    { headers: { ...GATEWAY_FAILURE } },
  );
  throw challenged(call, error, found.tenantId);
}

export function checkAuthorization(call: ArmCall): Promise<void> | void {
  const { subscription } = armFacts(call);
  return subscription ? authorize(call, subscription) : authorizeScope(call);
}

/** Scopes outside subscriptions: management groups. Other scopes are left to the provider. */
function authorizeScope(call: ArmCall): Promise<void> | void {
  const { scope } = call.params;
  if (scope === undefined || armTraits(call).tenantLevel) return;
  const group = managementGroupIn(pathId(scope), call.jar.config.namespace);
  if (group !== undefined) return authorizeGroup(call, group);
}

/** Roles at a scope apply to everything below it. */
export function authorize(call: ArmCall, subscription: Subscription | undefined): Promise<void> | void {
  if (!subscription) return;
  return authorizeAt(call, subscription, scopeOf(call, subscription.subscriptionId));
}

/** Checks the caller's permission at another scope of this subscription. */
export function authorizeAt(call: ArmCall, subscription: Subscription, scope: string): Promise<void> | void {
  const { caller } = call;
  if (!caller) return;
  return withCached(call, roleAssignments, caller.objectId.toLowerCase(), (roles) => {
    const { action, isPoll } = armTraits(call);
    const effect = effectOf(armTraits(call));
    const held = roles?.assignments ?? [];
    const { namespace } = call.jar.config;
    const counts = (at: string): boolean =>
      covers(at, scope, namespace) || (isPoll && covers(subscriptionPath(subscription.subscriptionId), at, namespace));
    if (held.some(({ scope: at, role }) => suffices(role, effect) && counts(at))) return;
    // Only callers with a role at a management group wait for the groups above the subscription to be read.
    return allowedFromAbove(call.jar.store, held, subscription, effect, namespace).then((allowed) => {
      if (allowed) return;
      const { name: client, objectId } = caller;
      throw gatewayErrors.AuthorizationFailed({ client, objectId, action, scope }, { headers: GATEWAY_FAILURE });
    });
  });
}

/** Continues synchronously if the document is cached: nearly every call passes here, and an await costs more than the check. */
function withCached<T>(
  call: ArmCall,
  collection: Collection<T>,
  key: string,
  use: (found: T | undefined) => Promise<void> | void,
): Promise<void> | void {
  const known = call.jar.store.peek(collection, key);
  if (known) return use(known.value);
  return readCached(call.jar.store, collection, key).then((found) => use(found?.value));
}

export function checkWritable(call: ArmCall): void {
  const { subscription } = armFacts(call);
  const { effect, ofSubscription } = armTraits(call);
  if (subscription?.state !== 'Disabled' || effect === 'read' || effect === 'delete' || ofSubscription) return;
  throw gatewayErrors.ReadOnlyDisabledSubscription(
    { subscription: subscription.subscriptionId },
    { headers: GATEWAY_FAILURE },
  );
}

export function checkRegistration(call: ArmCall): void {
  const { resourceType, effect, ofSubscription } = armTraits(call);
  const { subscription } = armFacts(call);
  if (!subscription || resourceType === undefined || effect === 'read' || ofSubscription) return;
  const namespace = canonicalNamespace(resourceType.slice(0, resourceType.indexOf('/')), call.jar.config.namespace);
  const key = namespace.toLowerCase();
  if (REGISTRATION_FREE.has(key)) return;
  // While a registration is in progress the namespace is usable: clients are told not to wait.
  const state = subscription.registrations[key];
  if (state === 'Registered' || state === 'Registering') return;
  const error = gatewayErrors.MissingSubscriptionRegistration({ namespace });
  const details = [{ code: error.code, message: error.message, target: namespace }];
  throw gatewayErrors.MissingSubscriptionRegistration({ namespace }, { details, headers: GATEWAY_FAILURE });
}

export function findGroup(call: ArmCall): Promise<void> | undefined {
  const { ownsGroup } = armTraits(call);
  const { subscription } = armFacts(call);
  if (!subscription || ownsGroup) return undefined;
  const group = call.params.resourceGroupName ?? parseScope(call.params.scope ?? '').resourceGroup;
  return group === undefined ? undefined : requireGroup(call, subscription.subscriptionId, group);
}

async function requireGroup(call: ArmCall, subscriptionId: string, group: string): Promise<void> {
  const { effect } = armTraits(call);
  const key = groupPath(subscriptionId, group).toLowerCase();
  const found = (await readCached(call.jar.store, resourceGroups, key))?.value;
  if (!found) throw gatewayErrors.ResourceGroupNotFound({ group }, { headers: GATEWAY_FAILURE });
  if (found.provisioningState === 'Deleting' && effect === 'write')
    throw gatewayErrors.ResourceGroupBeingDeleted({ group });
  if (found.move !== undefined && (effect === 'write' || effect === 'delete'))
    throw gatewayErrors.ResourceGroupBeingMoved({ group: found.name });
  armFacts(call).group = found;
}

/** The scope of a call: its path without the query, or at least its subscription. */
export function scopeOf(call: ArmCall, subscriptionId: string): string {
  const path = callPath(call);
  return path.toLowerCase().startsWith('/subscriptions/') ? path : `/subscriptions/${subscriptionId}`;
}

/** Whether a role assigned at one scope applies at another, with any alias of the provider prefix. */
export function covers(assigned: string, scope: string, aliases: readonly string[]): boolean {
  if (assigned === '/') return true;
  if (isWithin(assigned.toLowerCase(), scope.toLowerCase())) return true;
  // Cheap rejection by the first segment: a caller may have thousands of roles at management groups.
  if (!assigned.includes('.') || firstSegment(assigned) !== firstSegment(scope)) return false;
  return isWithin(resourceKey(assigned, aliases), resourceKey(scope, aliases));
}

const firstSegment = (id: string): string => id.slice(0, id.indexOf('/', 1)).toLowerCase();

const isWithin = (at: string, path: string): boolean => path === at || path.startsWith(`${at}/`);

/** Names of query parameters are compared without case. */
export function queryValue(call: Pick<ArmCall, 'query'>, name: string): string | undefined {
  let value = call.query[name];
  if (value === undefined) {
    const key = Object.keys(call.query).find((candidate) => candidate.toLowerCase() === name);
    value = key === undefined ? undefined : call.query[key];
  }
  return Array.isArray(value) ? String(value[0]) : (value as string | undefined);
}
