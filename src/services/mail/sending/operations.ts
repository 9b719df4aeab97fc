import { type Answer, accepted, created } from '../../../kernel/http/index.ts';
import { flag, parameters, type Read, text } from '../api/fields.ts';
import type { MailCall, Operation } from '../api/request.ts';
import { recipients } from '../api/values.ts';
import { errors } from '../errors.ts';
import { changeMailbox, type MailboxWriter } from '../mailbox/writer.ts';
import { entity } from '../messages/change.ts';
import { findMessage } from '../messages/find.ts';
import { messageInput } from '../messages/input.ts';
import { checkedDraft, createDraft, type NewDraft } from '../messages/new-draft.ts';
import type { Message } from '../messages/types.ts';
import { draftFromMime, isMimeBody, mimeBytes } from './mime-body.ts';
import { recallMessage } from './recall.ts';
import { type Answering, answerDraft } from './reply.ts';
import { sendDraft } from './send.ts';
import { unsubscribe } from './unsubscribe.ts';

/** `POST …/messages/{id}/send` */
export const sendMessage = (call: MailCall): Promise<Answer> =>
  changeMailbox(call.jar, call.mailbox, async (writer) => {
    const { value: draft } = await findMessage(call, writer.tx);
    if (!draft.isDraft)
      throw errors.ErrorInvalidRequest({
        reason: 'The message was already sent or received; only a draft can be sent.',
      });
    await sendDraft(writer, draft);
    return accepted();
  });

const SEND_MAIL = { message: messageInput, saveToSentItems: flag };

/** `POST …/sendMail`: JSON, or a whole mail in base64. */
export function sendMail(call: MailCall): Promise<Answer> {
  if (isMimeBody(call)) {
    const raw = mimeBytes(call);
    return changeMailbox(call.jar, call.mailbox, async (writer) => {
      await sendDraft(writer, await draftFromMime(writer, raw));
      return accepted();
    });
  }
  const { message: input, saveToSentItems = true } = parameters('sendMail', SEND_MAIL, call.json());
  if (!input)
    throw errors.ErrorInvalidParameter({ reason: "The parameter 'message' is required." }, { target: 'message' });
  const draft = checkedDraft(input);
  return changeMailbox(call.jar, call.mailbox, async (writer) => {
    await sendDraft(writer, await createDraft(writer, draft), { isSaved: saveToSentItems });
    return accepted();
  });
}

const ANSWER = {
  comment: ((value, at) => (value === null ? '' : text({ longest: 1_000_000 })(value, at))) as Read<string>,
  message: messageInput,
  toRecipients: recipients,
};

type AnswerInput = Answering & NewDraft;

/**
 * Parameters of reply, replyAll and forward, and of the actions that create such drafts. A bare string is a comment, as one client sends
 * it.
 */
function readAnswer(call: MailCall, kind: Answering['kind']): AnswerInput {
  const body = call.json();
  const sent = parameters(kind, ANSWER, typeof body === 'string' ? { comment: body } : body);
  const { comment, message: input = {}, toRecipients } = sent;
  if (comment !== undefined && comment !== '' && input.body)
    throw errors.ErrorInvalidRequest(
      { reason: "'comment' and the body of 'message' cannot be given together." },
      { target: 'comment' },
    );
  if (kind === 'forward' && toRecipients && input.toRecipients)
    throw errors.ErrorInvalidRequest(
      { reason: "The recipients are in 'toRecipients' or in 'message', not in both." },
      { target: 'toRecipients' },
    );
  const draft = checkedDraft({ ...input, ...(toRecipients && { toRecipients }) });
  return { kind, ...draft, ...(comment !== undefined && { comment }) };
}

async function makeDraft(call: MailCall, writer: MailboxWriter, answering: AnswerInput): Promise<Message> {
  const { value: original } = await findMessage(call, writer.tx);
  return answerDraft(writer, original, { ...answering, prefer: call.prefer });
}

const creates =
  (kind: Answering['kind']) =>
  (call: MailCall): Promise<Answer> => {
    if (isMimeBody(call)) return draftOfMime(call);
    const answering = readAnswer(call, kind);
    return changeMailbox(call.jar, call.mailbox, async (writer) =>
      created(entity(call, await makeDraft(call, writer, answering))),
    );
  };

const sends =
  (kind: Answering['kind']) =>
  (call: MailCall): Promise<Answer> => {
    if (isMimeBody(call)) return sendMimeAnswer(call);
    const answering = readAnswer(call, kind);
    const { toRecipients } = answering.input;
    if (kind === 'forward' && (!toRecipients || toRecipients.length === 0))
      throw errors.ErrorInvalidRequest(
        { reason: "A forwarded message needs 'toRecipients'." },
        { target: 'toRecipients' },
      );
    return changeMailbox(call.jar, call.mailbox, async (writer) => {
      await sendDraft(writer, await makeDraft(call, writer, answering));
      return accepted();
    });
  };

/** The mail in the body becomes the draft; the path names the message that it answers. */
function draftOfMime(call: MailCall): Promise<Answer> {
  const raw = mimeBytes(call);
  return changeMailbox(call.jar, call.mailbox, async (writer) => {
    await findMessage(call, writer.tx);
    return created(entity(call, await draftFromMime(writer, raw)));
  });
}

function sendMimeAnswer(call: MailCall): Promise<Answer> {
  const raw = mimeBytes(call);
  return changeMailbox(call.jar, call.mailbox, async (writer) => {
    await findMessage(call, writer.tx);
    await sendDraft(writer, await draftFromMime(writer, raw));
    return accepted();
  });
}

const row = (
  path: string,
  name: string,
  summary: string,
  needs: 'mailSend' | 'mailWrite',
  handle: Operation['handle'],
): Operation => ({
  method: 'POST',
  path,
  name,
  summary,
  needs,
  handle,
});

export const SENDING_OPERATIONS: readonly Operation[] = [
  row('sendMail', 'SendMail', 'Sends a message without a draft', 'mailSend', sendMail),
  row('messages/{message}/send', 'SendMessage', 'Sends a draft', 'mailSend', sendMessage),
  row(
    'messages/{message}/createReply',
    'CreateReply',
    'A draft that answers the sender',
    'mailWrite',
    creates('reply'),
  ),
  row(
    'messages/{message}/createReplyAll',
    'CreateReplyAll',
    'A draft that answers everybody',
    'mailWrite',
    creates('replyAll'),
  ),
  row(
    'messages/{message}/createForward',
    'CreateForward',
    'A draft that forwards the message',
    'mailWrite',
    creates('forward'),
  ),
  row('messages/{message}/reply', 'Reply', 'Answers the sender', 'mailSend', sends('reply')),
  row('messages/{message}/replyAll', 'ReplyAll', 'Answers everybody', 'mailSend', sends('replyAll')),
  row('messages/{message}/forward', 'Forward', 'Forwards the message', 'mailSend', sends('forward')),
  row(
    'messages/{message}/recall',
    'RecallMessage',
    'Recalls a sent message from the mailboxes in which it is unread',
    'mailWrite',
    recallMessage,
  ),
  row(
    'messages/{message}/unsubscribe',
    'Unsubscribe',
    'Unsubscribes from the mailing list of a message',
    'mailSend',
    unsubscribe,
  ),
];
