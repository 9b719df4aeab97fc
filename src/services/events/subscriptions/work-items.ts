import { defineWork } from '../../../kernel/work/index.ts';

/** Work of subscriptions: its kinds, and the ids of the items; a subscription has at most one item of each kind. */

const LIMITS = { concurrency: 8 };

export const SETTLE = defineWork<Waited>('events.settle-subscription', {
  title: 'Finishes the creation of an event subscription',
  subject: 'key',
  ...LIMITS,
});
export const DEADLINE = defineWork<Waited>('events.validation-deadline', {
  title: 'Ends the validation of an endpoint',
  subject: 'key',
  ...LIMITS,
});
export const EXPIRE = defineWork<{ readonly key: string }>('events.expire-subscription', {
  title: 'Deletes an expired event subscription',
  subject: 'key',
  ...LIMITS,
});

export const settleItem = (key: string): string => `events.settle:${key}`;
export const deadlineItem = (key: string): string => `events.validation:${key}`;
export const expiryItem = (key: string): string => `events.expire:${key}`;

/** An endpoint can be validated within this time after the write. */
export const VALIDATION_MS = 10 * 60_000;

/** Payload of the first two kinds. */
export interface Waited {
  readonly key: string;
  readonly operation: string;
}
