import { readAll } from '../../../kernel/store/index.ts';
import { messageRules } from '../collections.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { copyMessage } from '../messages/copy.ts';
import type { Message } from '../messages/types.ts';
import { moveMessage, removeMessage, updateMessage } from '../messages/write.ts';
import { type RuleOutcome, rulesFor } from './evaluate.ts';

export interface Applied extends Pick<RuleOutcome, 'forwardTo' | 'forwardAsAttachmentTo' | 'redirectTo'> {
  /** The message after the rules; undefined if a rule removed it. */
  readonly message: Message | undefined;
}

/** Applies the rules of a mailbox to a message that arrived in the inbox. The caller sends the resulting mail to others. */
export async function applyRules(writer: MailboxWriter, message: Message): Promise<Applied> {
  if (writer.rules === 0) return { message, forwardTo: [], forwardAsAttachmentTo: [], redirectTo: [] };
  const rules = await readAll(writer.tx, messageRules, { prefix: writer.key('') });
  const outcome = rulesFor(
    message,
    rules.map(({ value }) => value),
    writer.mailbox.address,
  );
  const marked = await mark(writer, message, outcome);
  // A rule that names a deleted folder does not stop the other rules.
  for (const folder of outcome.copyTo) if (await writer.folder(folder)) await copyMessage(writer, marked, folder);
  const { forwardTo, forwardAsAttachmentTo, redirectTo } = outcome;
  return { message: await place(writer, marked, outcome), forwardTo, forwardAsAttachmentTo, redirectTo };
}

async function mark(
  writer: MailboxWriter,
  message: Message,
  { markAsRead, importance, categories }: RuleOutcome,
): Promise<Message> {
  if (!markAsRead && importance === undefined && categories.length === 0) return message;
  return updateMessage(writer, message, {
    ...(markAsRead && { isRead: true }),
    ...(importance && { importance }),
    ...(categories.length > 0 && { categories: [...new Set([...message.categories, ...categories])] }),
  });
}

async function place(writer: MailboxWriter, message: Message, { moveTo }: RuleOutcome): Promise<Message | undefined> {
  if (moveTo === undefined) return message;
  if (moveTo === 'gone') {
    await removeMessage(writer, message);
    return undefined;
  }
  const folder = moveTo === 'deletedItems' ? writer.mailbox.wellKnown.deleteditems : moveTo.folder;
  if (folder === message.folder || !(await writer.folder(folder))) return message;
  return moveMessage(writer, message, folder);
}
