import { defineSettings, type SettingRow } from '../../kernel/settings/index.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../kernel/time/index.ts';
import { HIGHEST_MESSAGE_LIMIT_BYTES, LARGEST_MESSAGE_BYTES } from './limits.ts';
import { RELAY_TIMES } from './relay/times.ts';
import { DEFAULT_SMTP_LIMITS } from './smtp/limits.ts';

const MOST_CONNECTIONS = 10_000;

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
  keptMailLimit: {
    kind: 'count',
    from: 1,
    to: 100_000,
    default: 1000,
    title:
      'Number of mails to other domains that are kept without a relay, each recipient counted; the oldest are removed first',
  },
  keptMailSizeLimit: {
    kind: 'count',
    from: HIGHEST_MESSAGE_LIMIT_BYTES,
    to: 100 * 1024 * 1024 * 1024,
    default: 1024 * 1024 * 1024,
    title: 'Bytes of all kept mails together',
  },
  smtpMessageSizeLimit: {
    kind: 'count',
    from: 64 * 1024,
    to: HIGHEST_MESSAGE_LIMIT_BYTES,
    default: DEFAULT_SMTP_LIMITS.messageBytes,
    title: 'Bytes of a message that arrives by SMTP',
  },
  smtpConnectionLimit: {
    kind: 'count',
    from: 1,
    to: MOST_CONNECTIONS,
    default: DEFAULT_SMTP_LIMITS.connections,
    title: 'Concurrent SMTP connections',
  },
  smtpConnectionsPerAddress: {
    kind: 'count',
    from: 1,
    to: MOST_CONNECTIONS,
    default: DEFAULT_SMTP_LIMITS.connectionsPerAddress,
    title: 'Concurrent SMTP connections from one address',
  },
  smtpIdleTimeout: {
    kind: 'duration',
    from: SECOND_MS,
    to: HOUR_MS,
    default: DEFAULT_SMTP_LIMITS.idleMs,
    title: 'How long an SMTP client can be silent between two commands, in real time',
  },
  smtpMessageTimeout: {
    kind: 'duration',
    from: SECOND_MS,
    to: HOUR_MS,
    default: DEFAULT_SMTP_LIMITS.messageMs,
    title: 'How long a message by SMTP can take to arrive, in real time',
  },
  relayTimeout: {
    kind: 'duration',
    from: SECOND_MS,
    to: HOUR_MS,
    default: RELAY_TIMES.attemptMs,
    title: 'How long one attempt to send a mail through the relay can take, in real time',
  },
  relayAnswerTimeout: {
    kind: 'duration',
    from: SECOND_MS,
    to: HOUR_MS,
    default: RELAY_TIMES.answerMs,
    title: 'How long the relay can take for one reply, in real time',
  },
  relayLifetime: {
    kind: 'duration',
    from: MINUTE_MS,
    to: 30 * DAY_MS,
    default: RELAY_TIMES.lifetimeMs,
    title: 'How long a mail is retried before the sender gets a non-delivery report',
  },
} as const satisfies Readonly<Record<string, SettingRow>>;

/** Settings that can be set in the configuration and changed at run time. */
export const MAIL_SETTINGS = defineSettings('mail', { about: 'mail and calendar', rows });

/** The current settings; durations in milliseconds. */
export type Settings = (typeof MAIL_SETTINGS)['defaults'];
