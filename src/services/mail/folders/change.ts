import { type Answer, ok } from '../../../kernel/http/index.ts';
import { mistake } from '../api/fields.ts';
import type { MailCall } from '../api/request.ts';
import { folders } from '../collections.ts';
import { errors } from '../errors.ts';
import { changeMailbox, type MailboxWriter } from '../mailbox/writer.ts';
import { entityOf } from './answer.ts';
import { checkSearch } from './content.ts';
import { readSources } from './create.ts';
import { folderNamed } from './find.ts';
import { FOLDER_OWN_NAMES, type FolderInput, readFolderChange } from './input.ts';
import { checkName, updateFolder } from './place.ts';
import type { Folder, SearchFolder } from './types.ts';
import { folderView } from './view.ts';

/** Changes the name of a folder, and the query of a search folder. */
export async function patchFolder(call: MailCall): Promise<Answer> {
  const input = readFolderChange(call.json());
  const { filterQuery } = input;
  if (filterQuery !== undefined) {
    if (filterQuery.trim() === '') throw mistake('filterQuery', 'a search folder needs a query');
    await checkSearch(filterQuery, call.receivedAt);
  }
  const folder = await changeMailbox(call.jar, call.mailbox, async (writer) => {
    const found = await folderNamed(writer.tx, call.mailbox, call.params.folder ?? '');
    checkWritable(call, found, input);
    const { displayName = found.displayName } = input;
    if (displayName !== found.displayName) await checkRename(writer, found, displayName);
    const search = found.search && (await changedSearch(writer, found.search, input));
    return updateFolder(writer, found, { displayName, ...(search && { search }) });
  });
  return ok(await entityOf(call, folder));
}

async function checkRename(writer: MailboxWriter, folder: Folder, displayName: string): Promise<void> {
  if (folder.wellKnown !== undefined)
    throw errors.ErrorAccessDenied__DefaultFolder({ name: folder.displayName }, { target: 'displayName' });
  const parent = folder.parent && (await writer.tx.get(folders, writer.key(folder.parent)))?.value;
  if (parent) await checkName(writer, parent, displayName, folder);
}

/** A read-only property is accepted if unchanged, since clients send back what they received. */
function checkWritable(call: MailCall, folder: Folder, input: FolderInput): void {
  const view = folderView({ ...call, version: 'beta' }, folder);
  for (const name of [...FOLDER_OWN_NAMES, 'isHidden'] as const) {
    if (input[name] === undefined || input[name] === (view[name] ?? null)) continue;
    const reason = name === 'isHidden' ? 'it can be set only when the folder is created' : 'it cannot be updated';
    throw errors.ErrorInvalidPropertySet({ property: name, reason }, { target: name });
  }
  if (folder.search) return;
  for (const name of ['filterQuery', 'sourceFolderIds', 'includeNestedFolders'] as const)
    if (input[name] !== undefined)
      throw errors.ErrorInvalidPropertySet({ property: name, reason: 'only search folders have it' }, { target: name });
}

async function changedSearch(writer: MailboxWriter, search: SearchFolder, input: FolderInput): Promise<SearchFolder> {
  const { filterQuery, sourceFolderIds, includeNestedFolders } = input;
  if (sourceFolderIds?.length === 0) throw mistake('sourceFolderIds', 'a search folder needs a source');
  return {
    filterQuery: filterQuery ?? search.filterQuery,
    includeNestedFolders: includeNestedFolders ?? search.includeNestedFolders,
    sourceFolders: sourceFolderIds ? await readSources(writer, sourceFolderIds) : search.sourceFolders,
  };
}
