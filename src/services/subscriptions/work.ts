import { defineWork } from '../../kernel/work/index.ts';
import type { Transition } from './collections.ts';

/** Runs the next step of a creation: provisioning is complete, or the time to accept has expired. */
export const ADVANCE_CREATION = defineWork<{ readonly subscriptionId: string }>('subscriptions.advance-creation', {
  title: 'Advances the creation of a subscription',
  subject: 'subscriptionId',
  concurrency: 8,
});

/** A creation has one work item for its provisioning and one for the expiry of the acceptance. */
export const provisioningWorkId = (subscriptionId: string): string => `subscriptions.provision:${subscriptionId}`;
export const expiryWorkId = (subscriptionId: string): string => `subscriptions.expire:${subscriptionId}`;

/** Moves a subscription to its next state. */
export const CHANGE_STATE = defineWork<{ readonly key: string; readonly to: Transition['to'] }>(
  'subscriptions.change-state',
  { title: 'Changes the state of a subscription', subject: 'key', concurrency: 8 },
);

export const stateWorkId = (key: string, to: Transition['to']): string => `subscriptions.state:${key}:${to}`;
