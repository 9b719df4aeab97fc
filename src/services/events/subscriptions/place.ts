import {
  type ArmFacts,
  groupPath,
  managementGroupIn,
  managementGroupPath,
  resourceKey,
  type Subscription,
} from '../../../kernel/arm/index.ts';
import { scopeKey as keyOfScope } from '../collections.ts';
import { eventErrors } from '../errors.ts';
import type { EventsCall } from '../jar.ts';
import { NAMESPACE } from '../versions.ts';
import {
  DOMAIN_CHILD_TYPE,
  DOMAIN_TOPIC_CHILD_TYPE,
  EXTENSION_TYPE,
  PARTNER_TOPIC_CHILD_TYPE,
  TOPIC_CHILD_TYPE,
} from './types.ts';

/** Where the path of a call points to, whether there is anything or not. */
export interface Place {
  /** What the subscription is for, as the path names it. */
  readonly scope: string;
  readonly scopeKey: string;
  readonly type: string;
  /** Of the management group that the scope is; absent for scopes in a subscription. */
  readonly tenantId?: string;
  /** What stands between the scope and the name. */
  readonly between: string;
  readonly name: string;
  /** Of the subscription in the store. */
  readonly key: string;
}

export const PARAMS = [
  'scope',
  'subscriptionId',
  'resourceGroupName',
  'topicName',
  'domainName',
  'partnerTopicName',
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

/** Outside of subscriptions there are management groups; the gateway has found the group, if there is one. */
function placeAtGroup(call: Pick<EventsCall, 'jar'>, arm: ArmFacts, sent: string, name: string): Place {
  if (arm.managementGroup) {
    const { tenantId, name: group } = arm.managementGroup;
    const scope = managementGroupPath(group);
    const scopeKey = keyOfScope(scope, tenantId);
    const key = `${scopeKey}${EXTENSION_BETWEEN}${name}`.toLowerCase();
    return { scope, scopeKey, tenantId, type: EXTENSION_TYPE, between: EXTENSION_BETWEEN, name, key };
  }
  if (managementGroupIn(sent, call.jar.config.namespace) !== undefined)
    throw eventErrors.ParentResourceNotFound({ id: sent });
  const reason = `Event subscriptions are made for a management group, a subscription or what is in one; the scope '${sent}' is none of them.`;
  throw eventErrors.InvalidRequest({ reason }, { target: 'scope' });
}

/** Whose a subscription and its operations are: a subscription's, or a tenant's where they are for a management group. */
export type Owner = { readonly subscriptionId: string } | { readonly tenantId: string };

export function ownerOf({ subscription, managementGroup }: ArmFacts): Owner {
  if (subscription) return { subscriptionId: subscription.subscriptionId };
  if (managementGroup) return { tenantId: managementGroup.tenantId };
  throw new Error('a call without a place has no owner');
}

const extended = (scope: string): Pick<Place, 'scope' | 'type'> => ({ scope, type: EXTENSION_TYPE });

function childScope(
  { resourceGroupName = '', topicName, domainName, partnerTopicName }: Params,
  arm: ArmFacts,
): Pick<Place, 'scope' | 'type'> {
  const { subscriptionId } = arm.subscription as Subscription;
  const provider = `${groupPath(subscriptionId, arm.group?.name ?? resourceGroupName)}/providers/${NAMESPACE}`;
  if (partnerTopicName !== undefined)
    return { scope: `${provider}/partnerTopics/${partnerTopicName}`, type: PARTNER_TOPIC_CHILD_TYPE };
  if (domainName === undefined) return { scope: `${provider}/topics/${topicName}`, type: TOPIC_CHILD_TYPE };
  const domain = `${provider}/domains/${domainName}`;
  if (topicName === undefined) return { scope: domain, type: DOMAIN_CHILD_TYPE };
  return { scope: `${domain}/topics/${topicName}`, type: DOMAIN_TOPIC_CHILD_TYPE };
}
