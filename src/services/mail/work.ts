import { defineWork } from '../../kernel/work/index.ts';

/** A mail is to be brought to its recipients: into mailboxes of the jar, and to the relay. */
export const ROUTE_MAIL = defineWork<{ readonly mail: string }>('mail.route', { concurrency: 4 });

export const routeId = (mail: string): string => `mail.route:${mail}`;

/** An upload session has expired: what is left of it is removed. */
export const EXPIRE_UPLOAD = defineWork<{ readonly session: string }>('mail.upload-expiry', { concurrency: 4 });

export const expiryId = (session: string): string => `mail.upload-expiry:${session}`;
