import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { entityShape, listAnswer, listOf, listQuery } from '../../../kernel/odata/index.ts';
import { allOf, eq, type Filter } from '../../../kernel/store/index.ts';
import { attachmentsOf } from '../attachments/store.ts';
import { messages } from '../collections.ts';
import { mailboxContent } from '../folders/content.ts';
import type { Folder } from '../folders/types.ts';
import { routeCode } from '../jar.ts';
import type { Mailbox } from '../mailbox/types.ts';
import { lightPages } from '../messages/light-pages.ts';
import { NEWEST_FIRST } from '../messages/order.ts';
import { MEETING_MESSAGE_TYPES, type Message } from '../messages/types.ts';
import { foldersNamed, foldersOf, mailboxNamed, messageNamed } from './find.ts';
import { detailsView, MessageDetails, MessageSummary, summaryView } from './message-view.ts';

/** A message with the name of its folder. */
interface Seen extends Message {
  readonly folderName: string;
}

const Text = { type: 'Edm.String' } as const;
const Flag = { type: 'Edm.Boolean' } as const;

const shape = entityShape<Message>({
  name: 'messages',
  collection: messages,
  properties: {
    id: { ...Text, read: ({ uid }: Message) => uid },
    messageId: { ...Text, field: 'internetMessageId' },
    subject: { ...Text, field: 'subject', ignoreCase: true },
    from: { ...Text, field: 'fromAddress', ignoreCase: true },
    fromName: { ...Text, field: 'fromName', ignoreCase: true },
    to: { ...Text, collection: true, read: ({ to }: Message) => to.map(({ address }) => address) },
    cc: { ...Text, collection: true, read: ({ cc }: Message) => cc.map(({ address }) => address) },
    receivedAt: { type: 'Edm.DateTimeOffset', field: 'receivedAt' },
    folder: { ...Text, read: ({ folderName }: Seen) => folderName },
    isRead: { ...Flag, field: 'isRead' },
    isDraft: { ...Flag, field: 'isDraft' },
    hasAttachments: { ...Flag, field: 'hasAttachments' },
    size: { type: 'Edm.Int64', field: 'size' },
    meetingMessageType: { type: { members: MEETING_MESSAGE_TYPES }, field: 'meetingMessageType' },
  },
  scan: 'bounded',
});

const own = {
  folder: Type.Optional(Type.String({ description: 'Only messages in this folder: its well-known or display name' })),
  received: Type.Optional(
    Type.Boolean({ description: 'Only received messages: no drafts, sent messages, or permanently deleted ones' }),
  ),
};

export const listMessages = routeCode(['user'], {
  query: listQuery(shape, own),
  responses: { 200: listOf(MessageSummary) },
  async handle(call) {
    const mailbox = await mailboxNamed(call.jar, call.params.user);
    const folders = await foldersOf(call.jar, mailbox);
    const nameOf = ({ folder }: Message): string => folders.get(folder)?.displayName ?? '';
    const { jar, query, path, receivedAt, origin, url } = call;
    const store = lightPages(jar.store);
    return listAnswer(
      { jar: { ...jar, store }, query, path, receivedAt, origin, url },
      {
        shape,
        filter: contentFilter(mailbox, folders, call.query),
        order: NEWEST_FIRST,
        seen: ({ value }) => ({ ...value, folderName: nameOf(value) }),
        view: ({ value }) => summaryView(value, nameOf(value)),
      },
    );
  },
});

/** Folders of messages that were not sent to the mailbox. */
const OUTGOING = ['drafts', 'outbox', 'sentitems', 'recoverableitemsdeletions'] as const;

export function contentFilter(
  mailbox: Mailbox,
  folders: ReadonlyMap<string, Folder>,
  { folder, received }: { readonly folder?: string; readonly received?: boolean },
): Filter | undefined {
  const values = folder === undefined ? undefined : foldersNamed(mailbox, folders, folder).map(({ uid }) => uid);
  const outgoing = OUTGOING.map((name) => mailbox.wellKnown[name]);
  return allOf(
    mailboxContent(mailbox),
    ...(values ? [{ op: 'in', field: 'folder', values } as const] : []),
    ...(received === true
      ? [eq('isDraft', false), { op: 'not', arg: { op: 'in', field: 'folder', values: outgoing } } as const]
      : []),
  );
}

export const getMessage = routeCode(['user', 'message'], {
  responses: { 200: MessageDetails },
  async handle({ jar, params }) {
    const mailbox = await mailboxNamed(jar, params.user);
    const { key, value } = await messageNamed(jar, mailbox, params.message);
    const folder = (await foldersOf(jar, mailbox)).get(value.folder)?.displayName ?? '';
    return ok(detailsView(value, folder, await attachmentsOf(jar.store, key)));
  },
});
