import { type ArmFacts, groupPath, resourceKey, type Subscription } from '../../../kernel/arm/index.ts';
import { eventErrors } from '../errors.ts';
import type { EventsCall } from '../jar.ts';
import { NAMESPACE } from '../versions.ts';
import { DOMAIN_CHILD_TYPE, DOMAIN_TOPIC_CHILD_TYPE, EXTENSION_TYPE, TOPIC_CHILD_TYPE } from './types.ts';

/** Where the path of a call points to, whether there is anything or not. */
export interface Place {
  /** What the subscription is for, as the path names it. */
  readonly scope: string;
  readonly scopeKey: string;
  readonly type: string;
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
  'eventSubscriptionName',
] as const;

type Params = Readonly<Partial<Record<(typeof PARAMS)[number], string>>>;

const EXTENSION_BETWEEN = `/providers/${NAMESPACE}/eventSubscriptions/`;
const CHILD_BETWEEN = '/eventSubscriptions/';

export function placeOf(call: Pick<EventsCall, 'jar' | 'params'>, arm: ArmFacts): Place {
  const params: Params = call.params;
  if (!arm.subscription) {
    const reason = `Event subscriptions are made for a subscription or what is in one; the scope '${params.scope ?? ''}' is neither.`;
    throw eventErrors.InvalidRequest({ reason }, { target: 'scope' });
  }
  const { scope, type } = params.scope === undefined ? childScope(params, arm) : extended(params.scope);
  const between = type === EXTENSION_TYPE ? EXTENSION_BETWEEN : CHILD_BETWEEN;
  const scopeKey = resourceKey(scope, call.jar.config.namespace);
  const name = params.eventSubscriptionName ?? '';
  return { scope, scopeKey, type, between, name, key: `${scopeKey}${between}${name}`.toLowerCase() };
}

const extended = (scope: string): Pick<Place, 'scope' | 'type'> => ({ scope, type: EXTENSION_TYPE });

function childScope(
  { resourceGroupName = '', topicName, domainName }: Params,
  arm: ArmFacts,
): Pick<Place, 'scope' | 'type'> {
  const { subscriptionId } = arm.subscription as Subscription;
  const provider = `${groupPath(subscriptionId, arm.group?.name ?? resourceGroupName)}/providers/${NAMESPACE}`;
  if (domainName === undefined) return { scope: `${provider}/topics/${topicName}`, type: TOPIC_CHILD_TYPE };
  const domain = `${provider}/domains/${domainName}`;
  if (topicName === undefined) return { scope: domain, type: DOMAIN_CHILD_TYPE };
  return { scope: `${domain}/topics/${topicName}`, type: DOMAIN_TOPIC_CHILD_TYPE };
}
