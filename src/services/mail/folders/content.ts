import { compileFilter, refusing } from '../../../kernel/odata/index.ts';
import { allOf, eq, type Filter, type Reader } from '../../../kernel/store/index.ts';
import { codeOf } from '../api/show.ts';
import { folders, messages } from '../collections.ts';
import { errors } from '../errors.ts';
import { itemKey } from '../mailbox/create.ts';
import type { Mailbox } from '../mailbox/types.ts';
import { castFilter } from '../messages/cast-filter.ts';
import { messageShape } from '../messages/shape.ts';
import type { Message } from '../messages/types.ts';
import { subtreeOf } from './tree.ts';
import type { Folder, SearchFolder } from './types.ts';

/** Store filters for the messages of a mailbox and of its folders. */

/** All readable messages; excludes the messages of folders that are being removed. */
export function mailboxContent({ id, purging = [] }: Pick<Mailbox, 'id' | 'purging'>): Filter {
  if (purging.length === 0) return eq('mailbox', id);
  return allOf(eq('mailbox', id), { op: 'not', arg: { op: 'in', field: 'folder', values: purging } });
}

/** The messages in a folder; for a search folder, those that its query currently finds. */
export async function folderContent(reader: Reader, folder: Folder, now: number): Promise<Filter> {
  if (!folder.search) return eq('folder', folder.uid);
  const values = await sourcesOf(reader, folder.mailbox, folder.search);
  return allOf({ op: 'in', field: 'folder', values }, searchFilter(folder.search.filterQuery, now));
}

export async function isInFolder(reader: Reader, folder: Folder, message: Message, now: number): Promise<boolean> {
  if (!folder.search) return message.folder === folder.uid;
  const filter = await folderContent(reader, folder, now);
  return (await reader.count(messages, { prefix: itemKey(message.mailbox, message.uid), filter })) > 0;
}

/** The folder with its counts; those of a search folder are computed when it is read. */
export async function withCounts(reader: Reader, folder: Folder, now: number): Promise<Folder> {
  if (!folder.search) return folder;
  const filter = await folderContent(reader, folder, now);
  const total = await reader.count(messages, { filter });
  const unread = await reader.count(messages, { filter: allOf(filter, eq('isRead', false)) });
  return { ...folder, total, unread };
}

/**
 * Throws the API's error for a query that a search folder cannot have: a condition that the store cannot evaluate would have to be checked
 * on every message.
 */
export async function checkSearch(filterQuery: string, now: number): Promise<void> {
  const { residual } = await refusing(() => compileFilter(messageShape, castFilter(filterQuery), now), codeOf);
  if (residual) throw errors.InefficientFilter({}, { target: 'filterQuery' });
}

const searchFilter = (filterQuery: string, now: number): Filter | undefined =>
  compileFilter(messageShape, castFilter(filterQuery), now).filter;

/** Leaves out sources that no longer exist. */
async function sourcesOf(
  reader: Reader,
  mailbox: string,
  { sourceFolders, includeNestedFolders }: SearchFolder,
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const uid of sourceFolders) {
    const folder = (await reader.get(folders, itemKey(mailbox, uid)))?.value;
    if (!folder) continue;
    for (const each of includeNestedFolders ? await subtreeOf(reader, folder) : [folder])
      if (!each.search) found.add(each.uid);
  }
  return [...found];
}
