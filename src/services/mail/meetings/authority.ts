import { meetingRecords } from '../collections.ts';
import type { CalendarComponent } from '../ical/types.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { eventsOfMeeting } from './events.ts';
import { type MeetingMail, sameAddress } from './meeting-mail.ts';
import { meetingRecord, recordKey } from './records.ts';

/**
 * Decides if a mail may change a meeting (RFC 5546, section 6.1; RFC 6047, section 2.2). The organizer known to the mailbox is decisive,
 * not the one that the mail names. Senders are not authenticated here; the check rejects mail that does not even claim to come from the
 * organizer.
 */
export async function mayChangeMeeting(
  writer: MailboxWriter,
  mail: MeetingMail,
  component: CalendarComponent,
): Promise<boolean> {
  const { uid } = component;
  const all = await eventsOfMeeting(writer.tx, writer.mailbox.id, uid);
  const record = await meetingRecord(writer.tx, writer.mailbox.id, uid);
  const known = all.find(({ organizer }) => organizer.address !== '')?.organizer.address ?? record?.organizer;
  const claimed = organizerOf(component, mail);
  // Anyone may forward an invitation. Before one arrives, a cancellation is accepted only if the organizer that it names is its sender.
  if (known === undefined) return mail.object.method === 'REQUEST' || isSentFor(mail, component, claimed);
  if (isSentFor(mail, component, known)) return true;
  if (isCalendar(known) && sameAddress(known, claimed) && isSentBy(mail, record?.sender)) return true;
  if (all.length > 0 || sameAddress(known, claimed) || !isSentFor(mail, component, claimed)) return false;
  // Another organizer's meeting with the same UID: the record of the first meeting, which has no event left, must not block it.
  await writer.tx.delete(meetingRecords, recordKey(writer.mailbox.id, uid));
  return true;
}

/** The organizer that the mail names; its sender if the calendar gives no address. */
const organizerOf = ({ organizer }: CalendarComponent, { from }: MeetingMail): string =>
  organizer?.address || from?.address || '';

/** The identifying fields of a meeting record. */
export const recordOf = (component: CalendarComponent, mail: MeetingMail) => ({
  uid: component.uid,
  organizer: organizerOf(component, mail),
  ...(mail.from && { sender: mail.from.address }),
});

/**
 * A shared Google calendar is an organizer with an address of its own that never sends mail. Its invitations come from the person who sends
 * them.
 */
const isCalendar = (organizer: string): boolean => /@(?:group|resource)\.calendar\.google\.com$/i.test(organizer);

/**
 * SENT-BY names the sender that acts for the organizer. Calendar servers send from an address of their own, with the organizer's address in
 * Reply-To.
 */
function isSentFor(mail: MeetingMail, component: CalendarComponent, organizer: string): boolean {
  if (isSentBy(mail, organizer)) return true;
  const isClaimed = component.organizer !== undefined && sameAddress(component.organizer.address, organizer);
  return isClaimed && (isSentBy(mail, component.organizer.sentBy) || isSentBy(mail, component.sender));
}

const isSentBy = ({ senders }: MeetingMail, address: string | undefined): boolean =>
  address !== undefined && senders.some((sender) => sameAddress(sender, address));
