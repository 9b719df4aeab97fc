import type { Answer } from '../../../kernel/http/index.ts';
import { presenter, refusing } from '../../../kernel/odata/index.ts';
import { eq, type Filter } from '../../../kernel/store/index.ts';
import type { MailCall } from '../api/request.ts';
import { codeOf, optionsOf, shownId } from '../api/show.ts';
import { messages } from '../collections.ts';
import { errors } from '../errors.ts';
import { folderNamed } from '../folders/find.ts';
import { itemKey } from '../mailbox/create.ts';
import { messageNavigations } from '../messages/navigations.ts';
import { NEWEST_FIRST } from '../messages/order.ts';
import { uncast } from '../messages/query.ts';
import { messageShape } from '../messages/shape.ts';
import type { Message } from '../messages/types.ts';
import { messageView } from '../messages/view.ts';
import type { Removal } from './collections.ts';
import { checkOptions, pageSizeOf, readChangeTypes, readReceivedFilter, readReceivedOrder } from './options.ts';
import { type DeltaSource, roundAnswer } from './round.ts';
import { asFirst, roundOf } from './token.ts';

const KIND = 'messages';
const DEFAULT_PAGE = 10;
/** Rows of a filtered first round. */
const MOST_FILTERED = 5000;

/** `mailFolders/{folder}/messages/delta` */
export async function messagesDelta(call: MailCall): Promise<Answer> {
  const { folder: key } = call.place;
  if (key === undefined)
    throw errors.ErrorInvalidRequest({
      reason: "Changes of messages are tracked folder by folder: 'mailFolders/{id}/messages/delta'.",
    });
  const folder = await folderNamed(call.jar.store, call.mailbox, key);
  const round = await roundOf(call, KIND, folder.uid);
  const asked = uncast(asFirst(call, round));
  checkOptions(asked, 'Messages', ['select', 'filter', 'orderby', 'expand', 'top', 'changetype']);
  const filter = await readReceivedFilter(asked);
  const isOrdered = await readReceivedOrder(asked);
  const source = messageSource(asked, folder.uid, filter, isOrdered);
  return refusing(() => roundAnswer(call, source, round, pageSizeOf(asked, DEFAULT_PAGE)), codeOf);
}

function messageSource(
  call: MailCall,
  folder: string,
  filter: Filter | undefined,
  isOrdered: boolean,
): DeltaSource<Message> {
  const set = {
    shape: messageShape,
    view: ({ value }: { readonly value: Message }) => ({ '@odata.type': TYPE, ...messageView(call, value) }),
    navigations: messageNavigations(call),
    always: ['id'],
  };
  return {
    kind: KIND,
    entity: 'message',
    collection: messages,
    where: eq('folder', folder),
    removed: eq('container', folder),
    changeTypes: readChangeTypes(call),
    async rows(items) {
      const show = presenter(call, set, optionsOf(call));
      const shown = await show(items.map((value) => ({ key: '', etag: '', value })));
      return shown.map((row) => [row]);
    },
    removedId: (removal) => removedId(call, removal),
    ...((filter || isOrdered) && {
      first: { filter, order: NEWEST_FIRST, ...(filter && { mostRows: MOST_FILTERED }) },
    }),
    ...(filter && { matches: (message: Message) => matches(filter, message) }),
  };
}

const TYPE = '#microsoft.graph.message';

function matches(filter: Filter, { receivedAt }: Message): boolean {
  if (filter.op === 'ge') return receivedAt >= Number(filter.value);
  return filter.op !== 'gt' || receivedAt > Number(filter.value);
}

/** A message that left and came back still has its immutable id, so its removal is not reported. */
async function removedId(
  call: MailCall,
  { mailbox, uid, generation, container }: Removal,
): Promise<string | undefined> {
  if (call.prefer.immutableIds) {
    const stored = await call.jar.store.get(messages, itemKey(mailbox, uid));
    if (stored?.value.folder === container) return undefined;
  }
  return shownId(call, { mailbox, uid, generation });
}
