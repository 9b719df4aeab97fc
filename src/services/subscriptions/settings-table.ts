import { defineSettings, type SettingRow } from '../../kernel/settings/index.ts';
import { DAY_MS, LONGEST_DURATION_MS, MINUTE_MS, SECOND_MS } from '../../kernel/time/index.ts';

const duration = { kind: 'duration', from: 0, to: LONGEST_DURATION_MS } as const;

const rows = {
  provisioningTime: {
    ...duration,
    default: SECOND_MS,
    title: 'From the request for a subscription until it exists, or until its owner can accept it',
  },
  ownershipExpiration: {
    ...duration,
    default: 7 * DAY_MS,
    title: 'Time for the future owner to accept a subscription',
  },
  cancellationTime: { ...duration, default: 10 * MINUTE_MS, title: 'From cancel until the state is Warned' },
  warnedTime: { ...duration, default: 90 * DAY_MS, title: 'From Warned until the state is Disabled' },
  enablingTime: { ...duration, default: 10 * MINUTE_MS, title: 'From enable until the state is Enabled' },
} as const satisfies Readonly<Record<string, SettingRow>>;

/** Durations, by the jar's clock. */
export const SUBSCRIPTIONS_SETTINGS = defineSettings('subscriptions', { about: 'subscriptions and aliases', rows });

/** The effective settings; durations in milliseconds. */
export type Settings = (typeof SUBSCRIPTIONS_SETTINGS)['defaults'];
