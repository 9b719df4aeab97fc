import { type Answer, noContent, ok } from '../../../kernel/http/index.ts';
import { listShape, type Navigation } from '../../../kernel/odata/index.ts';
import { readable } from '../access/basic.ts';
import type { MailCall, Operation } from '../api/request.ts';
import { contextLine } from '../api/show.ts';
import { shownInstant } from '../api/values.ts';
import { errors } from '../errors.ts';
import { changeMailbox } from '../mailbox/writer.ts';
import { findMessage } from '../messages/find.ts';
import type { Mention, Message } from '../messages/types.ts';
import { updateMessage } from '../messages/write.ts';

/** Mentions of people in a message: beta version only, and only if `$expand` names them. */

/** Mail does not use the last five properties. */
const mentionView = ({ id, mentioned, createdBy, createdAt }: Mention): Record<string, unknown> => ({
  id,
  mentioned,
  createdBy,
  createdDateTime: shownInstant(createdAt),
  serverCreatedDateTime: null,
  mentionText: null,
  clientReference: null,
  deepLink: null,
  application: null,
});

/** Newest first; mentions of the same time stay in the order in which they were sent. */
const newestFirst = (mentions: readonly Mention[]): readonly Mention[] =>
  mentions.toSorted((a, b) => b.createdAt - a.createdAt);

const mentionShape = listShape<Mention>('mention', {
  id: { type: 'Edm.String' },
  createdDateTime: { type: 'Edm.DateTimeOffset', read: ({ createdAt }: Mention) => createdAt },
  mentioned: {
    type: { properties: { address: { type: 'Edm.String', ignoreCase: true }, name: { type: 'Edm.String' } } },
  },
});

export const mentionsNavigation = (call: MailCall): Navigation<Message, Mention> => ({
  name: 'mentions',
  many: true,
  shape: mentionShape,
  accept: (options) => readable(call, options),
  load: (parents) => Promise.resolve(parents.map(({ mentions }) => newestFirst(mentions))),
  view: mentionView,
  always: ['id'],
});

const contextOf = ({ params }: MailCall): string => `messages('${encodeURIComponent(params.message ?? '')}')/mentions`;

async function listMentions(call: MailCall): Promise<Answer> {
  const { mentions } = (await findMessage(call)).value;
  return ok({ ...contextLine(call, contextOf(call)), value: newestFirst(mentions).map(mentionView) });
}

async function getMention(call: MailCall): Promise<Answer> {
  const mention = named(call, (await findMessage(call)).value);
  return ok({ ...contextLine(call, `${contextOf(call)}/$entity`), ...mentionView(mention) });
}

const deleteMention = (call: MailCall): Promise<Answer> =>
  changeMailbox(call.jar, call.mailbox, async (writer) => {
    const { value: message } = await findMessage(call, writer.tx);
    const gone = named(call, message);
    await updateMessage(writer, message, { mentions: message.mentions.filter((each) => each !== gone) });
    return noContent();
  });

function named({ params }: MailCall, { mentions }: Message): Mention {
  const found = mentions.find(({ id }) => id === params.mention);
  if (!found) throw errors.ErrorItemNotFound();
  return found;
}

export const MENTION_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: 'messages/{message}/mentions',
    name: 'ListMentions',
    summary: 'The mentions in a message, newest first',
    needs: 'mailRead',
    isBeta: true,
    handle: listMentions,
  },
  {
    method: 'GET',
    path: 'messages/{message}/mentions/{mention}',
    name: 'GetMention',
    summary: 'One mention in a message',
    needs: 'mailRead',
    isBeta: true,
    handle: getMention,
  },
  {
    method: 'DELETE',
    path: 'messages/{message}/mentions/{mention}',
    name: 'DeleteMention',
    summary: 'Removes a mention from a message',
    needs: 'mailWrite',
    isBeta: true,
    handle: deleteMention,
  },
];
