import { defineSettings, type SettingRow } from '../../kernel/settings/index.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/time/index.ts';
import { LARGEST_MESSAGE_BYTES } from './limits.ts';

/** Of one message. */
const LARGEST_LIMIT_BYTES = 150 * 1024 * 1024;

const rows = {
  uploadSessionLifetime: {
    kind: 'duration',
    from: MINUTE_MS,
    to: 30 * DAY_MS,
    default: HOUR_MS,
    title: 'How long an upload session can be used',
  },
  messageSizeLimit: {
    kind: 'count',
    from: 1024 * 1024,
    to: LARGEST_LIMIT_BYTES,
    default: LARGEST_MESSAGE_BYTES,
    title: 'Bytes of a message or event with its attachments',
  },
  recoverableItemsLifetime: {
    kind: 'duration',
    from: HOUR_MS,
    to: 365 * DAY_MS,
    default: 14 * DAY_MS,
    title: 'How long messages that were deleted twice can be recovered',
  },
  keptMailLimit: {
    kind: 'count',
    from: 1,
    to: 100_000,
    default: 1000,
    title: 'Mails to other domains that are kept where there is no relay, the newest; each recipient counts',
  },
  keptMailSizeLimit: {
    kind: 'count',
    from: LARGEST_LIMIT_BYTES,
    to: 100 * 1024 * 1024 * 1024,
    default: 1024 * 1024 * 1024,
    title: 'Bytes of all kept mails together',
  },
} as const satisfies Readonly<Record<string, SettingRow>>;

/** Every setting that can be given in the configuration and at run time. */
export const MAIL_SETTINGS = defineSettings('mail', { about: 'mail and calendar', rows });

/** The settings in force, durations in milliseconds. */
export type Settings = (typeof MAIL_SETTINGS)['defaults'];
