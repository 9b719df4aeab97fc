import {
  type ArmFacts,
  groupPath,
  managementGroupIn,
  managementGroupPath,
  type OperationHeaderOptions,
  resourceKey,
  type Subscription,
} from '../../../kernel/arm/index.ts';
import { scopeKey as keyOfScope } from '../collections.ts';
import { eventErrors } from '../errors.ts';
import type { EventsCall } from '../jar.ts';
import { NAMESPACE, POLLING } from '../versions.ts';
import { PARENT_KINDS, PARENT_PARAMS, parentKindOf } from './parent-kinds.ts';
import { EXTENSION_TYPE } from './types.ts';

/** Event subscription that the path of a call names, whether it exists or not. */
export interface Place {
  /** Scope of the subscription, as the path names it. */
  readonly scope: string;
  readonly scopeKey: string;
  readonly type: string;
  /** Tenant of a management group; absent for scopes in a subscription. */
  readonly tenantId?: string;
  /** Path between the scope and the name. */
  readonly between: string;
  readonly name: string;
  /** Key of the subscription in the store. */
  readonly key: string;
}

export const PARAMS = [
  'scope',
  'subscriptionId',
  'resourceGroupName',
  ...PARENT_PARAMS,
  'eventSubscriptionName',
] as const;

type Params = Readonly<Partial<Record<(typeof PARAMS)[number], string>>>;

const EXTENSION_BETWEEN = `/providers/${NAMESPACE}/eventSubscriptions/`;
const CHILD_BETWEEN = '/eventSubscriptions/';

export function placeOf(call: Pick<EventsCall, 'jar' | 'params'>, arm: ArmFacts): Place {
  const params: Params = call.params;
  const name = params.eventSubscriptionName ?? '';
  if (!arm.subscription) return placeAtGroup(call, arm, params.scope ?? '', name);
  const { scope, type } = params.scope === undefined ? childScope(params, arm) : extended(params.scope);
  const between = type === EXTENSION_TYPE ? EXTENSION_BETWEEN : CHILD_BETWEEN;
  const scopeKey = resourceKey(scope, call.jar.config.namespace);
  return { scope, scopeKey, type, between, name, key: `${scopeKey}${between}${name}`.toLowerCase() };
}

/** Outside of subscriptions, the scope must be a management group; the gateway has looked it up. */
function placeAtGroup(call: Pick<EventsCall, 'jar'>, arm: ArmFacts, sent: string, name: string): Place {
  if (arm.managementGroup) {
    const { tenantId, name: group } = arm.managementGroup;
    const scope = managementGroupPath(group);
    const scopeKey = keyOfScope(scope, tenantId);
    const key = `${scopeKey}${EXTENSION_BETWEEN}${name}`.toLowerCase();
    return { scope, scopeKey, tenantId, type: EXTENSION_TYPE, between: EXTENSION_BETWEEN, name, key };
  }
  if (managementGroupIn(sent, call.jar.config.namespace) !== undefined)
    throw eventErrors.ParentResourceNotFound({ id: sent, hint: '' });
  const reason = `The scope of an event subscription must be a management group, a subscription, a resource group or a resource; '${sent}' is none of these.`;
  throw eventErrors.InvalidRequest({ reason }, { target: 'scope' });
}

/** Owner of an event subscription and its operations: a subscription, or a tenant for management groups. */
export type Owner = { readonly subscriptionId: string } | { readonly tenantId: string };

export function ownerOf({ subscription, managementGroup }: ArmFacts): Owner {
  if (subscription) return { subscriptionId: subscription.subscriptionId };
  if (managementGroup) return { tenantId: managementGroup.tenantId };
  throw new Error('a call without a place has no owner');
}

const extended = (scope: string): Pick<Place, 'scope' | 'type'> => ({ scope, type: EXTENSION_TYPE });

/** Finds the parent type whose parameters are exactly those of the path. */
function childScope(params: Params, arm: ArmFacts): Pick<Place, 'scope' | 'type'> {
  const { subscriptionId } = arm.subscription as Subscription;
  const { resourceGroupName = '' } = params;
  const given = PARENT_PARAMS.filter((name) => params[name] !== undefined);
  const kind = PARENT_KINDS.find(
    ({ segments }) => segments.length === given.length && segments.every(([, name]) => given.includes(name)),
  );
  if (!kind) throw new Error('a route of event subscriptions has a parent of no known kind');
  const below = kind.segments.map(([type, name]) => `/${type}/${params[name]}`).join('');
  const group = groupPath(subscriptionId, arm.group?.name ?? resourceGroupName);
  return { scope: `${group}/providers/${NAMESPACE}${below}`, type: kind.type };
}

/** How clients poll an operation on this subscription. */
export const pollingOf = ({ type }: Pick<Place, 'type'>): OperationHeaderOptions =>
  parentKindOf(type)?.polling ?? POLLING;
