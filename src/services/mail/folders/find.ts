import type { Reader } from '../../../kernel/store/index.ts';
import { folders } from '../collections.ts';
import { errors } from '../errors.ts';
import { itemKey } from '../mailbox/create.ts';
import { mailboxMark, readContainerId } from '../mailbox/ids.ts';
import { type Mailbox, WELL_KNOWN_FOLDERS, type WellKnownFolder } from '../mailbox/types.ts';
import type { Folder } from './types.ts';

const WELL_KNOWN: ReadonlySet<string> = new Set(WELL_KNOWN_FOLDERS);

/**
 * Resolves a client's folder key to a uid: an id, or a well-known name (case-insensitive). Returns undefined for an id of another mailbox.
 */
export function folderUid(mailbox: Mailbox, key: string): string | undefined {
  const name = key.toLowerCase();
  if (WELL_KNOWN.has(name)) return mailbox.wellKnown[name as WellKnownFolder];
  const id = readContainerId(key);
  if (!id) throw errors.ErrorInvalidIdMalformed();
  return id.mailboxMark === mailboxMark(mailbox.id) ? id.uid : undefined;
}

export async function findFolder(reader: Reader, mailbox: Mailbox, key: string): Promise<Folder | undefined> {
  const uid = folderUid(mailbox, key);
  return uid === undefined ? undefined : (await reader.get(folders, itemKey(mailbox.id, uid)))?.value;
}

export async function folderNamed(reader: Reader, mailbox: Mailbox, key: string): Promise<Folder> {
  const folder = await findFolder(reader, mailbox, key);
  if (!folder) throw errors.ErrorFolderNotFound();
  return folder;
}

/** A folder that can contain messages: a search folder only shows messages of other folders. */
export async function destinationNamed(reader: Reader, mailbox: Mailbox, key: string): Promise<Folder> {
  const folder = await folderNamed(reader, mailbox, key);
  if (folder.search)
    throw errors.ErrorMoveCopyFailed({
      reason: 'A search folder shows messages of other folders and cannot contain any.',
    });
  return folder;
}
