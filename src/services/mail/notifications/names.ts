import { defineWork } from '../../../kernel/work/index.ts';

/** What the manifest declares: names of delivery policies, and kinds of due work. */

export const HANDSHAKE = 'mail.handshake';
export const NOTIFICATION = 'mail.notification';
export const LIFECYCLE = 'mail.lifecycle';
export const NOTIFICATION_POLICIES: readonly string[] = [HANDSHAKE, NOTIFICATION, LIFECYCLE];

/** Each subscription has one; scheduling it again moves it. */
export const EXPIRE = defineWork<{ readonly id: string }>('mail.expire-subscription', { concurrency: 4 });
export const expiryItem = (id: string): string => `mail.expire-subscription:${id}`;

/** Each subscription with a lifecycle address has one. */
export const REAUTHORIZATION = defineWork<{ readonly id: string }>('mail.reauthorization', { concurrency: 4 });
export const reauthorizationItem = (id: string): string => `mail.reauthorization:${id}`;
