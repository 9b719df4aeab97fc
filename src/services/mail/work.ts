import { defineWork } from '../../kernel/work/index.ts';

/** Delivers a mail to its recipients: to mailboxes of the jar, and to the relay. */
export const ROUTE_MAIL = defineWork<{ readonly mail: string }>('mail.route', {
  title: 'Delivers a mail to its recipients',
  subject: 'mail',
  concurrency: 4,
});

export const routeId = (mail: string): string => `mail.route:${mail}`;

/** Removes the remains of an expired upload session. */
export const EXPIRE_UPLOAD = defineWork<{ readonly session: string }>('mail.upload-expiry', {
  title: 'Deletes an expired upload session',
  concurrency: 4,
});

export const expiryId = (session: string): string => `mail.upload-expiry:${session}`;
