/** The due work of subscriptions: its kinds, and the ids of the items, of which a subscription has one each. */

export const SETTLE = 'events.settle-subscription';
export const DEADLINE = 'events.validation-deadline';
export const EXPIRE = 'events.expire-subscription';

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
