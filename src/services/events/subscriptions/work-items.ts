import { defineWork } from '../../../kernel/work/index.ts';

/** The due work of subscriptions: its kinds, and the ids of the items, of which a subscription has one each. */

const LIMITS = { concurrency: 8 };

export const SETTLE = defineWork<Waited>('events.settle-subscription', LIMITS);
export const DEADLINE = defineWork<Waited>('events.validation-deadline', LIMITS);
export const EXPIRE = defineWork<{ readonly key: string }>('events.expire-subscription', LIMITS);

export const settleItem = (key: string): string => `events.settle:${key}`;
export const deadlineItem = (key: string): string => `events.validation:${key}`;
export const expiryItem = (key: string): string => `events.expire:${key}`;

/** An endpoint can be agreed for until so long after the write that asks for it. */
export const VALIDATION_MS = 10 * 60_000;

/** Of the first two kinds. */
export interface Waited {
  readonly key: string;
  readonly operation: string;
}
