import { defineSettings, type SettingRow } from '../../kernel/settings/index.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/time/index.ts';
import { HIGHEST_MESSAGE_LIMIT_BYTES, LARGEST_MESSAGE_BYTES } from './limits.ts';

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
    to: HIGHEST_MESSAGE_LIMIT_BYTES,
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
} as const satisfies Readonly<Record<string, SettingRow>>;

/** Every setting that can be given in the configuration and at run time. */
export const MAIL_SETTINGS = defineSettings('mail', { about: 'mail and calendar', rows });

/** The settings in force, durations in milliseconds. */
export type Settings = (typeof MAIL_SETTINGS)['defaults'];
