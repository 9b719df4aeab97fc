import type { Call } from '../http/route.ts';
import type { Jar } from '../jar-context.ts';
import { type BucketRule, TokenBuckets } from '../limits/token-buckets.ts';
import { GATEWAY_FAILURE, gatewayErrors } from './errors.ts';
import { armFacts, armTraits } from './route.ts';

type OperationClass = 'reads' | 'writes' | 'deletes';

/** Per subscription (or tenant), principal and class of operation. */
const PRINCIPAL: Readonly<Record<OperationClass, BucketRule>> = {
  reads: { size: 250, refillPerSecond: 25 },
  writes: { size: 200, refillPerSecond: 10 },
  deletes: { size: 200, refillPerSecond: 10 },
};

/** All principals of a subscription together have this many times as much. */
const GLOBAL_FACTOR = 15;

const global = (rule: BucketRule): BucketRule => ({
  size: rule.size * GLOBAL_FACTOR,
  refillPerSecond: rule.refillPerSecond * GLOBAL_FACTOR,
});
const GLOBAL = { reads: global(PRINCIPAL.reads), writes: global(PRINCIPAL.writes), deletes: global(PRINCIPAL.deletes) };

const headersOf = (operation: OperationClass) => ({
  tenant: `x-ms-ratelimit-remaining-tenant-${operation}`,
  subscription: `x-ms-ratelimit-remaining-subscription-${operation}`,
  everybody: `x-ms-ratelimit-remaining-subscription-global-${operation}`,
});
/** Written out once: names that are put together anew for every answer cost more than the counting. */
const HEADERS = { reads: headersOf('reads'), writes: headersOf('writes'), deletes: headersOf('deletes') };

const buckets = new WeakMap<Jar, TokenBuckets>();

export function bucketsOf(jar: Jar): TokenBuckets {
  let own = buckets.get(jar);
  if (!own) {
    own = new TokenBuckets();
    buckets.set(jar, own);
  }
  return own;
}

/** An action counts as a write. */
const CLASSES = { read: 'reads', write: 'writes', action: 'writes', delete: 'deletes' } as const;

/** Takes a token from the caller's bucket and tells how many are left; empty is 429. On a clock that stands still it only counts. */
export function throttle(call: Call): void {
  const operation = CLASSES[armTraits(call).effect];
  const names = HEADERS[operation];
  const { subscription } = armFacts(call);
  const principal = call.caller?.objectId ?? '';
  const own = bucketsOf(call.jar);
  const now = call.receivedAt;
  const enforced = call.jar.clock.mode !== 'virtual';
  if (!subscription) {
    const tenant = call.caller?.tenantId ?? '';
    const decision = own.take(tenant, principal, PRINCIPAL[operation], now);
    call.responseHeaders[names.tenant] = String(decision.remaining);
    if (decision.allowed || !enforced) return;
    const seconds = decision.retryAfterSeconds;
    throw gatewayErrors.TooManyRequests({ operation, tenant, seconds }, { headers: refusal(seconds) });
  }
  const id = subscription.subscriptionId;
  const mine = own.take(id, principal, PRINCIPAL[operation], now);
  const everybody = own.take(id, '*', GLOBAL[operation], now);
  call.responseHeaders[names.subscription] = String(mine.remaining);
  call.responseHeaders[names.everybody] = String(everybody.remaining);
  if ((mine.allowed && everybody.allowed) || !enforced) return;
  const seconds = Math.max(mine.retryAfterSeconds, everybody.retryAfterSeconds);
  throw gatewayErrors.SubscriptionRequestsThrottled(
    { operation, subscription: id, seconds },
    { headers: refusal(seconds) },
  );
}

const refusal = (seconds: number): Record<string, string> => ({ ...GATEWAY_FAILURE, 'retry-after': String(seconds) });
