import { allOf, deletionSteps, eq } from '../../../kernel/store/index.ts';
import { runInSteps, workHandler } from '../../../kernel/work/index.ts';
import { mailboxes, messages } from '../collections.ts';
import { removals } from '../delta/collections.ts';
import type { MailJar } from '../jar.ts';
import { changeMailbox, type MailboxWriter } from '../mailbox/writer.ts';
import { removeMessage } from '../messages/write.ts';
import { removeFolder } from './place.ts';
import { subtreeOf } from './tree.ts';
import type { Folder } from './types.ts';
import { PURGE_FOLDER } from './work.ts';

/** Messages, with their attachments, that one transaction removes. */
const SLICE = 100;

/**
 * Removes a folder with its content. The folders are removed at once. Their messages can be many, so due work removes them; until then the
 * mailbox lists the folders as `purging`, and reads exclude their messages.
 */
export async function purgeTree(writer: MailboxWriter, folder: Folder): Promise<void> {
  const tree = await subtreeOf(writer.tx, folder);
  // Children first, so that every parent exists when its count changes.
  for (const each of tree.toReversed()) await removeFolder(writer, each);
  const filled = tree.filter(({ total }) => total > 0).map(({ uid }) => uid);
  if (filled.length === 0) return;
  await changePurging(writer, (before) => [...new Set([...before, ...filled])]);
  for (const uid of filled) {
    const id = `mail.purge-folder:${writer.key(uid)}`;
    await writer.tx.schedule(PURGE_FOLDER.at(writer.now, { mailbox: writer.mailbox.id, folder: uid }, id));
  }
}

async function changePurging(
  { tx, mailbox }: Pick<MailboxWriter, 'tx' | 'mailbox'>,
  change: (before: readonly string[]) => readonly string[],
): Promise<void> {
  const stored = (await tx.get(mailboxes, mailbox.id))?.value;
  if (stored) await tx.put(mailboxes, mailbox.id, { ...stored, purging: change(stored.purging ?? []) });
}

export const purgeFolder = workHandler(PURGE_FOLDER, async (item, jar: MailJar, halt) => {
  const { folder } = item.payload;
  const mailbox = (await jar.store.get(mailboxes, item.payload.mailbox))?.value;
  if (!mailbox) return;
  const removeMessages = (): Promise<boolean> =>
    changeMailbox(jar, mailbox, async (writer) => {
      const { items } = await writer.tx.query(messages, { filter: eq('folder', folder), limit: SLICE });
      for (const { value } of items) await removeMessage(writer, value);
      return items.length === SLICE;
    });
  // Delta cannot be requested for a removed folder, so its records are not needed.
  const filter = allOf(eq('mailbox', mailbox.id), eq('container', folder));
  const forget = (): Promise<boolean> =>
    changeMailbox(jar, mailbox, async (writer) => {
      await changePurging(writer, (before) => before.filter((uid) => uid !== folder));
      return false;
    });
  await runInSteps(item, jar, halt, [removeMessages, deletionSteps(jar.store, removals, { filter }), forget]);
});
