import { type AnyArmCode, armFacts } from '../../../kernel/arm/index.ts';
import type { Answer, Route } from '../../../kernel/http/index.ts';
import { limitStep, type RateLimit } from '../../../kernel/limits/index.ts';
import type { Call } from '../../../kernel/service/index.ts';
import { eventErrors } from '../errors.ts';
import { REQUESTS } from './types.ts';

const LIMITS: readonly RateLimit[] = [REQUESTS];

/** Outside of subscriptions, requests are counted per tenant. */
const countedAt = (call: Call): string => armFacts(call).subscription?.subscriptionId ?? call.caller?.tenantId ?? '';

const throttle = limitStep<Call>({
  limits: () => LIMITS,
  scopes: { subscription: (call) => countedAt(call).toLowerCase() },
  remaining: new Map([[REQUESTS, 'x-ms-ratelimit-remaining-subscription-resource-requests']]),
  refuse: ({ retryAfterSeconds: seconds }, call) =>
    eventErrors.ResourceRequestsThrottled({ subscription: countedAt(call), seconds }),
});

/** The same for a whole route. */
export function countedRoute(route: Route): Route {
  const handle = async (call: Call): Promise<Answer> => {
    await throttle(call);
    return route.handle(call);
  };
  return { ...route, handle };
}

/** Applies the provider's own rate limit; every answer has the number of remaining requests. */
export const counted = (code: AnyArmCode): AnyArmCode => ({
  ...code,
  async handle(call, arm) {
    await throttle(call);
    return code.handle(call, arm);
  },
});
