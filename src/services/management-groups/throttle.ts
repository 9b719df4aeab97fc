import type { ArmCall } from '../../kernel/arm/index.ts';
import { limitStep, type RateLimit } from '../../kernel/limits/index.ts';
import { tenantOf } from './access.ts';
import { groupErrors } from './errors.ts';
import { SUBSCRIPTION_WRITES, WRITES } from './limits.ts';
import { GROUP_SUBSCRIPTION_TYPE } from './types.ts';

const REMAINING = 'x-ms-ratelimit-remaining-managementgroups-requests';

const LIMITED: readonly RateLimit[] = [WRITES];
const MOVES: readonly RateLimit[] = [SUBSCRIPTION_WRITES];
const UNLIMITED: readonly RateLimit[] = [];

/** Applies the write limits and reports the remaining requests. */
export const throttle = limitStep<ArmCall>({
  limits(call) {
    const arm = call.route.traits?.arm;
    if (arm?.effect === 'read') return UNLIMITED;
    return arm?.resourceType === GROUP_SUBSCRIPTION_TYPE ? MOVES : LIMITED;
  },
  scopes: {
    tenant: (call) => tenantOf(call).toLowerCase(),
    principal: (call) => call.caller?.objectId.toLowerCase() ?? '',
  },
  remaining: new Map([WRITES, SUBSCRIPTION_WRITES].map((each) => [each, REMAINING])),
  refuse: ({ retryAfterSeconds: seconds }, call) => groupErrors.TooManyRequests({ tenant: tenantOf(call), seconds }),
});
