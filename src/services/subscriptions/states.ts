import type { SubscriptionState } from '../../kernel/arm/index.ts';

/**
 * State of an alias and of an ownership status. `Failed` is an addition: the real models have it, but the documentation does not say that
 * it occurs.
 */
export type ProvisioningState = 'Accepted' | 'Pending' | 'Succeeded' | 'Failed';

export type OwnershipState = 'Pending' | 'Completed' | 'Expired';

/** The values of each field in the order in which they occur, and when. docs/services/subscriptions.md has the same rows. */
export const STATES = {
  provisioningState: {
    Accepted: 'The subscription is being created.',
    Pending: 'The subscription waits until its future owner accepts it.',
    Succeeded: 'The subscription can be used.',
    Failed: 'The subscription was not created: its management group was deleted, or its owner did not accept in time.',
  },
  acceptOwnershipState: {
    Pending: 'The owner has not accepted yet.',
    Completed: 'The owner has accepted, and the subscription is in the tenant of the owner.',
    Expired: 'The owner did not accept in time.',
  },
  state: {
    Enabled: 'The subscription can be used.',
    Warned: 'The subscription was cancelled; it can still be used.',
    PastDue: 'The subscription can be used. Only a seed sets this state.',
    Disabled: 'The subscription can be read, and its resources can be deleted.',
    Deleted: 'Only a seed sets this state.',
  },
} as const satisfies {
  readonly provisioningState: Readonly<Record<ProvisioningState, string>>;
  readonly acceptOwnershipState: Readonly<Record<OwnershipState, string>>;
  readonly state: Readonly<Record<SubscriptionState, string>>;
};
