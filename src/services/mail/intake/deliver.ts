import { etag } from '../../../kernel/ids/index.ts';
import { putBlob } from '../blobs/store.ts';
import { receivedMails } from '../collections.ts';
import { itemKey } from '../mailbox/create.ts';
import { RECEIVED_KEPT_MS, tidyAt } from '../mailbox/tidy-work.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { receiveMeeting } from '../meetings/incoming.ts';
import type { MeetingMessage, Message } from '../messages/types.ts';
import { createMessage } from '../messages/write.ts';
import { findInvitation, type Invitation } from '../mime/invitation.ts';
import { isProblem } from '../mime/problem.ts';
import type { MailAttachment } from '../mime/types.ts';
import { inferenceFor } from '../outlook/inference.ts';
import { isBlockedSender } from '../outlook/junk.ts';
import { bookRoom } from '../rooms/book.ts';
import { followRules, replyAutomatically } from './after.ts';
import { keepAttachments } from './attachments.ts';
import { delegatedTo, delegatesCopy, delegatesOfMeeting, principalsCopy, type WritingDelegate } from './delegates.ts';
import type { IncomingMail } from './incoming.ts';
import { messageOf, person } from './message-of.ts';

/**
 * Delivers a mail to the inbox of a mailbox and applies an invitation to its calendar, in the writer's transaction. Meeting mail also goes
 * to the owner's delegates, as the owner's settings say. A mail that was already delivered, and is repeated because its sender did not get
 * the reply, changes nothing.
 */
export async function deliverMail(
  writer: MailboxWriter,
  incoming: IncomingMail,
  recipient: string,
  delegates: readonly WritingDelegate[] = [],
): Promise<void> {
  const { tx, mailbox } = writer;
  const received = itemKey(mailbox.id, incoming.digest);
  if (await tx.get(receivedMails, received)) return;
  await tx.put(receivedMails, received, { at: writer.now });
  await tidyAt(tx, mailbox.id, writer.now + RECEIVED_KEPT_MS);
  const invitation = findInvitation(incoming.parsed, mailbox.settings.zone);
  const found = invitation === undefined || isProblem(invitation) ? undefined : invitation;
  const meeting = found && (await meetingOf(writer, incoming, found, recipient, delegates));
  await replyAutomatically(writer, incoming);
  if (!found || !meeting) return keepMessage(writer, incoming, incoming.parsed.attachments);
  const { attachments } = found;
  const handling = await delegatesOfMeeting(writer, found, meeting, delegates);
  const { delegateMeetingMessageDeliveryOptions: delivery } = mailbox.settings;
  const own = handling.length === 0 ? meeting : principalsCopy(meeting, delivery);
  if (own) await keepMessage(writer, incoming, attachments, { meeting: own });
  for (const delegate of handling) {
    const { to, cc } = messageOf(delegate, incoming, attachments);
    await keepMessage(delegate, incoming, attachments, {
      meeting: delegatesCopy(meeting, mailbox),
      to: delegatedTo(to, mailbox, delegate.mailbox),
      cc: delegatedTo(cc, mailbox, delegate.mailbox),
    });
  }
  await bookRoom(writer, meeting);
}

async function keepMessage(
  writer: MailboxWriter,
  incoming: IncomingMail,
  attachments: readonly MailAttachment[],
  more: Partial<Pick<Message, 'meeting' | 'to' | 'cc'>> = {},
): Promise<void> {
  const uid = etag();
  await keepAttachments(writer, uid, attachments);
  const source = await putBlob(writer.tx, incoming.raw);
  const message = await createMessage(writer, {
    ...messageOf(writer, incoming, attachments),
    ...(await placeOf(writer, incoming)),
    ...more,
    uid,
    source,
  });
  await followRules(writer, message, incoming);
}

function meetingOf(
  writer: MailboxWriter,
  { parsed, body }: IncomingMail,
  { calendar, attachments }: Invitation,
  recipient: string,
  delegates: readonly WritingDelegate[],
): Promise<MeetingMessage | undefined> {
  const [from] = parsed.from;
  const senders = [...parsed.from, ...(parsed.sender ? [parsed.sender] : []), ...parsed.replyTo];
  return receiveMeeting(writer, {
    object: calendar,
    from: from && person(from),
    senders: senders.map(({ address }) => address),
    recipient,
    body,
    files: attachments,
    receivedAt: writer.now,
    delegates: delegates.map((delegate) => delegate.writer),
  });
}

/** Mail of a blocked sender is junk. The owner can set for a sender if mail is focused or other. */
async function placeOf({ tx, mailbox }: MailboxWriter, { parsed }: IncomingMail): Promise<Partial<Message>> {
  const [from] = parsed.from;
  if (!from) return {};
  const inference = await inferenceFor(tx, mailbox.id, from.address);
  return {
    ...(isBlockedSender(mailbox, from.address) && { folder: mailbox.wellKnown.junkemail }),
    ...(inference && { inference }),
  };
}
