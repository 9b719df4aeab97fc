import type { Tx } from '../../../kernel/store/index.ts';
import { HOUR_MS, MINUTE_MS } from '../../../kernel/time/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import { subscriptions } from '../collections.ts';
import type { MailJar } from '../jar.ts';
import { LIFECYCLE, REAUTHORIZATION, reauthorizationItem } from './names.ts';
import { secretsOf } from './secrets.ts';
import type { LifecycleEvent, Subscription } from './types.ts';

/** The queued form. It has all that the message needs, since the subscription may no longer exist when it is sent. */
export interface QueuedLifecycleEvent {
  readonly lifecycleEvent: LifecycleEvent;
  readonly subscription: Pick<Subscription, 'id' | 'tenantId' | 'applicationId' | 'origin' | 'expiresAt'> & {
    readonly hasResourceData: boolean;
    readonly notificationUrlAppId?: string;
  };
  /** Sealed. */
  readonly clientState?: string;
}

/** Queues a lifecycle notification if the subscription has an address for them. */
export async function queueLifecycleNotification(
  tx: Tx,
  { vault, delivery }: Pick<MailJar, 'vault' | 'delivery'>,
  subscription: Subscription,
  lifecycleEvent: LifecycleEvent,
  dueAt?: number,
): Promise<void> {
  const secrets = secretsOf(vault, subscription);
  const url = secrets?.lifecycleNotificationUrl;
  if (url === undefined) return;
  const { id, tenantId, applicationId, origin, expiresAt, resourceData, notificationUrlAppId } = subscription;
  const queued: QueuedLifecycleEvent = {
    lifecycleEvent,
    subscription: {
      id,
      tenantId,
      applicationId,
      origin,
      expiresAt,
      hasResourceData: resourceData !== undefined,
      ...(notificationUrlAppId !== undefined && { notificationUrlAppId }),
    },
    ...(secrets?.clientState !== undefined && { clientState: vault.seal(secrets.clientState) }),
  };
  await delivery.enqueue(tx, {
    policy: LIFECYCLE,
    destination: `${tenantId} ${url}`,
    owner: id,
    subject: `${lifecycleEvent}: ${subscription.resource}`,
    url,
    body: JSON.stringify(queued),
    ...(dueAt !== undefined && { dueAt }),
  });
}

const LAST_HOUR_EVERY_MS = 15 * MINUTE_MS;

/**
 * The time of the next reminder to reauthorize: after three quarters of the lifetime of the token or the subscription, one hour before its
 * end, and every 15 minutes from then on.
 */
export function nextReminder(
  { authorizedAt, authorizedUntil, expiresAt }: Pick<Subscription, 'authorizedAt' | 'authorizedUntil' | 'expiresAt'>,
  now: number,
): number | undefined {
  const end = Math.min(authorizedUntil, expiresAt);
  const first = end - Math.floor((end - authorizedAt) / 4);
  if (now < first) return first;
  const lastHour = Math.max(first, end - HOUR_MS);
  const next = now < lastHour ? lastHour : now + LAST_HOUR_EVERY_MS;
  return next < end ? next : undefined;
}

/** Called on every authorization. */
export async function scheduleReminder(tx: Tx, subscription: Subscription, now: number): Promise<void> {
  const { id, hasLifecycle } = subscription;
  const next = hasLifecycle ? nextReminder(subscription, now) : undefined;
  if (next === undefined) await tx.cancel(reauthorizationItem(id));
  else await tx.schedule(REAUTHORIZATION.at(next, { id }, reauthorizationItem(id)));
}

export const remindOfAuthorization = workHandler(REAUTHORIZATION, async (item, jar: MailJar) => {
  await jar.store.transact(async (tx) => {
    const stored = await tx.get(subscriptions, item.payload.id);
    await tx.complete(item);
    if (!stored) return;
    await queueLifecycleNotification(tx, jar, stored.value, 'reauthorizationRequired');
    await scheduleReminder(tx, stored.value, jar.clock.now());
  });
});
