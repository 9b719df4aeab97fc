import { type Answer, accepted } from '../../../kernel/http/index.ts';
import { readAll } from '../../../kernel/store/index.ts';
import { actorOf } from '../access/sharing.ts';
import { flag, mistake, nullable, object, parameters } from '../api/fields.ts';
import type { MailCall } from '../api/request.ts';
import { zonedTime } from '../api/values.ts';
import { messages } from '../collections.ts';
import { errors } from '../errors.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { type MeetingAnswer, sendAnswer } from '../meetings/outgoing.ts';
import { uidKey } from '../meetings/uid.ts';
import { moveMessage } from '../messages/write.ts';
import { isMaster } from './content.ts';
import { type FoundEvent, findEvent } from './find.ts';
import { writingBoth } from './forward-notice.ts';
import { COMMENT, removeOccurrence } from './remove.ts';
import { instantOf } from './times.ts';
import type { CalendarEvent } from './types.ts';
import { putException } from './update-occurrence.ts';
import { removeEvent, updateEvent } from './write.ts';

/** Accept, tentativelyAccept and decline: the answer of an invitee, on the own calendar and by mail to the organizer. */

const timeSlot = object('timeSlot', { start: zonedTime, end: zonedTime });

const FIELDS = { comment: COMMENT, sendResponse: nullable(flag) };
const PROPOSING = { ...FIELDS, proposedNewTime: nullable(timeSlot) };

interface AnswerInput extends Pick<MeetingAnswer, 'comment' | 'proposedNewTime'> {
  /** Absent where the client did not say. */
  readonly sendResponse?: boolean;
}

const refused = (target: string, reason: string): Error => errors.ErrorInvalidRequest({ reason }, { target });

function readAnswer(call: MailCall, action: string, mayPropose: boolean): AnswerInput {
  const sent: ReturnType<typeof readProposing> = mayPropose
    ? readProposing(call, action)
    : parameters(action, FIELDS, call.json());
  const { comment, sendResponse, proposedNewTime } = sent;
  if (sendResponse === false && comment !== undefined && comment !== null)
    throw refused('comment', "A 'comment' cannot be sent where 'sendResponse' is false.");
  if (sendResponse === false && proposedNewTime)
    throw refused('proposedNewTime', "A 'proposedNewTime' cannot be sent where 'sendResponse' is false.");
  return {
    ...(comment && { comment }),
    ...(proposedNewTime && { proposedNewTime: checkedSlot(proposedNewTime) }),
    ...(typeof sendResponse === 'boolean' && { sendResponse }),
  };
}

const readProposing = (call: MailCall, action: string) => parameters(action, PROPOSING, call.json());

function checkedSlot({ start, end }: ReturnType<typeof timeSlot>): NonNullable<MeetingAnswer['proposedNewTime']> {
  if (!start) throw mistake('proposedNewTime/start', 'it is required');
  if (!end) throw mistake('proposedNewTime/end', 'it is required');
  if (instantOf(end) < instantOf(start))
    throw errors.ErrorPropertyValidationFailure(
      { reason: "The end of 'proposedNewTime' is before its start." },
      { target: 'proposedNewTime/end' },
    );
  return { start, end };
}

export const acceptEvent = (call: MailCall): Promise<Answer> => respond(call, 'accept', 'accepted');
export const tentativelyAcceptEvent = (call: MailCall): Promise<Answer> =>
  respond(call, 'tentativelyAccept', 'tentativelyAccepted');
export const declineEvent = (call: MailCall): Promise<Answer> => respond(call, 'decline', 'declined');

function respond(call: MailCall, action: string, response: MeetingAnswer['response']): Promise<Answer> {
  const input = readAnswer(call, action, response !== 'accepted');
  return writingBoth(
    call.jar,
    call.mailbox,
    call.sharing?.own,
    async (writer, delegates) => {
      const found = await findEvent(call, writer.tx);
      const { event, day, item } = found;
      checkAnswer(found, input);
      if (item.responseRequested && input.sendResponse !== false) {
        const { comment, proposedNewTime } = input;
        const of = { ...(comment !== undefined && { comment }), ...(proposedNewTime && { proposedNewTime }) };
        await sendAnswer(writer, event, { response, ...of, ...(day !== undefined && { day }) });
      }
      await keepAnswer(writer, event, day, response);
      await putAwayRequests(writer, event, day);
      if (delegates) await putAwayRequests(delegates, event, day, writer.mailbox.id);
      return accepted();
    },
    actorOf(call),
  );
}

function checkAnswer({ event, item }: FoundEvent, { proposedNewTime, sendResponse }: AnswerInput): void {
  if (event.isOrganizer)
    throw errors.ErrorInvalidRequest({
      reason:
        "Your request can't be completed. You can't respond to this meeting because you're the meeting organizer.",
    });
  if (item.isCancelled)
    throw errors.ErrorInvalidRequest({
      reason: "Your request can't be completed. The meeting was cancelled by its organizer.",
    });
  if (proposedNewTime && !item.allowNewTimeProposals)
    throw refused('proposedNewTime', 'The organizer does not allow proposals of a new time for this meeting.');
  if (sendResponse === true && !item.responseRequested)
    throw refused(
      'sendResponse',
      "Your request can't be completed. The meeting organizer hasn't requested a response.",
    );
}

/** An accepted meeting shows as its organizer meant it, a declined one leaves the calendar. Answers to single occurrences stay when the series is answered. */
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

/** The invitations that were answered leave the inbox: those of the mailbox, or those that a delegate has for the principal. */
async function putAwayRequests(
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
