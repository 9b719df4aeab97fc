import { type Answer, ok } from '../../../kernel/http/index.ts';
import { compileFilter, type ODataSet, refusing } from '../../../kernel/odata/index.ts';
import { NEEDS } from '../access/scopes.ts';
import type { MailCall } from '../api/request.ts';
import { baseOf, codeOf, contextName, entityAnswer, optionsOf, pageAnswer } from '../api/show.ts';
import { messages } from '../collections.ts';
import { errors } from '../errors.ts';
import { folderContent, mailboxContent } from '../folders/content.ts';
import { folderNamed } from '../folders/find.ts';
import { searchMessages } from '../search/messages.ts';
import { typeFilter } from './cast-filter.ts';
import { findMessage } from './find.ts';
import { messageNavigations } from './navigations.ts';
import { NEWEST_FIRST } from './order.ts';
import { checkOrder, uncast } from './query.ts';
import { messageShape } from './shape.ts';
import type { Message } from './types.ts';
import { messageView } from './view.ts';

/** Lists the messages of a mailbox or of one of its folders, newest first. */
export async function listMessages(sent: MailCall): Promise<Answer> {
  const call = uncast(sent);
  const set = await messageSet(call);
  if (optionsOf(call).search !== undefined) return searchMessages(call, set);
  await checkOrder(call);
  return pageAnswer(call, set);
}

export async function getMessage(sent: MailCall): Promise<Answer> {
  const call = uncast(sent);
  const stored = await findMessage(call);
  // Lists include meeting messages, but the basic permission does not allow reading a single one.
  if (call.isBasic && stored.value.meeting)
    throw errors.ErrorAccessDenied__Scope({ wanted: NEEDS.mailRead.delegated.join(', ') });
  return entityAnswer(call, await messageSet(call), stored);
}

/** `GET …/messages/$count`: the number as plain text. */
export async function countMessages(sent: MailCall): Promise<Answer> {
  const call = uncast(sent);
  const set = await messageSet(call);
  await checkOrder(call);
  const { filter } = optionsOf(call);
  const asked =
    filter === undefined
      ? undefined
      : await refusing(() => compileFilter(messageShape, filter, call.receivedAt), codeOf);
  if (asked?.residual) throw errors.InefficientFilter();
  const filters = [set.filter, asked?.filter].filter((each) => each !== undefined);
  const count = await call.jar.store.count(messages, { filter: { op: 'and', args: filters } });
  return ok(String(count), { 'content-type': 'text/plain' });
}

async function messageSet(call: MailCall): Promise<ODataSet<Message>> {
  const { place, mailbox, jar } = call;
  const folder = place.folder === undefined ? undefined : await folderNamed(jar.store, mailbox, place.folder);
  const where = folder ? await folderContent(jar.store, folder, call.receivedAt) : mailboxContent(mailbox);
  const cast = typeFilter(place.type);
  return {
    shape: messageShape,
    name: contextName(
      call,
      place.folder === undefined ? 'messages' : `mailFolders('${encodeURIComponent(place.folder)}')/messages`,
    ),
    base: baseOf(call),
    filter: cast ? { op: 'and', args: [where, cast] } : where,
    order: NEWEST_FIRST,
    view: ({ value }) => messageView(call, value),
    navigations: messageNavigations(call),
    always: ['id'],
    codeOf,
  };
}
