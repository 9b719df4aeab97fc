import { type Answer, accepted } from '../../../kernel/http/index.ts';
import { flag, parameters } from '../api/fields.ts';
import type { MailCall } from '../api/request.ts';
import { mailboxes } from '../collections.ts';
import { errors } from '../errors.ts';
import { MOST_BLOCKED_SENDERS } from '../limits.ts';
import type { Mailbox, WellKnownFolder } from '../mailbox/types.ts';
import { changeMailbox, type MailboxWriter } from '../mailbox/writer.ts';
import { entity } from '../messages/change.ts';
import { findMessage } from '../messages/find.ts';
import { moveMessage } from '../messages/write.ts';

/** True if mail of the sender goes to the junk folder. */
export const isBlockedSender = ({ blockedSenders = [] }: Pick<Mailbox, 'blockedSenders'>, address: string): boolean =>
  blockedSenders.includes(address.toLowerCase());

/** Blocks the sender of a message. */
export function markAsJunk(call: MailCall): Promise<Answer> {
  const { moveToJunk = false } = parameters('markAsJunk', { moveToJunk: flag }, call.json());
  return marked(call, moveToJunk ? 'junkemail' : undefined, (senders, address) => {
    if (senders.length >= MOST_BLOCKED_SENDERS)
      throw errors.ErrorQuotaExceeded({ reason: `at most ${MOST_BLOCKED_SENDERS} senders can be blocked` });
    return [...senders, address];
  });
}

export function markAsNotJunk(call: MailCall): Promise<Answer> {
  const { moveToInbox = false } = parameters('markAsNotJunk', { moveToInbox: flag }, call.json());
  return marked(call, moveToInbox ? 'inbox' : undefined, (senders) => senders);
}

function marked(
  call: MailCall,
  folder: WellKnownFolder | undefined,
  change: (others: readonly string[], address: string) => readonly string[],
): Promise<Answer> {
  return changeMailbox(call.jar, call.mailbox, async (writer) => {
    const { value: message } = await findMessage(call, writer.tx);
    const sender = (message.from ?? message.sender)?.address.toLowerCase();
    if (sender)
      await changeBlocked(writer, (all) =>
        change(
          all.filter((each) => each !== sender),
          sender,
        ),
      );
    const target = folder && call.mailbox.wellKnown[folder];
    const isMoved = target !== undefined && target !== message.folder;
    return accepted({}, entity(call, isMoved ? await moveMessage(writer, message, target) : message));
  });
}

async function changeBlocked(
  { tx, mailbox }: MailboxWriter,
  change: (before: readonly string[]) => readonly string[],
): Promise<void> {
  const stored = (await tx.get(mailboxes, mailbox.id))?.value ?? mailbox;
  await tx.put(mailboxes, mailbox.id, { ...stored, blockedSenders: change(stored.blockedSenders ?? []) });
}
