import { defineWork } from '../../../kernel/work/index.ts';

/** Names of delivery policies and kinds of due work, for the manifest. */

export const HANDSHAKE = 'mail.handshake';
export const NOTIFICATION = 'mail.notification';
export const LIFECYCLE = 'mail.lifecycle';
export const NOTIFICATION_POLICIES: readonly string[] = [HANDSHAKE, NOTIFICATION, LIFECYCLE];

/** One item for each subscription; scheduling it again moves it. */
export const EXPIRE = defineWork<{ readonly id: string }>('mail.expire-subscription', {
  title: 'Deletes an expired mailbox subscription',
  subject: 'id',
  concurrency: 4,
});
export const expiryItem = (id: string): string => `mail.expire-subscription:${id}`;

/** One item for each subscription with a lifecycle address. */
export const REAUTHORIZATION = defineWork<{ readonly id: string }>('mail.reauthorization', {
  title: 'Asks for the reauthorization of a mailbox subscription',
  subject: 'id',
  concurrency: 4,
});
export const reauthorizationItem = (id: string): string => `mail.reauthorization:${id}`;
