import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { NOTIFICATION } from '../policies.ts';
import type { Settings } from '../settings.ts';
import { BUSINESS_SETTINGS } from '../settings-table.ts';
import { type ChangeType, sendings } from './collections.ts';

/** An entry as it is queued. What is the subscription's own, its client state above all, is put in when it is sent. */
export interface QueuedEntry {
  readonly subscriptionId: string;
  readonly resource: string;
  readonly changeType: ChangeType | 'collection';
  readonly lastModifiedDateTime: string;
}

export interface Notification {
  readonly tenantId: string;
  /** The id of the window whose changes it tells. */
  readonly window: string;
  readonly url: string;
  /** For people. */
  readonly subject: string;
  readonly entries: readonly QueuedEntry[];
}

/** Queues one message for an address; gives the delivery's id. */
export async function sendNotification(
  tx: Tx,
  jar: Pick<Jar, 'delivery' | 'clock'>,
  settings: Settings,
  { tenantId, window, url, subject, entries }: Notification,
): Promise<string> {
  const delivery = await jar.delivery.enqueue(tx, {
    policy: NOTIFICATION,
    // The troubles of one tenant's receiver are not another's, even at the same address.
    destination: `${tenantId} ${url}`,
    owner: tenantId,
    subject,
    url,
    body: JSON.stringify({ value: entries }),
    ...retriesOf(settings, jar.clock.now()),
  });
  const told = [...new Set(entries.map(({ subscriptionId }) => subscriptionId))];
  await tx.put(sendings, `${tenantId}/${delivery}`, { delivery, window, subscriptions: told });
  return delivery;
}

const WITHOUT_END = 100;

/** Only what differs from the policy, which is the standard. */
function retriesOf(settings: Settings, now: number) {
  const {
    apiSubscriptionSendingNotificationTimeout: timeoutMs,
    apiSubscriptionRetrySchedule: schedule,
    apiSubscriptionRetryWindow: windowMs,
  } = settings;
  const standard = BUSINESS_SETTINGS.defaults;
  const isTimeoutStandard = timeoutMs === standard.apiSubscriptionSendingNotificationTimeout;
  const isWindowStandard = windowMs === standard.apiSubscriptionRetryWindow;
  const isScheduleStandard = isWindowStandard && String(schedule) === String(standard.apiSubscriptionRetrySchedule);
  return {
    ...(!isTimeoutStandard && { timeoutMs }),
    ...(!isScheduleStandard && { schedule: within(schedule, windowMs) }),
    ...(windowMs === 0 && { maxAttempts: 1 }),
    ...(windowMs !== 0 && !isWindowStandard && { expiresAt: now + windowMs }),
  };
}

/** The waits with the last one cut, so that the time for retries ends when it is over and not with the attempt after that. */
export function within(schedule: readonly number[], windowMs: number): readonly number[] {
  const waits: number[] = [];
  for (let waited = 0; waited < windowMs && waits.length < WITHOUT_END; ) {
    const wait = schedule[Math.min(waits.length, schedule.length - 1)] ?? 0;
    waits.push(Math.min(wait, windowMs - waited));
    waited += wait;
  }
  return waits.length > 0 ? waits : schedule;
}
