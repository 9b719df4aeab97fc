import { limitStep, type RateLimit } from '../limits/index.ts';
import { GATEWAY_FAILURE, gatewayErrors } from './errors.ts';
import { type OperationClass, REQUESTS } from './limits.ts';
import { type ArmCall, armFacts, armTraits } from './route.ts';

/** An action counts as a write. */
const CLASSES = { read: 'reads', write: 'writes', action: 'writes', delete: 'deletes' } as const;

const classOf = (call: ArmCall): OperationClass => CLASSES[armTraits(call).effect];

const inSubscription = (operation: OperationClass): readonly RateLimit[] => {
  const { subscription, everybody } = REQUESTS[operation];
  return [subscription, everybody];
};
const IN_SUBSCRIPTION = {
  reads: inSubscription('reads'),
  writes: inSubscription('writes'),
  deletes: inSubscription('deletes'),
};
const IN_TENANT = {
  reads: [REQUESTS.reads.tenant],
  writes: [REQUESTS.writes.tenant],
  deletes: [REQUESTS.deletes.tenant],
};

const REMAINING = new Map<RateLimit, string>(
  Object.entries(REQUESTS).flatMap(([operation, { subscription, everybody, tenant }]) => [
    [subscription, `x-ms-ratelimit-remaining-subscription-${operation}`],
    [everybody, `x-ms-ratelimit-remaining-subscription-global-${operation}`],
    [tenant, `x-ms-ratelimit-remaining-tenant-${operation}`],
  ]),
);

/** Takes a token from the caller's bucket and from the bucket of all callers, and reports the remaining tokens; 429 if one is empty. */
export const throttle = limitStep<ArmCall>({
  limits: (call) => (armFacts(call).subscription ? IN_SUBSCRIPTION : IN_TENANT)[classOf(call)],
  scopes: {
    subscription: (call) => armFacts(call).subscription?.subscriptionId.toLowerCase() ?? '',
    tenant: (call) => call.caller?.tenantId.toLowerCase() ?? '',
    principal: (call) => call.caller?.objectId.toLowerCase() ?? '',
  },
  remaining: REMAINING,
  refuse({ retryAfterSeconds: seconds }, call) {
    const operation = classOf(call);
    const id = armFacts(call).subscription?.subscriptionId;
    const headers = GATEWAY_FAILURE;
    if (id === undefined) {
      return gatewayErrors.TooManyRequests({ operation, tenant: call.caller?.tenantId ?? '', seconds }, { headers });
    }
    return gatewayErrors.SubscriptionRequestsThrottled({ operation, subscription: id, seconds }, { headers });
  },
});
