import { etag } from '../../../kernel/ids/index.ts';
import type { MailJar } from '../jar.ts';
import { ensureMailbox } from '../mailbox/create.ts';
import type { Mailbox } from '../mailbox/types.ts';
import { type MailboxWriter, writingMailboxes } from '../mailbox/writer.ts';
import { eventFor, eventsOfMeeting } from '../meetings/events.ts';
import { newMessageId } from '../messages/draft.ts';
import type { Address } from '../messages/types.ts';
import { isMailAddress } from '../mime/mail-address.ts';
import { composeMail } from '../mime/write.ts';
import { queueMail } from '../sending/queue.ts';
import { contentAt } from './content.ts';
import type { FoundEvent } from './find.ts';
import { withInvited } from './invited.ts';

/** Notifies the organizer of a meeting that an invitee has forwarded it. */

/** Sends the notice by mail, to organizers inside and outside this jar. */
export async function sendForwardNotice(
  writer: MailboxWriter,
  { event, day, item }: FoundEvent,
  to: readonly Address[],
): Promise<void> {
  const { mailbox, now, actor } = writer;
  const from = { name: mailbox.displayName, address: mailbox.address };
  const subject = `Meeting Forward Notification: ${item.subject}`;
  const messageId = newMessageId(mailbox.address);
  const names = to.map(({ name, address }) => (name === address ? address : `${name} <${address}>`));
  const which = day === undefined ? '' : ` of ${day}`;
  const text = `${from.name} has forwarded your meeting request${which} to others.\r\n\r\nMeeting: ${item.subject}\r\nRecipients: ${names.join('; ')}\r\n`;
  if (!isMailAddress(event.organizer.address)) return;
  const raw = composeMail({
    from,
    ...(actor && { sender: actor }),
    to: [event.organizer],
    subject,
    date: now,
    messageId,
    text,
    boundary: etag(),
  });
  await queueMail(writer, { raw, from: mailbox.address, to: [event.organizer.address], subject, messageId });
}

/** The mailbox of an organizer in this jar; undefined for other organizers. */
export async function mailboxOf(jar: MailJar, address: string): Promise<Mailbox | undefined> {
  const user = await jar.directory.findUser(address);
  return user?.username.toLowerCase() === address.toLowerCase() ? ensureMailbox(jar, user.id) : undefined;
}

/** Adds the new attendees to the organizer's own event, if the organizer's mailbox is in this jar. */
export async function addToOrganizersEvent(
  organizers: MailboxWriter,
  { event, day }: FoundEvent,
  to: readonly Address[],
): Promise<void> {
  const own = (await eventsOfMeeting(organizers.tx, organizers.mailbox.id, event.iCalUid)).filter(
    ({ isOrganizer }) => isOrganizer,
  );
  const meeting = eventFor(own, undefined);
  if (meeting) await withInvited(organizers, meeting, day, contentAt(meeting, day), to);
}

/** Writes to one mailbox and, if given, a second one, in one transaction. */
export function writingBoth<R>(
  jar: MailJar,
  first: Mailbox,
  second: Mailbox | undefined,
  body: (first: MailboxWriter, second: MailboxWriter | undefined) => Promise<R>,
  actor?: Address,
): Promise<R> {
  const other = second && second.id !== first.id ? second : undefined;
  return jar.store.transact((tx) =>
    writingMailboxes(
      tx,
      jar,
      other ? [first, other] : [first],
      (writerOf) => body(writerOf(first), other && writerOf(other)),
      actor,
    ),
  );
}
