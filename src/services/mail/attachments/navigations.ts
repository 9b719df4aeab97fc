import { type ExpandOptions, listShape, type Navigation, ownedBy } from '../../../kernel/odata/index.ts';
import { readable } from '../access/basic.ts';
import type { MailCall } from '../api/request.ts';
import { attachments } from '../collections.ts';
import type { ItemDocument } from '../extras/item-document.ts';
import { itemKey } from '../mailbox/create.ts';
import { Contents } from './contents.ts';
import { attachmentShape } from './shape.ts';
import { inOrder } from './store.ts';
import type { Attachment, ItemContent, NestedAttachment } from './types.ts';
import { attachmentView, itemView, nestedView } from './view.ts';

/** `$expand=attachments` of messages and events. */
export function attachmentsNavigation(call: MailCall): Navigation<ItemDocument, Attachment> {
  const { store } = call.jar;
  const contents = new Contents(store, call.mailbox);
  const texts = new Map<Attachment, string>();
  const loadOwned = ownedBy(store, attachments, 'owner', ({ mailbox, uid }: ItemDocument) => itemKey(mailbox, uid));
  return {
    name: 'attachments',
    many: true,
    shape: attachmentShape,
    accept: (options) => plainNames(readable(call, options)),
    async load(parents, options) {
      const all = (await loadOwned(parents, options)).map(inOrder);
      if (showsContent(options))
        for (const each of all.flat()) if (each.kind === 'file') texts.set(each, await contents.text(each));
      return all;
    },
    view: (attachment) => attachmentView(call.mailbox.id, attachment, texts.get(attachment)),
    navigations: () => [itemNavigation(call, contents) as Navigation<Attachment, unknown>],
    always: ['id'],
  };
}

const showsContent = ({ select }: ExpandOptions): boolean =>
  select === undefined || select.some(({ segments }) => /^(\*|contentBytes)$/i.test(segments[0] ?? ''));

/** Removes type prefixes from properties: `microsoft.graph.fileAttachment/contentId`. */
const plainNames = ({ select, ...rest }: ExpandOptions): ExpandOptions => ({
  ...rest,
  ...(select && {
    select: select.map(({ segments, at }) => ({ segments: segments.filter((each) => !each.includes('.')), at })),
  }),
});

const itemShape = listShape<ItemContent>('outlookItem', {});
const nestedShape = listShape<NestedAttachment>('attachment', {
  name: { type: 'Edm.String', read: (it: NestedAttachment) => it.attachment.name },
});

/** `$expand=microsoft.graph.itemAttachment/item`. The item always includes its own attachments. */
export function itemNavigation(call: MailCall, contents: Contents): Navigation<Attachment, ItemContent> {
  const attached: Navigation<ItemContent, NestedAttachment> = {
    name: 'attachments',
    many: true,
    shape: nestedShape,
    load: (parents) => Promise.resolve(parents.map(({ attachments }) => attachments)),
    view: (nested) => nestedView(call, nested, 1),
    // Already shown with the attachment.
    navigations: () => [nestedItem as Navigation<NestedAttachment, unknown>],
  };
  const nestedItem: Navigation<NestedAttachment, ItemContent> = {
    name: 'item',
    many: false,
    shape: itemShape,
    appliesTo: ({ attachment }) => attachment.kind === 'item',
    load: (parents) => Promise.resolve(parents.map(({ content }) => (content ? [content] : []))),
    view: (content) => itemView(call, content),
    navigations: () => [attached as Navigation<ItemContent, unknown>],
  };
  return {
    name: 'item',
    many: false,
    shape: itemShape,
    appliesTo: ({ kind }) => kind === 'item',
    async load(parents) {
      const all: ItemContent[][] = [];
      for (const each of parents) {
        const content = each.kind === 'item' ? await contents.item(each) : undefined;
        all.push(content ? [content] : []);
      }
      return all;
    },
    view: (content) => itemView(call, content),
    navigations: () => [attached as Navigation<ItemContent, unknown>],
  };
}
