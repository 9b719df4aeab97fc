import { meetingRecords } from '../collections.ts';
import type { CalendarComponent } from '../ical/types.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { eventsOfMeeting } from './events.ts';
import { type MeetingMail, sameAddress } from './meeting-mail.ts';
import { meetingRecord, recordKey } from './records.ts';

/**
 * Whether a mail may change a meeting (RFC 5546, section 6.1; RFC 6047, section 2.2): the organizer that the mailbox knows decides, not the one that
 * the mail names. Mail has no proof of its sender here; the check keeps out what does not even claim to be the organizer's.
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
  // Anybody may hand on an invitation, nobody else's cancellation counts before it.
  if (known === undefined) return mail.object.method === 'REQUEST' || isSentFor(mail, component, claimed);
  if (isSentFor(mail, component, known)) return true;
  if (isCalendar(known) && sameAddress(known, claimed) && isSentBy(mail, record?.sender)) return true;
  if (all.length > 0 || sameAddress(known, claimed) || !isSentFor(mail, component, claimed)) return false;
  // Another organizer's meeting with the same UID: what is known of the first, of which no event is left, must not stand in its way.
  await writer.tx.delete(meetingRecords, recordKey(writer.mailbox.id, uid));
  return true;
}

/** The organizer as the mail has it; the sender where a calendar gives no address. */
const organizerOf = ({ organizer }: CalendarComponent, { from }: MeetingMail): string =>
  organizer?.address || from?.address || '';

/** Under what a meeting is recorded. */
export const recordOf = (component: CalendarComponent, mail: MeetingMail) => ({
  uid: component.uid,
  organizer: organizerOf(component, mail),
  ...(mail.from && { sender: mail.from.address }),
});

/** Shared calendars of Google are organizers with an address of their own, of which no mail ever comes. Whoever invites for them is the sender. */
const isCalendar = (organizer: string): boolean => /@(?:group|resource)\.calendar\.google\.com$/i.test(organizer);

/** SENT-BY names who sends for the organizer. Calendar servers send from an address of their own, with the organizer's in Reply-To. */
function isSentFor(mail: MeetingMail, component: CalendarComponent, organizer: string): boolean {
  if (isSentBy(mail, organizer)) return true;
  const isClaimed = component.organizer !== undefined && sameAddress(component.organizer.address, organizer);
  return isClaimed && (isSentBy(mail, component.organizer.sentBy) || isSentBy(mail, component.sender));
}

const isSentBy = ({ senders }: MeetingMail, address: string | undefined): boolean =>
  address !== undefined && senders.some((sender) => sameAddress(sender, address));
