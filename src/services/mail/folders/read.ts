import { type Answer, ok } from '../../../kernel/http/index.ts';
import {
  compileFilter,
  type EntityShape,
  entityShape,
  type Navigation,
  type ODataSet,
  type PropertyShape,
  refusing,
} from '../../../kernel/odata/index.ts';
import { allOf, eq, type Filter, readAll } from '../../../kernel/store/index.ts';
import type { MailCall } from '../api/request.ts';
import { baseOf, codeOf, contextName, entityAnswer, optionsOf, pageAnswer } from '../api/show.ts';
import { folders } from '../collections.ts';
import { errors } from '../errors.ts';
import { itemKey } from '../mailbox/create.ts';
import { childrenName } from './answer.ts';
import { withCounts } from './content.ts';
import { folderNamed } from './find.ts';
import type { Folder } from './types.ts';
import { folderView } from './view.ts';

/** Reads of folders, as lists and one by one. */

const shown: PropertyShape = { type: 'Edm.String', filterable: false, orderable: false };

export const folderShape: EntityShape<Folder> = entityShape<Folder>({
  name: 'mailFolder',
  collection: folders,
  properties: {
    id: shown,
    displayName: { type: 'Edm.String', field: 'displayName', ignoreCase: true },
    parentFolderId: shown,
    childFolderCount: { type: 'Edm.Int32', field: 'children' },
    unreadItemCount: { type: 'Edm.Int32', field: 'unread' },
    totalItemCount: { type: 'Edm.Int32', field: 'total' },
    wellKnownName: { type: 'Edm.String', field: 'wellKnown' },
    isHidden: { type: 'Edm.Boolean', field: 'isHidden' },
    ...Object.fromEntries(
      ['isSupported', 'filterQuery', 'includeNestedFolders', 'sourceFolderIds'].map((name) => [name, shown]),
    ),
  },
  navigation: ['childFolders'],
  scan: 'bounded',
});

export const listFolders = (call: MailCall): Promise<Answer> =>
  listed(call, 'mailFolders', call.mailbox.wellKnown.msgfolderroot);

export async function listChildFolders(call: MailCall): Promise<Answer> {
  const parent = await folderNamed(call.jar.store, call.mailbox, call.params.folder ?? '');
  return listed(call, childrenName(call), parent.uid);
}

async function listed(call: MailCall, name: string, parent: string): Promise<Answer> {
  const counted = await searchesIn(call, [parent]);
  return pageAnswer(call, folderSet(call, name, parent, counted));
}

export async function getFolder(call: MailCall): Promise<Answer> {
  const folder = await folderNamed(call.jar.store, call.mailbox, call.params.folder ?? '');
  const value = await withCounts(call.jar.store, folder, call.receivedAt);
  const key = itemKey(call.mailbox.id, folder.uid);
  return entityAnswer(call, folderSet(call, 'mailFolders', folder.parent ?? ''), { key, etag: '', value });
}

/** `$count` after a list of folders: the number as plain text. */
export async function countFolders(call: MailCall): Promise<Answer> {
  const key = call.params.folder;
  const parent =
    key === undefined
      ? call.mailbox.wellKnown.msgfolderroot
      : (await folderNamed(call.jar.store, call.mailbox, key)).uid;
  const { filter } = optionsOf(call);
  const asked =
    filter === undefined
      ? undefined
      : await refusing(() => compileFilter(folderShape, filter, call.receivedAt), codeOf);
  if (asked?.residual) throw errors.InefficientFilter();
  const count = await call.jar.store.count(folders, { filter: allOf(childrenOf(call, [parent]), asked?.filter) });
  return ok(String(count), { 'content-type': 'text/plain' });
}

type Counted = ReadonlyMap<string, Folder>;

/** The search folders in the given parents, with their counts. */
async function searchesIn(call: MailCall, parents: readonly string[]): Promise<Counted> {
  const filter = allOf(childrenOf(call, parents), eq('isSearch', true));
  const counted = new Map<string, Folder>();
  for (const { value } of await readAll(call.jar.store, folders, { filter }))
    counted.set(value.uid, await withCounts(call.jar.store, value, call.receivedAt));
  return counted;
}

function childrenOf(call: MailCall, parents: readonly string[]): Filter {
  const inParent: Filter = { op: 'in', field: 'parent', values: parents };
  if (/^true$/i.test(String(call.query.includeHiddenFolders ?? ''))) return inParent;
  return allOf(inParent, eq('isHidden', false));
}

function folderSet(call: MailCall, name: string, parent: string, counted: Counted = new Map()): ODataSet<Folder> {
  return {
    shape: folderShape,
    name: contextName(call, name),
    base: baseOf(call),
    filter: childrenOf(call, [parent]),
    order: [{ field: 'displayName' }],
    view: ({ value }) => folderView(call, counted.get(value.uid) ?? value),
    navigations: [childFolders(call)],
    always: ['id'],
    codeOf,
  };
}

const childFolders = (call: MailCall): Navigation<Folder, unknown> => {
  const navigation: Navigation<Folder, Folder> = {
    name: 'childFolders',
    many: true,
    shape: folderShape,
    async load(parents) {
      const uids = parents.map(({ uid }) => uid);
      const counted = await searchesIn(call, uids);
      const children = new Map<string | undefined, Folder[]>(uids.map((uid) => [uid, []]));
      const order = [{ field: 'displayName' }];
      for (const { value } of await readAll(call.jar.store, folders, { filter: childrenOf(call, uids), order }))
        children.get(value.parent)?.push(counted.get(value.uid) ?? value);
      return uids.map((uid) => children.get(uid) ?? []);
    },
    view: (folder) => folderView(call, folder),
    navigations: () => [navigation as Navigation<Folder, unknown>],
    always: ['id'],
  };
  return navigation as Navigation<Folder, unknown>;
};
