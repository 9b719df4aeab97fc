import { defineSettings, type SettingRow } from '../../kernel/settings/index.ts';
import { LONGEST_DURATION_MS } from '../../kernel/time/index.ts';
import { SUBSCRIPTIONS } from './webhooks/limits.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const LONGEST_TIMEOUT_MS = 10 * MINUTE;
const MOST = 1_000_000;

/**
 * Replaces the event subscriber by which an extension overrides a setting. A company is given by id or name, a resource as `customers`, or
 * with its API as `v2.0/customers`.
 */
const HOOK = { by: ['company', 'resource'] } as const;

const rows = {
  apiSubscriptionExpiration: {
    kind: 'duration',
    from: SECOND,
    to: LONGEST_DURATION_MS,
    default: 3 * DAY,
    title: 'The lifetime of a subscription that is not renewed',
  },
  apiSubscriptionDelayTime: {
    kind: 'duration',
    from: 0,
    to: DAY,
    default: 30 * SECOND,
    title: 'Delay from the first change to the notification',
  },
  apiSubscriptionMaxNumberOfNotifications: {
    kind: 'count',
    from: 1,
    to: MOST,
    default: 1000,
    title: 'Most changed records that are notified singly; beyond it one collection notification is sent',
  },
  apiSubscriptionNotificationUrlTimeout: {
    kind: 'duration',
    from: 1,
    to: LONGEST_TIMEOUT_MS,
    default: 5 * SECOND,
    title: 'Timeout of the answer to a handshake',
  },
  apiSubscriptionSendingNotificationTimeout: {
    kind: 'duration',
    from: 1,
    to: LONGEST_TIMEOUT_MS,
    default: 30 * SECOND,
    title: 'Timeout of the answer to a notification',
  },
  apiSubscriptionRetrySchedule: {
    kind: 'durations',
    from: 0,
    to: 30 * DAY,
    default: [MINUTE, MINUTE, 10 * MINUTE, 100 * MINUTE, 1000 * MINUTE, 6 * HOUR],
    title: 'Delays after failed attempts; the last one repeats',
  },
  apiSubscriptionRetryWindow: {
    kind: 'duration',
    from: 0,
    to: 365 * DAY,
    default: 36 * HOUR,
    title: 'Time from the first attempt to the last',
  },
  onGetDelayTime: { kind: 'duration', ...HOOK, from: 0, to: DAY, title: 'Overrides apiSubscriptionDelayTime' },
  onGetMaxNumberOfNotifications: {
    kind: 'count',
    ...HOOK,
    from: 1,
    to: MOST,
    title: 'Overrides apiSubscriptionMaxNumberOfNotifications',
  },
  apiSubscriptionMaxNumberOfSubscriptions: {
    kind: 'limit',
    limit: SUBSCRIPTIONS,
    from: 0,
    to: MOST,
    title: 'Maximum of subscriptions of a tenant',
  },
} as const satisfies Readonly<Record<string, SettingRow>>;

/** All settings of the configuration that can also be changed at run time, with their ranges. */
export const BUSINESS_SETTINGS = defineSettings('business', {
  about: 'subscriptions and notifications',
  rows,
  // The real server's names of settings begin with a capital letter.
  aliasOf: (name) => name.charAt(0).toUpperCase() + name.slice(1),
});
