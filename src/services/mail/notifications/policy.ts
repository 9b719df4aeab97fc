import type {
  AttemptResult,
  DeliveryEnd,
  DeliveryPolicy,
  DueDelivery,
  EndedDelivery,
  Verdict,
} from '../../../kernel/delivery/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { SECOND_MS } from '../../../kernel/time/index.ts';
import { subscriptions } from '../collections.ts';
import type { MailJar } from '../jar.ts';
import { composeLifecycle, composeNotifications } from './compose.ts';
import { recordResponse } from './endpoints.ts';
import { RETRIED_FOR_MS } from './intake.ts';
import { queueLifecycleNotification } from './lifecycle.ts';
import { LIFECYCLE, NOTIFICATION } from './names.ts';

/** The first attempt must be answered within `FIRST_ANSWER_MS`, a retry within `TIMEOUT_MS`, which is also the time that is waited. */
const FIRST_ANSWER_MS = 3 * SECOND_MS;
const TIMEOUT_MS = 10 * SECOND_MS;

/** Doubles up to ten minutes. */
const SCHEDULE = [10, 20, 40, 80, 160, 320, 600].map((seconds) => seconds * SECOND_MS);

/** Everything except a 2xx response in time is retried. */
export function verdictOn({ status, ms, outcome }: AttemptResult, batch: readonly DueDelivery[]): Verdict {
  if (status === undefined && (outcome === 'Blocked' || outcome === 'BadAddress')) return { is: 'refused' };
  if (status === undefined || status < 200 || status >= 300) return { is: 'retry' };
  const isFirst = batch.every(({ attempts }) => attempts === 0);
  if (isFirst && ms > FIRST_ANSWER_MS)
    return { is: 'retry', rule: `${status} after more than ${FIRST_ANSWER_MS / SECOND_MS} seconds` };
  return { is: 'delivered' };
}

const COMMON = {
  service: 'mail',
  schedule: SCHEDULE,
  jitter: 0.1,
  timeToLiveMs: RETRIED_FOR_MS,
  timeoutMs: TIMEOUT_MS,
  classify: verdictOn,
  batch: { maxItems: 100, maxBytes: 256 * 1024 },
  // Keeps the order of the changes as long as nothing fails; failed notifications are retried separately.
  concurrency: 1,
} as const;

export const NOTIFICATION_POLICY: DeliveryPolicy<MailJar> = {
  ...COMMON,
  name: NOTIFICATION,
  compose: composeNotifications,
  attempted: recordResponse,
  ended: notificationsEnded,
};

export const LIFECYCLE_POLICY: DeliveryPolicy<MailJar> = { ...COMMON, name: LIFECYCLE, compose: composeLifecycle };

/** An undelivered notification is lost. The subscriber is notified that changes were missed, and can find them with a delta query. */
async function notificationsEnded(
  tx: Tx,
  deliveries: readonly EndedDelivery[],
  { cause }: DeliveryEnd,
  jar: MailJar,
): Promise<undefined> {
  if (cause === 'delivered' || cause === 'cancelled') return undefined;
  for (const id of new Set(deliveries.map(({ owner = '' }) => owner))) {
    const subscription = (await tx.get(subscriptions, id, 'none'))?.value;
    if (subscription) await queueLifecycleNotification(tx, jar, subscription, 'missed');
  }
  return undefined;
}
