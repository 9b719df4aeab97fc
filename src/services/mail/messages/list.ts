import { type Answer, ok } from '../../../kernel/http/index.ts';
import {
  compileFilter,
  type Node,
  type ODataSet,
  parseFilter,
  parseOrderBy,
  refusing,
} from '../../../kernel/odata/index.ts';
import { NEEDS } from '../access/scopes.ts';
import type { MailCall } from '../api/request.ts';
import { baseOf, codeOf, contextName, entityAnswer, optionsOf, pageAnswer } from '../api/show.ts';
import { messages } from '../collections.ts';
import { errors } from '../errors.ts';
import { folderContent, mailboxContent } from '../folders/content.ts';
import { folderNamed } from '../folders/find.ts';
import { searchMessages } from '../search/messages.ts';
import { castFilter, typeFilter } from './cast-filter.ts';
import { findMessage } from './find.ts';
import { messageNavigations } from './navigations.ts';
import { messageShape } from './shape.ts';
import type { Message } from './types.ts';
import { messageView } from './view.ts';

/** The messages of a mailbox or of one of its folders, newest first. */
export async function listMessages(call: MailCall): Promise<Answer> {
  const { set, isSearch } = await messageSet(call);
  if (isSearch) return searchMessages(call, set);
  const { filter, orderBy } = optionsOf(call);
  if (filter !== undefined && orderBy !== undefined) await refusing(() => checkOrder(filter, orderBy), codeOf);
  return pageAnswer(rewritten(call), set);
}

export async function getMessage(call: MailCall): Promise<Answer> {
  const stored = await findMessage(call);
  // Lists show meeting messages among all others; one by itself is no part of the basic permission.
  if (call.isBasic && stored.value.meeting)
    throw errors.ErrorAccessDenied__Scope({ wanted: NEEDS.mailRead.delegated.join(', ') });
  const { set } = await messageSet(call);
  return entityAnswer(call, set, stored);
}

/** `GET …/messages/$count`: a number as text. */
export async function countMessages(call: MailCall): Promise<Answer> {
  const { set } = await messageSet(call);
  const { filter } = optionsOf(rewritten(call));
  const asked =
    filter === undefined
      ? undefined
      : await refusing(() => compileFilter(messageShape, filter, call.receivedAt), codeOf);
  if (asked?.residual) throw errors.InefficientFilter();
  const filters = [set.filter, asked?.filter].filter((each) => each !== undefined);
  const count = await call.jar.store.count(messages, { filter: { op: 'and', args: filters } });
  return ok(String(count), { 'content-type': 'text/plain' });
}

async function messageSet(call: MailCall): Promise<{ readonly set: ODataSet<Message>; readonly isSearch: boolean }> {
  const { place, mailbox, jar } = call;
  const folder = place.folder === undefined ? undefined : await folderNamed(jar.store, mailbox, place.folder);
  const where = folder ? await folderContent(jar.store, folder, call.receivedAt) : mailboxContent(mailbox);
  const cast = typeFilter(place.type);
  const set: ODataSet<Message> = {
    shape: messageShape,
    name: contextName(
      call,
      place.folder === undefined ? 'messages' : `mailFolders('${encodeURIComponent(place.folder)}')/messages`,
    ),
    base: baseOf(call),
    filter: cast ? { op: 'and', args: [where, cast] } : where,
    order: [{ field: 'receivedAt', descending: true }],
    view: ({ value }) => messageView(call, value),
    navigations: messageNavigations(call),
    always: ['id'],
    codeOf,
  };
  return { set, isSearch: optionsOf(call).search !== undefined };
}

/** The call with a filter in which types in paths are conditions on properties. */
function rewritten(call: MailCall): MailCall {
  const query = Object.fromEntries(
    Object.entries(call.query).map(([name, value]) =>
      /^\$?filter$/i.test(name) && typeof value === 'string' ? [name, castFilter(value)] : [name, value],
    ),
  );
  return { ...call, query };
}

/** What a list is ordered by has to come first in its filter, in the same order. */
function checkOrder(filter: string, orderBy: string): void {
  const asked = [...new Set(pathsIn(parseFilter(castFilter(filter))))];
  for (const [at, { expression }] of parseOrderBy(orderBy).entries()) {
    const [path] = pathsIn(expression);
    if (path !== asked[at]) throw errors.InefficientFilter();
  }
}

function* pathsIn(node: Node): Generator<string> {
  switch (node.kind) {
    case 'path':
      yield node.segments.join('/').toLowerCase();
      break;
    case 'call':
    case 'junction':
      for (const each of node.args) yield* pathsIn(each);
      break;
    case 'binary':
      yield* pathsIn(node.left);
      yield* pathsIn(node.right);
      break;
    case 'unary':
      yield* pathsIn(node.operand);
      break;
    case 'in':
      yield* pathsIn(node.operand);
      break;
    case 'lambda':
      yield* pathsIn(node.collection);
      break;
    case 'literal':
      break;
  }
}
