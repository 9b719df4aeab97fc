import { hookedMaximum } from '../hooks.ts';
import type { Settings } from '../settings.ts';
import { BUSINESS_SETTINGS } from '../settings-table.ts';
import type { SubscriptionTarget } from '../webhooks/collection.ts';

/** Beyond so many entries there is one collection entry instead. */
export interface Threshold {
  readonly most: number;
  /** Whether all subscriptions to an address are counted together. */
  readonly perAddress: boolean;
}

/**
 * What the hook says, and the number that holds unless anybody says otherwise, count the entries of one subscription. The server's setting
 * counts those of an address: it is about how many are delivered there.
 */
export function thresholdFor(settings: Settings, target: SubscriptionTarget): Threshold {
  const hooked = hookedMaximum(settings, target);
  if (hooked !== undefined) return { most: hooked, perAddress: false };
  const { apiSubscriptionMaxNumberOfNotifications: most } = settings;
  return { most, perAddress: most !== BUSINESS_SETTINGS.defaults.apiSubscriptionMaxNumberOfNotifications };
}

/** So many entries of a company are stored one by one; what comes beyond is dropped. */
export const MOST_STORED = 1_000_000;
