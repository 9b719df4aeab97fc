import { etag } from '../../../kernel/ids/index.ts';
import { eq } from '../../../kernel/store/index.ts';
import { folders } from '../collections.ts';
import { errors } from '../errors.ts';
import { DEEPEST_FOLDER, MOST_FOLDERS, MOST_SEARCH_FOLDERS } from '../limits.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { ancestorsOf, childNamed, levelsOf } from './tree.ts';
import type { Folder } from './types.ts';

/** Adds, moves and removes folders in the tree. The writer updates the counts of the folders around them. */

type Given = Pick<Folder, 'displayName' | 'isHidden' | 'search'>;

export async function addFolder(writer: MailboxWriter, parent: Folder, given: Given): Promise<Folder> {
  await checkRoom(writer, 1, given.search ? 1 : 0);
  await checkDepth(writer, parent, 1);
  await checkName(writer, parent, given.displayName);
  return putNewFolder(writer, parent, given);
}

/** Without checks: the caller has checked the place of the tree that the folder belongs to. */
export async function putNewFolder(writer: MailboxWriter, parent: Folder, given: Given): Promise<Folder> {
  const number = writer.nextNumber();
  const folder: Folder = {
    uid: etag(),
    mailbox: writer.mailbox.id,
    displayName: given.displayName,
    parent: parent.uid,
    isHidden: given.isHidden,
    total: 0,
    unread: 0,
    children: 0,
    number,
    createdNumber: number,
    ...(given.search && { search: given.search }),
  };
  writer.putFolder(folder);
  await writer.count(parent.uid, { children: shownIn(parent, folder) });
  writer.note(changeOf(folder, 'created', number));
  return folder;
}

/** Changes the parent, the name, or both. */
export async function moveFolder(
  writer: MailboxWriter,
  folder: Folder,
  parent: Folder,
  displayName = folder.displayName,
): Promise<Folder> {
  const before = folder.parent === undefined ? undefined : await writer.folder(folder.parent);
  if (before && before.uid !== parent.uid) {
    await writer.count(before.uid, { children: -shownIn(before, folder) });
    await writer.count(parent.uid, { children: shownIn(parent, folder) });
  }
  return updateFolder(writer, folder, { displayName, parent: parent.uid });
}

export async function updateFolder(writer: MailboxWriter, folder: Folder, changed: Partial<Folder>): Promise<Folder> {
  const current = (await writer.folder(folder.uid)) ?? folder;
  const updated: Folder = { ...current, ...changed };
  writer.putFolder(updated);
  writer.note(changeOf(updated, 'updated', writer.nextNumber()));
  return updated;
}

/** Removes the document of a folder. The caller handles its messages and subfolders. */
export async function removeFolder(writer: MailboxWriter, folder: Folder): Promise<void> {
  const { uid, createdNumber } = folder;
  const parent = folder.parent === undefined ? undefined : await writer.folder(folder.parent);
  if (parent) await writer.count(parent.uid, { children: -shownIn(parent, folder) });
  const number = writer.nextNumber();
  await writer.removed({ container: 'folders', uid, generation: 0, number, createdNumber });
  await writer.deleteFolder(folder);
  writer.note(changeOf(folder, 'deleted', number));
}

/** `childFolderCount` does not count hidden folders, unless the parent is hidden too. */
const shownIn = (parent: Folder, child: Folder): number => (child.isHidden && !parent.isHidden ? 0 : 1);

const changeOf = (folder: Folder, change: 'created' | 'updated' | 'deleted', number: number) =>
  ({ item: 'folder', change, uid: folder.uid, generation: 0, container: folder.parent ?? '', number }) as const;

export async function checkName(
  writer: MailboxWriter,
  parent: Folder,
  displayName: string,
  self?: Folder,
): Promise<void> {
  const found = await childNamed(writer.tx, parent.uid, displayName);
  if (found && found.uid !== self?.uid)
    throw errors.ErrorFolderExists({ name: displayName }, { target: 'displayName' });
}

export async function checkRoom(writer: MailboxWriter, more: number, searches: number): Promise<void> {
  const prefix = writer.key('');
  const count = await writer.tx.count(folders, { prefix });
  if (count + more > MOST_FOLDERS)
    throw errors.ErrorQuotaExceeded({
      reason: `it can have at most ${MOST_FOLDERS} folders and would have ${count + more}`,
    });
  if (searches === 0) return;
  const found = await writer.tx.count(folders, { prefix, filter: eq('isSearch', true) });
  if (found + searches > MOST_SEARCH_FOLDERS)
    throw errors.ErrorQuotaExceeded({ reason: `it can have at most ${MOST_SEARCH_FOLDERS} search folders` });
}

/** `levels` is the depth of the tree that is added to the folder. */
export async function checkDepth(writer: MailboxWriter, parent: Folder, levels: number): Promise<void> {
  if (parent.search) throw errors.ErrorInvalidRequest({ reason: 'A search folder cannot contain folders.' });
  const depth = (await ancestorsOf(writer.tx, parent)).length + levels;
  if (depth > DEEPEST_FOLDER)
    throw errors.ErrorInvalidRequest({
      reason: `The folder would be ${depth} levels below the root; the maximum is ${DEEPEST_FOLDER}.`,
    });
}

/** Checks that a folder with its subtree can be moved to a parent: not into itself, and not too deep. Returns the depth of the subtree. */
export async function checkDestination(
  writer: MailboxWriter,
  folder: Folder,
  parent: Folder,
): Promise<readonly (readonly Folder[])[]> {
  const above = await ancestorsOf(writer.tx, parent);
  if ([parent, ...above].some(({ uid }) => uid === folder.uid))
    throw errors.ErrorMoveCopyFailed({
      reason: 'A folder cannot be moved or copied into itself or into a folder below it.',
    });
  const levels = await levelsOf(writer.tx, folder);
  await checkDepth(writer, parent, levels.length);
  return levels;
}
