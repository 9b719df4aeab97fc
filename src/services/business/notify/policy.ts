import type { AttemptResult, DeliveryPolicy, Verdict } from '../../../kernel/delivery/index.ts';
import type { BusinessJar } from '../jar.ts';
import { NOTIFICATION } from '../policies.ts';
import { composeNotification } from './compose.ts';
import { notificationsEnded } from './endings.ts';
import { nextRun } from './next-run.ts';
import { prepareNotification } from './prepare-notification.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;

export const TIMEOUT_MS = 30 * SECOND;
const RETRIED_FOR_MS = 36 * HOUR;

/**
 * Delays after the first failure, the second and so on; then every 6 hours, the last delay ending after 36 hours in total. Only replays use
 * it: other notifications follow their runs.
 */
const SCHEDULE = [60, 60, 600, 6000, 60_000, 21_600, 21_600, 19_680].map((seconds) => seconds * SECOND);

const RETRIED_STATUSES: ReadonlySet<number> = new Set([408, 429]);

/** No answer counts as a receiver that is temporarily down. */
function verdictOn({ status }: AttemptResult): Verdict {
  if (status === undefined || status >= 500 || RETRIED_STATUSES.has(status)) return { is: 'retry' };
  return { is: status >= 200 && status < 300 ? 'delivered' : 'refused' };
}

/**
 * Change notifications. An address has at most one at a time: each run sends everything that is pending there, so that nothing overtakes a
 * failed notification, and nothing is delayed by it.
 */
export const NOTIFICATION_POLICY: DeliveryPolicy<BusinessJar> = {
  name: NOTIFICATION,
  service: 'business',
  schedule: SCHEDULE,
  timeToLiveMs: RETRIED_FOR_MS,
  timeoutMs: TIMEOUT_MS,
  concurrency: 1,
  classify: verdictOn,
  prepare: prepareNotification,
  compose: composeNotification,
  retryAt: nextRun,
  ended: notificationsEnded,
};
