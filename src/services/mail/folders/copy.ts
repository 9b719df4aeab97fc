import { type Answer, ok } from '../../../kernel/http/index.ts';
import { allOf, eq, type Position } from '../../../kernel/store/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import type { MailCall } from '../api/request.ts';
import { mailboxes, messages } from '../collections.ts';
import type { MailJar } from '../jar.ts';
import { changeMailbox, type MailboxWriter, writingMailbox } from '../mailbox/writer.ts';
import { readDestination } from '../messages/change.ts';
import { copyMessage } from '../messages/copy.ts';
import { entityOf } from './answer.ts';
import { folderNamed } from './find.ts';
import { checkDestination, checkName, checkRoom, putNewFolder } from './place.ts';
import type { Folder } from './types.ts';
import { COPY_MESSAGES, type CopyPayload } from './work.ts';

/** Bounds of one transaction, so that other writers do not wait long. */
const SLICE_MESSAGES = 50;
const SLICE_BYTES = 16 * 1024 * 1024;

/** Copies a folder with all folders in it. The first messages are copied in the same transaction, the others by due work. */
export async function copyFolderTo(call: MailCall): Promise<Answer> {
  const destination = readDestination(call, 'copy');
  const folder = await changeMailbox(call.jar, call.mailbox, async (writer) => {
    const found = await folderNamed(writer.tx, call.mailbox, call.params.folder ?? '');
    const parent = await folderNamed(writer.tx, call.mailbox, destination);
    const tree = (await checkDestination(writer, found, parent)).flat();
    await checkName(writer, parent, found.displayName);
    await checkRoom(writer, tree.length, tree.filter(({ search }) => search).length);
    return copyTree(writer, tree, parent);
  });
  return ok(await entityOf(call, folder));
}

async function copyTree(writer: MailboxWriter, tree: readonly Folder[], parent: Folder): Promise<Folder> {
  const copies = new Map<string, Folder>();
  for (const folder of tree) {
    const above = copies.get(folder.parent ?? '') ?? parent;
    const { displayName, isHidden, search } = folder;
    copies.set(folder.uid, await putNewFolder(writer, above, { displayName, isHidden, ...(search && { search }) }));
  }
  const upTo = writer.state.number;
  let left = SLICE_MESSAGES;
  for (const { uid, mailbox, total } of tree) {
    const to = copies.get(uid)?.uid;
    if (total === 0 || to === undefined) continue;
    const beginning: CopyPayload = { mailbox, folder: uid, to, upTo, after: [Number.MIN_SAFE_INTEGER, ''] };
    const next = left > 0 ? await copySlice(writer, beginning) : beginning;
    left -= total;
    if (next) await writer.tx.schedule(COPY_MESSAGES.at(writer.now, next));
  }
  const [first] = tree;
  const copy = first && copies.get(first.uid);
  // Read again for the counts of the copied messages.
  return (copy && (await writer.folder(copy.uid))) ?? parent;
}

/** Copies one slice of messages. Returns the payload for the remaining ones, or undefined at the end. */
async function copySlice(writer: MailboxWriter, payload: CopyPayload): Promise<CopyPayload | undefined> {
  const { folder, to, upTo } = payload;
  // Either folder may have been deleted meanwhile.
  if (!(await writer.folder(folder)) || !(await writer.folder(to))) return undefined;
  const order = [{ field: 'receivedAt' }];
  const after: Position = payload.after;
  const filter = allOf(eq('folder', folder));
  const page = await writer.tx.query(messages, { filter, order, after, limit: SLICE_MESSAGES });
  let bytes = 0;
  for (const { key, value } of page.items) {
    if (value.createdNumber <= upTo) {
      await copyMessage(writer, value, to);
      bytes += value.size;
    }
    if (bytes > SLICE_BYTES) return { ...payload, after: [value.receivedAt, key] };
  }
  const last = page.items.at(-1);
  return page.next && last ? { ...payload, after: [last.value.receivedAt, last.key] } : undefined;
}

/** Each slice is a work item that completes in the transaction of the copy, so no message is copied twice. */
export const copyMessages = workHandler(COPY_MESSAGES, async (item, jar: MailJar) => {
  const mailbox = (await jar.store.get(mailboxes, item.payload.mailbox))?.value;
  if (!mailbox) return;
  await jar.store.transact((tx) =>
    writingMailbox(tx, jar, mailbox, async (writer) => {
      const next = await copySlice(writer, item.payload);
      await tx.complete(item);
      if (next) await tx.schedule(COPY_MESSAGES.at(writer.now, next));
    }),
  );
});
