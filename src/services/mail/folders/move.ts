import { type Answer, noContent, ok } from '../../../kernel/http/index.ts';
import type { MailCall } from '../api/request.ts';
import { errors } from '../errors.ts';
import { changeMailbox } from '../mailbox/writer.ts';
import { readDestination } from '../messages/change.ts';
import { entityOf } from './answer.ts';
import { folderNamed } from './find.ts';
import { checkDestination, checkName, moveFolder, removeFolder } from './place.ts';
import { purgeTree } from './purge.ts';
import { ancestorsOf, freeName } from './tree.ts';
import type { Folder } from './types.ts';

/** Moves a folder with its content. Messages refer to their folder by uid, so none of them is written. */

export async function moveFolderTo(call: MailCall): Promise<Answer> {
  const destination = readDestination(call, 'move');
  const folder = await changeMailbox(call.jar, call.mailbox, async (writer) => {
    const found = await folderNamed(writer.tx, call.mailbox, call.params.folder ?? '');
    if (found.wellKnown !== undefined) throw errors.ErrorMoveDistinguishedFolder({ name: found.displayName });
    const parent = await folderNamed(writer.tx, call.mailbox, destination);
    await checkDestination(writer, found, parent);
    await checkName(writer, parent, found.displayName, found);
    return moveFolder(writer, found, parent);
  });
  return ok(await entityOf(call, folder));
}

/**
 * The first deletion moves a folder to the deleted items; deleting it there removes it. A search folder is removed at once, since it has no
 * content of its own.
 */
export const deleteFolder = (call: MailCall): Promise<Answer> =>
  changeMailbox(call.jar, call.mailbox, async (writer) => {
    const folder = await folderNamed(writer.tx, call.mailbox, call.params.folder ?? '');
    checkDeletable(folder);
    const { deleteditems, recoverableitemsdeletions } = call.mailbox.wellKnown;
    const deleted = await writer.folder(deleteditems);
    const above = await ancestorsOf(writer.tx, folder);
    const isDeleted = above.some(({ uid }) => uid === deleteditems || uid === recoverableitemsdeletions);
    if (folder.search) await removeFolder(writer, folder);
    else if (isDeleted || !deleted) await purgeTree(writer, folder);
    else await moveFolder(writer, folder, deleted, await freeName(writer.tx, deleteditems, folder.displayName));
    return noContent();
  });

export const permanentlyDeleteFolder = (call: MailCall): Promise<Answer> =>
  changeMailbox(call.jar, call.mailbox, async (writer) => {
    const folder = await folderNamed(writer.tx, call.mailbox, call.params.folder ?? '');
    checkDeletable(folder);
    await purgeTree(writer, folder);
    return noContent();
  });

function checkDeletable({ wellKnown, displayName }: Folder): void {
  if (wellKnown !== undefined) throw errors.ErrorDeleteDistinguishedFolder({ name: displayName });
}
