import { defineWork } from '../../kernel/work/index.ts';
import type { Transition } from './collections.ts';

/** The next step of a creation is due: it is done, or the time to accept is over. */
export const ADVANCE_CREATION = defineWork<{ readonly subscriptionId: string }>('subscriptions.advance-creation', {
  concurrency: 8,
});

/** A creation has one item for its provisioning and one for the end of the time to accept. */
export const provisioningWorkId = (subscriptionId: string): string => `subscriptions.provision:${subscriptionId}`;
export const expiryWorkId = (subscriptionId: string): string => `subscriptions.expire:${subscriptionId}`;

/** A subscription goes to its next state. */
export const CHANGE_STATE = defineWork<{ readonly key: string; readonly to: Transition['to'] }>(
  'subscriptions.change-state',
  { concurrency: 8 },
);

export const stateWorkId = (key: string, to: Transition['to']): string => `subscriptions.state:${key}:${to}`;
