import { type Answer, ok } from '../../../kernel/http/index.ts';
import { compileFilter, Evaluator, type Navigation, type ODataSet, refusing } from '../../../kernel/odata/index.ts';
import { readAll } from '../../../kernel/store/index.ts';
import { isObject } from '../../../kernel/values/index.ts';
import type { MailCall } from '../api/request.ts';
import { baseOf, codeOf, contextName, entityAnswer, optionsOf, pageAnswer } from '../api/show.ts';
import { attachments } from '../collections.ts';
import { type Item, type ItemSource, itemName, keyOfItem } from '../extras/item.ts';
import { Contents } from './contents.ts';
import { findAttachment } from './find.ts';
import { MOST_ATTACHMENTS } from './limits.ts';
import { itemNavigation } from './navigations.ts';
import { attachmentShape, withoutCasts } from './shape.ts';
import type { Attachment } from './types.ts';
import { attachmentView } from './view.ts';

/** Reads of attachments, as lists and one by one. */

/** One page has all attachments, unless a client asks for fewer. */
const PAGE = { size: MOST_ATTACHMENTS, most: 1000, top: 'page' } as const;

/** Placeholder for the bytes of a file, until it is known if the answer shows them. */
class Unread {
  readonly attachment: Attachment;

  constructor(attachment: Attachment) {
    this.attachment = attachment;
  }
}

export const listAttachments =
  (source: ItemSource) =>
  async (call: MailCall): Promise<Answer> => {
    const item = await source.find(call);
    const contents = new Contents(call.jar.store, call.mailbox);
    const answer = await pageAnswer(plain(call), setOf(call, source, item, contents), PAGE);
    if (isObject(answer.body) && Array.isArray(answer.body.value))
      for (const row of answer.body.value) await fill(contents, row);
    return answer;
  };

export const getOneAttachment =
  (source: ItemSource) =>
  async (call: MailCall): Promise<Answer> => {
    const item = await source.find(call);
    const stored = await findAttachment(call, item);
    const contents = new Contents(call.jar.store, call.mailbox);
    const answer = await entityAnswer(plain(call), setOf(call, source, item, contents), stored);
    await fill(contents, answer.body);
    return answer;
  };

/** `GET …/attachments/$count`: the number as plain text. */
export const countAttachments =
  (source: ItemSource) =>
  async (call: MailCall): Promise<Answer> => {
    const prefix = `${keyOfItem(await source.find(call))}/`;
    const { filter: written } = optionsOf(call);
    const asked =
      written === undefined
        ? undefined
        : await refusing(() => compileFilter(attachmentShape, written, call.receivedAt), codeOf);
    const filter = asked?.filter;
    const residual = asked?.residual;
    const found = await readAll(call.jar.store, attachments, { prefix, ...(filter && { filter }) });
    const evaluator = new Evaluator(attachments);
    const count = found.filter(({ value }) => !residual || evaluator.matches(residual, value)).length;
    return ok(String(count), { 'content-type': 'text/plain' });
  };

function setOf(call: MailCall, source: ItemSource, item: Item, contents: Contents): ODataSet<Attachment> {
  return {
    shape: attachmentShape,
    name: contextName(call, `${itemName(source, call, item)}/attachments`),
    base: baseOf(call),
    prefix: `${keyOfItem(item)}/`,
    order: [{ field: 'position' }],
    view: ({ value }) => attachmentView(call.mailbox.id, value, new Unread(value)),
    navigations: [itemNavigation(call, contents) as Navigation<Attachment, unknown>],
    always: ['id'],
    codeOf,
  };
}

/** Replaces the placeholder by the bytes, if the answer shows them. */
async function fill(contents: Contents, row: unknown): Promise<void> {
  if (isObject(row) && row.contentBytes instanceof Unread)
    row.contentBytes = await contents.text(row.contentBytes.attachment);
}

function plain(call: MailCall): MailCall {
  const query = Object.fromEntries(
    Object.entries(call.query).map(([name, value]) =>
      /^\$?select$/i.test(name) && typeof value === 'string' ? [name, withoutCasts(value)] : [name, value],
    ),
  );
  return { ...call, query };
}
