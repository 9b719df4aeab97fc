import { hookedMaximum } from '../hooks.ts';
import type { Settings } from '../settings.ts';
import { BUSINESS_SETTINGS } from '../settings-table.ts';
import type { SubscriptionTarget } from '../webhooks/collection.ts';

/** Maximum number of single entries; beyond it, one collection entry is sent. */
export interface Threshold {
  readonly most: number;
  /** True if the entries of all subscriptions to an address are counted together. */
  readonly perAddress: boolean;
}

/**
 * The hook and the default count the entries of one subscription. The server's setting counts the entries of an address, because it limits
 * what is delivered there.
 */
export function thresholdFor(settings: Settings, target: SubscriptionTarget): Threshold {
  const hooked = hookedMaximum(settings, target);
  if (hooked !== undefined) return { most: hooked, perAddress: false };
  const { apiSubscriptionMaxNumberOfNotifications: most } = settings;
  return { most, perAddress: most !== BUSINESS_SETTINGS.defaults.apiSubscriptionMaxNumberOfNotifications };
}

/** Maximum number of stored entries per company; further entries are dropped. */
export const MOST_STORED = 1_000_000;
