import type { MailboxWriter } from '../mailbox/writer.ts';
import type { MeetingMessage } from '../messages/types.ts';
import { mayChangeMeeting } from './authority.ts';
import { eventFor, eventsOfMeeting } from './events.ts';
import { dayOfTime, isTimed, seriesFrom, type TimedComponent } from './from-calendar.ts';
import { type MeetingMail, MOST_OCCURRENCES, sameAddress, versionOf } from './meeting-mail.ts';
import { receiveOccurrence } from './occurrence.ts';
import { plainRequestMessage } from './request-message.ts';
import { receiveWhole } from './whole.ts';

/** Processes METHOD:REQUEST: an invitation or an update. */
export async function receiveRequest(
  writer: MailboxWriter,
  received: MeetingMail,
): Promise<MeetingMessage | undefined> {
  const { components } = received.object;
  const organizer = components[0]?.organizer;
  const timed = components.filter(isTimed).map((each) => ({ ...(organizer && { organizer }), ...each }));
  const [main] = timed;
  if (!main) return undefined;
  if (await isOwn(writer, main)) return ownRequest(writer, main, received);
  const mail = { ...received, mayChange: await mayChangeMeeting(writer, received, main) };
  if (!main.recurrenceId) return receiveWhole(writer, mail, main, timed.slice(1));
  // Occurrences without their series. The message shows the first occurrence.
  const first = await receiveOccurrence(writer, mail, main, main.recurrenceId);
  for (const other of timed.slice(1, MOST_OCCURRENCES))
    if (other.recurrenceId) await receiveOccurrence(writer, mail, other, other.recurrenceId);
  return first;
}

/** True if the owner of the mailbox organizes the meeting: mail cannot change it, whatever organizer it names. */
async function isOwn(writer: MailboxWriter, { uid, organizer }: TimedComponent): Promise<boolean> {
  if (organizer !== undefined && sameAddress(organizer.address, writer.mailbox.address)) return true;
  return (await eventsOfMeeting(writer.tx, writer.mailbox.id, uid)).some(({ isOrganizer }) => isOrganizer);
}

/** The owner's own meeting arrives through a list or a rule: the calendar does not change. */
async function ownRequest(writer: MailboxWriter, main: TimedComponent, mail: MeetingMail): Promise<MeetingMessage> {
  const event = eventFor(await eventsOfMeeting(writer.tx, writer.mailbox.id, main.uid), undefined);
  const version = versionOf(main, mail.receivedAt);
  if (main.recurrenceId) {
    const day = dayOfTime(main.recurrenceId, event?.start ?? main.recurrenceId.time);
    return plainRequestMessage({ main, day, version, mail }, event);
  }
  const series = seriesFrom(main, [], mail.body);
  return plainRequestMessage({ main, version, mail, ...(series && { series }) }, event);
}
