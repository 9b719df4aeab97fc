import { readAll } from '../../../kernel/store/index.ts';
import { messages } from '../collections.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { type MeetingAnswer, sendAnswer } from '../meetings/outgoing.ts';
import { uidKey } from '../meetings/uid.ts';
import { moveMessage } from '../messages/write.ts';
import { isMaster } from './content.ts';
import { removeOccurrence } from './remove-occurrence.ts';
import type { CalendarEvent } from './types.ts';
import { putException } from './update-occurrence.ts';
import { removeEvent, updateEvent } from './write.ts';

/** Stores the invitee's response, sends it to the organizer, and moves the answered invitations out of the inbox. */
export async function answerMeeting(
  writer: MailboxWriter,
  event: CalendarEvent,
  answer: MeetingAnswer,
  isSent: boolean,
): Promise<void> {
  const { day, response } = answer;
  if (isSent) await sendAnswer(writer, event, answer);
  await keepAnswer(writer, event, day, response);
  await clearAnsweredRequests(writer, event, day);
}

/**
 * An accepted meeting shows the organizer's `showAs`; a declined one is removed from the calendar. Responses to single occurrences stay
 * when the series is answered.
 */
async function keepAnswer(
  writer: MailboxWriter,
  event: CalendarEvent,
  day: string | undefined,
  response: MeetingAnswer['response'],
): Promise<void> {
  if (response === 'declined') {
    if (day === undefined) await removeEvent(writer, event);
    else await removeOccurrence(writer, event, day);
    return;
  }
  const answer = {
    response: { response, at: writer.now },
    showAs: response === 'accepted' ? event.intendedShowAs : ('tentative' as const),
  };
  if (day !== undefined && isMaster(event)) await putException(writer, event, day, answer);
  else await updateEvent(writer, event, answer);
}

/**
 * Moves the answered invitations from the inbox to the deleted items: the mailbox's own invitations, or a delegate's copies for
 * `principal`.
 */
export async function clearAnsweredRequests(
  writer: MailboxWriter,
  event: CalendarEvent,
  day: string | undefined,
  principal?: string,
): Promise<void> {
  const { inbox, deleteditems } = writer.mailbox.wellKnown;
  const found = await readAll(writer.tx, messages, {
    filter: {
      op: 'and',
      args: [
        { op: 'eq', field: 'mailbox', value: writer.mailbox.id },
        { op: 'eq', field: 'meetingUid', value: uidKey(event.iCalUid) },
      ],
    },
  });
  for (const { value: message } of found) {
    const { meeting, folder } = message;
    const isAnswered = meeting?.kind === 'eventMessageRequest' && (day === undefined || meeting.occurrence === day);
    if (isAnswered && meeting.principal === principal && folder === inbox)
      await moveMessage(writer, message, deleteditems);
  }
}
