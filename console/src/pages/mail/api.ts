import { addressOf } from '../../shared/address.ts';
import type { operations } from '../../shared/api/control.ts';
import type { RowOf } from '../../shared/list/pages.ts';

export type Message = RowOf<'/_jar/mail/messages'>;
export type MessageDocument = operations['Jar_GetMessage']['responses'][200]['content']['application/json'];
export type KeptMail = RowOf<'/_jar/mail/kept'>;
export type QueuedMail = RowOf<'/_jar/mail/queued'>;
export type Mailbox = RowOf<'/_jar/mail/mailboxes'>;
export type MailboxEvent = RowOf<'/_jar/mail/mailboxes/{user}/events'>;
export type Receiver = RowOf<'/_jar/mail/endpoints'>;

/** Properties of messages in which a text is searched for. */
export const SEARCHED = ['subject', 'from', 'fromName', 'mailbox'] as const;

export const messageAddress = ({ user, id }: Pick<Message, 'user' | 'id'>): string =>
  addressOf('mail', 'messages', user, id);

export const sourcePath = (user: string, message: string): string =>
  `/_jar/mail/mailboxes/${encodeURIComponent(user)}/messages/${encodeURIComponent(message)}/source`;
