import { SEND_NOTICE } from '../../kernel/notices/index.ts';
import type { Service } from '../../kernel/service/index.ts';
import { MAIL_AUDIENCES } from './access/audiences.ts';
import { UPLOAD_MOUNT } from './attachments/uploads/mount.ts';
import { onlineMeetings } from './calendar/online-meetings.ts';
import * as own from './collections.ts';
import * as delta from './delta/collections.ts';
import { FORGET_REMOVALS } from './delta/removals-work.ts';
import { MAIL_FAMILY } from './family.ts';
import { FOLDER_WORK } from './folders/work.ts';
import { MAIL_LIMITS } from './limits.ts';
import { TIDY_MAILBOX } from './mailbox/tidy-work.ts';
import { EXPIRE, NOTIFICATION_POLICIES, REAUTHORIZATION } from './notifications/names.ts';
import { PAGE_FAMILY } from './page/family.ts';
import { MAIL_PAGES, MAIL_PATH, MEET_PATH, OWA_PATH } from './page/names.ts';
import { mailSeed } from './page/seed.ts';
import { MAIL_SETTINGS } from './settings-table.ts';
import { EXPIRE_UPLOAD, ROUTE_MAIL } from './work.ts';

/** Mailboxes of the jar's users with messages, folders and calendars, and an SMTP server for incoming mail. */
export const MAIL: Service = {
  name: 'mail',
  title: 'Mail and calendar',
  family: MAIL_FAMILY,
  mounts: [
    '/v1.0/me',
    '/beta/me',
    '/v1.0/users',
    '/beta/users',
    '/v1.0/$batch',
    '/beta/$batch',
    '/v1.0/places',
    '/beta/places',
    '/v1.0/subscriptions',
    '/beta/subscriptions',
    UPLOAD_MOUNT,
  ],
  apis: [
    { name: MAIL_PAGES, title: 'Pages of mailboxes', family: PAGE_FAMILY, mounts: [MAIL_PATH, OWA_PATH, MEET_PATH] },
  ],
  collections: [
    own.mailboxes,
    own.mailAddresses,
    own.mailboxStates,
    own.folders,
    own.messages,
    own.attachments,
    own.uploadSessions,
    own.blobPieces,
    delta.removals,
    delta.pastSeries,
    own.subscriptions,
    own.endpoints,
    delta.timeLines,
    own.calendars,
    own.calendarGroups,
    own.events,
    own.meetingRecords,
    onlineMeetings,
    own.receivedMails,
    own.queuedMails,
    own.keptMails,
    own.keptTotals,
    own.automaticReplies,
    own.messageRules,
    own.categories,
    own.inferenceOverrides,
  ],
  limits: MAIL_LIMITS,
  settings: {
    changeable: MAIL_SETTINGS,
    load: async () => (await import('./settings-schema.ts')).settingsRules,
  },
  work: [
    ROUTE_MAIL,
    SEND_NOTICE,
    TIDY_MAILBOX,
    EXPIRE_UPLOAD,
    FORGET_REMOVALS,
    ...FOLDER_WORK,
    EXPIRE,
    REAUTHORIZATION,
  ],
  policies: ['mail.relay', ...NOTIFICATION_POLICIES],
  audiences: MAIL_AUDIENCES,
  seed: mailSeed,
  // Eager, since it listens for mail.
  eager: true,
  open: async (jar) => (await import('./open.ts')).openMail(jar),
};
