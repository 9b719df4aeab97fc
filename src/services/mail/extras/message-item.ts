import { shownId } from '../api/show.ts';
import { attachmentsOf, searchedNames } from '../attachments/store.ts';
import { messages } from '../collections.ts';
import { itemKey } from '../mailbox/create.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { findMessage } from '../messages/find.ts';
import { withoutSource } from '../messages/source.ts';
import type { Message } from '../messages/types.ts';
import { updateMessage } from '../messages/write.ts';
import type { Item, ItemSource } from './item.ts';

/** Messages as items. */
export const MESSAGE_ITEMS: ItemSource = {
  kind: 'message',
  set: 'messages',
  needs: { read: 'mailRead', write: 'mailWrite' },
  find: async (call, reader) => messageItem((await findMessage(call, reader)).value),
  async load(reader, mailbox, uid) {
    const message = (await reader.get(messages, itemKey(mailbox.id, uid)))?.value;
    return message && messageItem(message);
  },
};

/** A draft from MIME is composed from its properties once its attachments change; a received or sent mail keeps its source. */
const messageItem = (message: Message): Item => ({
  kind: 'message',
  document: message,
  id: (call) => shownId(call, message),
  async change(writer, { attachedBytes = 0, ...changed }) {
    const size = Math.max(0, message.size + attachedBytes);
    const after = {
      ...changed,
      size,
      ...(changed.hasAttachments !== undefined && (await reattached(writer, message))),
    };
    return messageItem(await updateMessage(writer, message, after));
  },
});

async function reattached(writer: MailboxWriter, message: Message): Promise<Partial<Message>> {
  const attachmentNames = searchedNames(await attachmentsOf(writer.tx, writer.key(message.uid)));
  return { ...(await withoutSource(writer, message)), attachmentNames };
}
