import { type Answer, accepted } from '../../../kernel/http/index.ts';
import { actorOf } from '../access/sharing.ts';
import { flag, mistake, nullable, object, parameters } from '../api/fields.ts';
import type { MailCall } from '../api/request.ts';
import { zonedTime } from '../api/values.ts';
import { errors } from '../errors.ts';
import type { MeetingAnswer } from '../meetings/outgoing.ts';
import { answerMeeting, clearAnsweredRequests } from './answer.ts';
import { type FoundEvent, findEvent } from './find.ts';
import { writingBoth } from './forward-notice.ts';
import { COMMENT } from './remove.ts';
import { instantOf } from './times.ts';

/** accept, tentativelyAccept and decline: the invitee's response, stored in the invitee's calendar and sent to the organizer by mail. */

const timeSlot = object('timeSlot', { start: zonedTime, end: zonedTime });

const FIELDS = { comment: COMMENT, sendResponse: nullable(flag) };
const PROPOSING = { ...FIELDS, proposedNewTime: nullable(timeSlot) };

interface AnswerInput extends Pick<MeetingAnswer, 'comment' | 'proposedNewTime'> {
  /** Absent if the client did not send it. */
  readonly sendResponse?: boolean;
}

const refused = (target: string, reason: string): Error => errors.ErrorInvalidRequest({ reason }, { target });

function readAnswer(call: MailCall, action: string, mayPropose: boolean): AnswerInput {
  const sent: ReturnType<typeof readProposing> = mayPropose
    ? readProposing(call, action)
    : parameters(action, FIELDS, call.json());
  const { comment, sendResponse, proposedNewTime } = sent;
  if (sendResponse === false && comment !== undefined && comment !== null)
    throw refused('comment', "A 'comment' cannot be sent if 'sendResponse' is false.");
  if (sendResponse === false && proposedNewTime)
    throw refused('proposedNewTime', "A 'proposedNewTime' cannot be sent if 'sendResponse' is false.");
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
    async (writer, delegate) => {
      const found = await findEvent(call, writer.tx);
      const { event, day, item } = found;
      checkAnswer(found, input);
      const { sendResponse, ...said } = input;
      const isSent = item.responseRequested && sendResponse !== false;
      await answerMeeting(writer, event, { response, ...said, ...(day !== undefined && { day }) }, isSent);
      if (delegate) await clearAnsweredRequests(delegate, event, day, writer.mailbox.id);
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
