import type { DeliveryPolicy } from '../../../kernel/delivery/index.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/time/index.ts';
import type { PlatformJar } from '../jar.ts';
import { composeMessage } from './compose.ts';
import { NOTIFICATION_POLICY_NAMES } from './policy-names.ts';

/**
 * Messages to notification destinations. The retry schedule of the real service is not published; ours is five attempts within a quarter of
 * an hour.
 */
export const NOTIFICATION_POLICIES: readonly DeliveryPolicy<PlatformJar>[] = NOTIFICATION_POLICY_NAMES.map((name) => ({
  name,
  service: 'platform',
  schedule: [10 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS],
  maxAttempts: 5,
  timeToLiveMs: HOUR_MS,
  timeoutMs: 30 * SECOND_MS,
  honourRetryAfter: true,
  compose: composeMessage,
  // In tests, destinations are local programs.
  plainHttp: true,
}));
