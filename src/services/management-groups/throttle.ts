import type { ArmCall } from '../../kernel/arm/index.ts';
import { limitStep, type RateLimit } from '../../kernel/limits/index.ts';
import { tenantOf } from './access.ts';
import { groupErrors } from './errors.ts';
import { WRITES } from './limits.ts';

const LIMITED: readonly RateLimit[] = [WRITES];
const UNLIMITED: readonly RateLimit[] = [];

/** Counts writes, and tells how many are left. */
export const throttle = limitStep<ArmCall>({
  limits: (call) => (call.route.traits?.arm?.effect === 'read' ? UNLIMITED : LIMITED),
  scopes: {
    tenant: (call) => tenantOf(call).toLowerCase(),
    principal: (call) => call.caller?.objectId.toLowerCase() ?? '',
  },
  remaining: new Map([[WRITES, 'x-ms-ratelimit-remaining-managementgroups-requests']]),
  refuse: ({ retryAfterSeconds: seconds }, call) => groupErrors.TooManyRequests({ tenant: tenantOf(call), seconds }),
});
