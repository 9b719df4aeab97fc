import { type Answer, accepted } from '../../../kernel/http/index.ts';
import { allOf, atMost, eq } from '../../../kernel/store/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import { flag, mistake, parameters } from '../api/fields.ts';
import type { MailCall } from '../api/request.ts';
import { mailboxes, messages } from '../collections.ts';
import type { MailJar } from '../jar.ts';
import { changeMailbox, type MailboxWriter, writingMailbox } from '../mailbox/writer.ts';
import { updateMessage } from '../messages/write.ts';
import { folderContent } from './content.ts';
import { folderNamed } from './find.ts';
import { MARK_MESSAGES, type ReadStatePayload } from './work.ts';

/** Messages that one transaction marks. */
const SLICE = 200;

const PARAMETERS = { isRead: flag, suppressReadReceipts: flag };

/** Marks all messages of a folder as read or unread: the first ones before the response, the others by due work. */
export function updateAllMessagesReadState(call: MailCall): Promise<Answer> {
  const { isRead } = parameters('updateAllMessagesReadState', PARAMETERS, call.json());
  if (isRead === undefined) throw mistake('isRead', 'it is required');
  return changeMailbox(call.jar, call.mailbox, async (writer) => {
    const folder = await folderNamed(writer.tx, call.mailbox, call.params.folder ?? '');
    await markSlice(writer, { mailbox: call.mailbox.id, folder: folder.uid, isRead, upTo: writer.state.number });
    return accepted();
  });
}

async function markSlice(writer: MailboxWriter, payload: ReadStatePayload): Promise<void> {
  const folder = await writer.folder(payload.folder);
  if (!folder) return;
  const content = await folderContent(writer.tx, folder, writer.now);
  const filter = allOf(content, eq('isRead', !payload.isRead), atMost('number', payload.upTo));
  const { items, next } = await writer.tx.query(messages, { filter, limit: SLICE });
  for (const { value } of items) await updateMessage(writer, value, { isRead: payload.isRead });
  if (next) await writer.tx.schedule(MARK_MESSAGES.at(writer.now, payload));
}

export const markMessages = workHandler(MARK_MESSAGES, async (item, jar: MailJar) => {
  const mailbox = (await jar.store.get(mailboxes, item.payload.mailbox))?.value;
  if (!mailbox) return;
  await jar.store.transact((tx) =>
    writingMailbox(tx, jar, mailbox, async (writer) => {
      await markSlice(writer, item.payload);
      await tx.complete(item);
    }),
  );
});
