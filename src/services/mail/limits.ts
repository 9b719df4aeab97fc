import type { Limit, RateLimit } from '../../kernel/limits/index.ts';
import { MINUTE_MS } from '../../kernel/time/index.ts';
import { NOTIFICATION_LIMITS } from './notifications/limits.ts';

const OF_APP_AND_MAILBOX = { scope: ['application', 'mailbox'], incidental: true } as const;

export const REQUESTS = {
  ...OF_APP_AND_MAILBOX,
  kind: 'window',
  window: 'fixed',
  name: 'mail.requests',
  title: 'Requests of an application to a mailbox in ten minutes',
  limit: 10_000,
  windowMs: 10 * MINUTE_MS,
} satisfies RateLimit;

export const CONCURRENT_REQUESTS = {
  ...OF_APP_AND_MAILBOX,
  kind: 'concurrency',
  name: 'mail.concurrent-requests',
  title: 'Concurrent requests of an application to a mailbox (MailboxConcurrency)',
  limit: 4,
} satisfies RateLimit;

export const UPLOADED_BYTES = {
  ...OF_APP_AND_MAILBOX,
  kind: 'window',
  window: 'fixed',
  name: 'mail.uploaded-bytes',
  title: 'Bytes that an application sends to a mailbox by POST, PATCH and PUT in five minutes',
  unit: 'bytes',
  limit: 150 * 1024 * 1024,
  windowMs: 5 * MINUTE_MS,
} satisfies RateLimit;

export const MAIL_LIMITS: readonly Limit[] = [REQUESTS, CONCURRENT_REQUESTS, UPLOADED_BYTES, ...NOTIFICATION_LIMITS];

/** Recipients of one message, and attendees of one event. */
export const MOST_RECIPIENTS = 500;
/** Default of the setting `messageSizeLimit`: a message with its attachments. */
export const LARGEST_MESSAGE_BYTES = 35 * 1024 * 1024;
/** Maximum of the setting. */
export const HIGHEST_MESSAGE_LIMIT_BYTES = 150 * 1024 * 1024;

/** The real service allows 300 levels below the root. */
export const DEEPEST_FOLDER = 50;
/** Folders of one mailbox, including the well-known ones. */
export const MOST_FOLDERS = 2000;
export const MOST_SEARCH_FOLDERS = 50;

/** Rules of one mailbox. The real service limits them to 256 KB instead. */
export const MOST_RULES = 200;
/** Search texts in all rules of a mailbox together: every arriving mail is searched for each. */
export const MOST_RULE_TEXTS = 5000;
export const MOST_CATEGORIES = 500;
/** The limits of the real service. */
export const MOST_INFERENCE_OVERRIDES = 1000;
export const MOST_BLOCKED_SENDERS = 1024;
