import type { MailboxSettings } from '../mailbox/types.ts';

/**
 * What the owner of a mailbox has the jar answer to mail that arrives now, as HTML; undefined where nothing is answered. `isInternal`: the sender is of
 * the owner's tenant. A mailbox has no contacts, so `contactsOnly` answers nobody outside.
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
