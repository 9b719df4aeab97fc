import { type DeliveryRecord, deliveries } from '../../../kernel/delivery/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import type { Stored, Tx } from '../../../kernel/store/index.ts';
import { NOTIFICATION } from '../policies.ts';
import type { Settings } from '../settings.ts';
import { BUSINESS_SETTINGS } from '../settings-table.ts';
import { type AddressedTo, type Joining, outstanding, type Sending, sendings } from './collections.ts';
import { mergePending } from './merge-pending.ts';
import { amendEnds } from './window-ends.ts';

export interface Notification {
  readonly tenantId: string;
  readonly place: AddressedTo;
  readonly url: string;
  /** Description for people. */
  readonly subject: string;
  /** Not empty. */
  readonly windows: readonly Joining[];
}

type Sender = Pick<Jar, 'delivery' | 'clock'>;

export interface QueuedIn {
  /** Absent if no entry remained to be sent. */
  readonly delivery?: string;
  /** Failed attempts of the message before these entries joined it; absent if they form a message of their own. */
  readonly joinedAfter?: number;
}

/** Locks the pending entries of an address until the transaction ends; readers and writers of these entries must hold it. */
export const lockAddress = (tx: Tx, address: string): Promise<void> => tx.lock(`business.window/${address}`);

/**
 * Notifies an address of changes: the entries join the unaccepted message, whose next run is due at once, or form a message of their own.
 * Requires the lock on the address.
 */
export async function notifyAddress(
  tx: Tx,
  jar: Sender,
  settings: Settings,
  notification: Notification,
): Promise<QueuedIn> {
  const { place, windows } = notification;
  const found = await outstandingAt(tx, place.address);
  if (found?.record) {
    const { key, value } = found.sending;
    const told = windows.flatMap(({ entries }) => entries.map(({ subscriptionId }) => subscriptionId));
    await tx.put(sendings, key, {
      ...value,
      subscriptions: [...new Set([...value.subscriptions, ...told])],
      joining: [...(value.joining ?? []), ...windows],
    });
    // A run that is already sending keeps its message; the next run follows it.
    if (value.underWay === undefined) await jar.delivery.makeDueNow(tx, value.delivery);
    return { delivery: value.delivery, joinedAfter: found.record.attempts };
  }
  if (found) await dropSending(tx, found.sending);
  const left = found?.sending.value.joining ?? [];
  const delivery = await sendNotification(tx, jar, settings, { ...notification, windows: [...left, ...windows] });
  if (delivery === undefined) return {};
  await recordDelivery(tx, left, delivery);
  return { delivery };
}

/** Records the new delivery of entries in the outcomes of their windows. */
export async function recordDelivery(tx: Tx, joined: readonly Joining[], delivery: string): Promise<void> {
  for (const { window, entries } of joined) {
    const told = new Set(entries.map(({ subscriptionId }) => subscriptionId));
    await amendEnds(tx, window, told, ({ joinedAfter: _joinedAfter, ...end }) => ({ ...end, delivery }));
  }
}

interface Outstanding {
  readonly sending: Stored<Sending>;
  /** Absent if the delivery was removed through the control API. */
  readonly record?: DeliveryRecord;
}

async function outstandingAt(tx: Tx, address: string): Promise<Outstanding | undefined> {
  const key = (await tx.get(outstanding, address))?.value.sending;
  const sending = key === undefined ? undefined : await tx.get(sendings, key);
  if (!sending) return undefined;
  const record = (await tx.get(deliveries, sending.value.delivery, 'none'))?.value;
  return { sending, ...(record?.state === 'queued' && { record }) };
}

/** Deletes a sending that has ended: later entries for the address form a new message. */
export async function dropSending(tx: Tx, { key, value }: Stored<Sending>): Promise<void> {
  await tx.delete(sendings, key);
  if (value.place) await tx.delete(outstanding, value.place.address);
}

/**
 * Queues a message for an address without an unaccepted one; returns the delivery's id, or undefined if only flows with too many changes
 * remain.
 */
export async function sendNotification(
  tx: Tx,
  jar: Sender,
  settings: Settings,
  { tenantId, place, url, subject, windows }: Notification,
): Promise<string | undefined> {
  const now = jar.clock.now();
  const all = windows.flatMap((each) => each.entries);
  const named = windows.map(({ window }) => window);
  const isOfOne = named.length === 1;
  const entries = isOfOne ? all : await mergePending(tx, settings, { tenantId, all, windows: named });
  if (entries.length === 0) return undefined;
  const delivery = await jar.delivery.enqueue(tx, {
    policy: NOTIFICATION,
    // Includes the company, so that failures of one company's subscriptions do not affect another's at the same address.
    destination: `${tenantId} ${place.companyId} ${url}`,
    owner: tenantId,
    subject,
    url,
    body: JSON.stringify({ value: entries }),
    ...retriesOf(settings, now),
  });
  const key = `${tenantId}/${delivery}`;
  await tx.put(sendings, key, {
    delivery,
    window: named[0] ?? '',
    windows: named,
    subscriptions: [...new Set(entries.map(({ subscriptionId }) => subscriptionId))],
    place,
    runs: [{ number: 0, until: now + settings.apiSubscriptionRetryWindow, attempts: 0, dueAt: now }],
    underWay: now,
  });
  await tx.put(outstanding, place.address, { sending: key });
  return delivery;
}

const WITHOUT_END = 100;

/**
 * Only settings that differ from the policy's defaults. The schedule applies only to replays; otherwise the runs determine when the
 * delivery is due.
 */
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

/** Shortens the last delay, so that the retry window ends on time and not with the attempt after it. */
export function within(schedule: readonly number[], windowMs: number): readonly number[] {
  const waits: number[] = [];
  for (let waited = 0; waited < windowMs && waits.length < WITHOUT_END; ) {
    const wait = schedule[Math.min(waits.length, schedule.length - 1)] ?? 0;
    waits.push(Math.min(wait, windowMs - waited));
    waited += wait;
  }
  return waits.length > 0 ? waits : schedule;
}
