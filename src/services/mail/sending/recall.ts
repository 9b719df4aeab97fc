import { type Answer, accepted } from '../../../kernel/http/index.ts';
import type { MailCall } from '../api/request.ts';
import { mailboxes, messages } from '../collections.ts';
import { errors } from '../errors.ts';
import { mailboxOf } from '../intake/recipients.ts';
import { type MailboxWriter, writingMailbox } from '../mailbox/writer.ts';
import { findMessage } from '../messages/find.ts';
import type { Message } from '../messages/types.ts';
import { removeMessage } from '../messages/write.ts';
import { recipientsOf } from './send.ts';

/**
 * Removes a sent message from mailboxes of the sender's tenant in which it is unread. Copies that were read, or are in other mailboxes,
 * stay.
 */
export async function recallMessage(call: MailCall): Promise<Answer> {
  const { jar, mailbox } = call;
  const { value: sent } = await findMessage(call);
  if (sent.isDraft || sent.folder !== mailbox.wellKnown.sentitems)
    throw errors.ErrorInvalidRequest({ reason: 'Only a message in the sent items can be recalled.' });
  const targets = await Promise.all(recipientsOf(sent).map((address) => mailboxOf(jar, address)));
  const ids = [...new Set(targets.filter((each) => each?.tenantId === mailbox.tenantId).map((each) => each?.id ?? ''))];
  await jar.store.transact(async (tx) => {
    for (const id of ids.sort()) {
      const target = (await tx.get(mailboxes, id))?.value;
      if (target) await writingMailbox(tx, jar, target, (writer) => withdraw(writer, sent));
    }
  });
  return accepted(
    { 'content-type': 'application/json' },
    { value: 'The recall was begun. Messages that were read are not recalled.' },
  );
}

async function withdraw(writer: MailboxWriter, { internetMessageId, mailbox }: Message): Promise<void> {
  const { items } = await writer.tx.query(messages, {
    filter: {
      op: 'and',
      args: [
        { op: 'eq', field: 'mailbox', value: writer.mailbox.id },
        { op: 'eq', field: 'internetMessageId', value: internetMessageId },
        { op: 'eq', field: 'isRead', value: false },
        { op: 'eq', field: 'isDraft', value: false },
      ],
    },
    limit: 10,
  });
  // Keeps the sender's own copy in the sent items.
  for (const { value } of items) {
    if (writer.mailbox.id === mailbox && value.folder === writer.mailbox.wellKnown.sentitems) continue;
    await removeMessage(writer, value);
  }
}
