import { type Answer, created } from '../../../kernel/http/index.ts';
import { mistake } from '../api/fields.ts';
import type { MailCall } from '../api/request.ts';
import { errors } from '../errors.ts';
import { changeMailbox, type MailboxWriter } from '../mailbox/writer.ts';
import { childrenName, entityOf } from './answer.ts';
import { checkSearch } from './content.ts';
import { destinationNamed, findFolder } from './find.ts';
import { type FolderInput, readFolder } from './input.ts';
import { addFolder } from './place.ts';
import type { Folder, SearchFolder } from './types.ts';

/** Creates a folder at the top level of the mailbox. */
export const postFolder = (call: MailCall): Promise<Answer> => post(call, 'msgfolderroot', 'mailFolders');

/** Creates a folder in a folder. */
export const postChildFolder = (call: MailCall): Promise<Answer> =>
  post(call, call.params.folder ?? '', childrenName(call));

async function post(call: MailCall, parentKey: string, name: string): Promise<Answer> {
  const { input, isSearch } = readFolder(call.json());
  const { displayName, isHidden = false } = input;
  if (displayName === undefined) throw mistake('displayName', 'it is required');
  const search = isSearch ? newSearch(input) : undefined;
  if (search) await checkSearch(search.filterQuery, call.receivedAt);
  const folder = await changeMailbox(call.jar, call.mailbox, async (writer) => {
    const parent = await parentNamed(writer, parentKey);
    const sources = search && { ...search, sourceFolders: await readSources(writer, search.sourceFolders) };
    return addFolder(writer, parent, { displayName, isHidden, ...(sources && { search: sources }) });
  });
  return created(await entityOf(call, folder, name));
}

async function parentNamed({ tx, mailbox }: MailboxWriter, key: string): Promise<Folder> {
  const parent = await findFolder(tx, mailbox, key);
  if (!parent) throw errors.ErrorParentFolderNotFound();
  return parent;
}

/** `sourceFolders` are the client's ids, until they are resolved. */
function newSearch({ filterQuery, sourceFolderIds, includeNestedFolders = false }: FolderInput): SearchFolder {
  if (filterQuery === undefined || filterQuery.trim() === '') throw mistake('filterQuery', 'it is required');
  if (!sourceFolderIds || sourceFolderIds.length === 0) throw mistake('sourceFolderIds', 'it is required');
  return { filterQuery, sourceFolders: sourceFolderIds, includeNestedFolders };
}

/** Uids of the folders that a search folder searches. */
export async function readSources(writer: MailboxWriter, keys: readonly string[]): Promise<readonly string[]> {
  const sources = new Set<string>();
  for (const key of keys) sources.add((await destinationNamed(writer.tx, writer.mailbox, key)).uid);
  return [...sources];
}
