import type { CalendarPermission } from '../calendar/types.ts';
import { calendars, events } from '../collections.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { sameAddress } from '../meetings/meeting-mail.ts';
import { outdateRequests } from '../meetings/outdate.ts';
import { compare } from '../meetings/records.ts';
import type { MeetingMessage } from '../messages/types.ts';
import { queueMail } from '../sending/queue.ts';
import type { Letter } from './letter.ts';

/** What the mailbox that a mail about a meeting is for keeps of it. */
export interface OwnersCopy {
  readonly meeting: MeetingMessage;
  readonly folder?: string;
}

/**
 * Mail about meetings goes to the delegates of a calendar, as its owner has decided (`delegateMeetingMessageDeliveryOptions`). The calendar that changes
 * is the owner's. By default the owner has no more of it than a copy in the deleted items.
 */
export async function handToDelegates(
  writer: MailboxWriter,
  letter: Letter,
  meeting: MeetingMessage,
): Promise<OwnersCopy> {
  const { mailbox } = writer;
  const to = await delegatesFor(writer, letter, meeting);
  if (to.length === 0) return { meeting };
  const { event: _, ...said } = meeting;
  const { raw, parsed, envelopeFrom } = letter;
  await queueMail(writer, {
    raw,
    from: envelopeFrom,
    to,
    subject: parsed.subject,
    messageId: parsed.messageId ?? '',
    delegated: { ...said, isDelegated: true },
  });
  const wanted = mailbox.settings.delegateMeetingMessageDeliveryOptions;
  if (wanted === 'sendToDelegateOnly') return { meeting, folder: mailbox.wellKnown.deleteditems };
  if (wanted === 'sendToDelegateAndPrincipal' || !meeting.request) return { meeting };
  return { meeting: { ...meeting, request: { ...meeting.request, type: 'principalWantsCopy' } } };
}

/** A mail does not come back to whoever sent it, and private meetings go to those who may see them. */
async function delegatesFor(
  writer: MailboxWriter,
  { parsed }: Letter,
  { event: uid }: MeetingMessage,
): Promise<readonly string[]> {
  const { tx, mailbox } = writer;
  const calendar = (await tx.get(calendars, writer.key(mailbox.calendar), 'none'))?.value;
  const all = calendar?.permissions.filter(({ role }) => role.startsWith('delegate')) ?? [];
  if (all.length === 0) return [];
  const event = uid === undefined ? undefined : (await tx.get(events, writer.key(uid)))?.value;
  const isPrivate = event?.sensitivity === 'private' || event?.sensitivity === 'confidential';
  const senders = [...parsed.from, ...(parsed.sender ? [parsed.sender] : [])];
  return all
    .filter(({ role }) => !isPrivate || role === 'delegateWithPrivateEventAccess')
    .flatMap(({ address }: CalendarPermission) => address?.address ?? [])
    .filter((address) => !senders.some((sender) => sameAddress(sender.address, address)));
}

/** What a delegate gets says what the owner's copy says; earlier requests of the meeting are out of date by it. */
export async function receiveForOwner(writer: MailboxWriter, meeting: MeetingMessage): Promise<MeetingMessage> {
  if (meeting.kind === 'eventMessageRequest' && !meeting.isOutOfDate)
    await outdateRequests(
      writer,
      meeting.uid,
      (earlier) => earlier.occurrence === meeting.occurrence && compare(earlier, meeting) < 0,
    );
  return meeting;
}
