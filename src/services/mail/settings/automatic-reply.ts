import type { MailboxSettings } from '../mailbox/types.ts';

/**
 * The automatic reply to mail that arrives now, as HTML; undefined if none is sent. `isInternal` means that the sender belongs to the
 * owner's tenant. A mailbox has no contacts, so `contactsOnly` replies to no external sender.
 */
export function automaticReplyFor(
  { automaticReplies }: Pick<MailboxSettings, 'automaticReplies'>,
  now: number,
  isInternal: boolean,
): string | undefined {
  const { status, from, until, externalAudience, internalReplyMessage, externalReplyMessage } = automaticReplies;
  if (status === 'disabled') return undefined;
  if (status === 'scheduled' && (now < from || now >= until)) return undefined;
  if (!isInternal && externalAudience !== 'all') return undefined;
  const message = isInternal ? internalReplyMessage : externalReplyMessage;
  return message.trim() === '' ? undefined : message;
}
