import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { allOf, atMost, deleteAll, eq } from '../../../kernel/store/index.ts';
import { mailboxStates, messages, receivedMails } from '../collections.ts';
import { type MailJar, routeCode } from '../jar.ts';
import type { Mailbox } from '../mailbox/types.ts';
import { changeMailbox } from '../mailbox/writer.ts';
import { removeMessage } from '../messages/write.ts';
import { mailboxNamed } from './find.ts';

/** Messages, with their attachments, that one transaction removes. */
const SLICE = 100;

/** Permanently removes every message of a mailbox, in all folders. Folders and the calendar stay. */
export const emptyMailbox = routeCode(['user'], {
  responses: { 200: Type.Object({ removed: Type.Integer() }) },
  async handle({ jar, params }) {
    const mailbox = await mailboxNamed(jar, params.user);
    const removed = await removeMessages(jar, mailbox);
    // Forgets received mails, so that a removed mail can be received again.
    await deleteAll(jar.store, receivedMails, { prefix: `${mailbox.id}/` });
    return ok({ removed });
  },
});

async function removeMessages(jar: MailJar, mailbox: Mailbox): Promise<number> {
  // Messages that arrive or change meanwhile are kept; otherwise the removal might never end.
  const last = (await jar.store.get(mailboxStates, mailbox.id))?.value.number ?? 0;
  const filter = allOf(eq('mailbox', mailbox.id), atMost('number', last));
  let removed = 0;
  for (;;) {
    const found = await changeMailbox(jar, mailbox, async (writer) => {
      const { items } = await writer.tx.query(messages, { filter, limit: SLICE });
      for (const { value } of items) await removeMessage(writer, value);
      return items.length;
    });
    removed += found;
    if (found < SLICE) return removed;
  }
}
