import { type Answer, ok } from '../../../kernel/http/index.ts';
import { type EntityShape, entityShape, type Navigation, type ODataSet } from '../../../kernel/odata/index.ts';
import { type Filter, readAll } from '../../../kernel/store/index.ts';
import type { MailCall } from '../api/request.ts';
import { baseOf, codeOf, contextName, entityAnswer, pageAnswer } from '../api/show.ts';
import { folders } from '../collections.ts';
import { itemKey } from '../mailbox/create.ts';
import { folderNamed } from './find.ts';
import type { Folder } from './types.ts';
import { folderView } from './view.ts';

/** Lists of folders and single ones. */

export const folderShape: EntityShape<Folder> = entityShape<Folder>({
  name: 'mailFolder',
  collection: folders,
  properties: {
    id: { type: 'Edm.String', filterable: false, orderable: false },
    displayName: { type: 'Edm.String', field: 'displayName', ignoreCase: true },
    parentFolderId: { type: 'Edm.String', filterable: false, orderable: false },
    childFolderCount: { type: 'Edm.Int32', field: 'children' },
    unreadItemCount: { type: 'Edm.Int32', field: 'unread' },
    totalItemCount: { type: 'Edm.Int32', field: 'total' },
    wellKnownName: { type: 'Edm.String', field: 'wellKnown' },
    isHidden: { type: 'Edm.Boolean', field: 'isHidden' },
  },
  navigation: ['childFolders'],
  scan: 'bounded',
});

export const listFolders = (call: MailCall): Promise<Answer> => {
  const parent = call.mailbox.wellKnown.msgfolderroot;
  return pageAnswer(call, folderSet(call, 'mailFolders', parent));
};

export async function listChildFolders(call: MailCall): Promise<Answer> {
  const parent = await folderNamed(call.jar.store, call.mailbox, call.params.folder ?? '');
  return pageAnswer(
    call,
    folderSet(call, `mailFolders('${encodeURIComponent(call.params.folder ?? '')}')/childFolders`, parent.uid),
  );
}

export async function getFolder(call: MailCall): Promise<Answer> {
  const folder = await folderNamed(call.jar.store, call.mailbox, call.params.folder ?? '');
  const key = itemKey(call.mailbox.id, folder.uid);
  return entityAnswer(call, folderSet(call, 'mailFolders', folder.parent ?? ''), { key, etag: '', value: folder });
}

export async function countFolders(call: MailCall): Promise<Answer> {
  const key = call.params.folder;
  const parent =
    key === undefined
      ? call.mailbox.wellKnown.msgfolderroot
      : (await folderNamed(call.jar.store, call.mailbox, key)).uid;
  const count = await call.jar.store.count(folders, { filter: childrenOf(call, parent) });
  return ok(String(count), { 'content-type': 'text/plain' });
}

function childrenOf(call: MailCall, parent: string): Filter {
  const inParent: Filter = { op: 'eq', field: 'parent', value: parent };
  if (/^true$/i.test(String(call.query.includeHiddenFolders ?? ''))) return inParent;
  return { op: 'and', args: [inParent, { op: 'eq', field: 'isHidden', value: false }] };
}

function folderSet(call: MailCall, name: string, parent: string): ODataSet<Folder> {
  return {
    shape: folderShape,
    name: contextName(call, name),
    base: baseOf(call),
    filter: childrenOf(call, parent),
    order: [{ field: 'displayName' }],
    view: ({ value }) => folderView(call, value),
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
    load: (parents) =>
      Promise.all(
        parents.map(async ({ uid }) =>
          (await readAll(call.jar.store, folders, { filter: childrenOf(call, uid) })).map(({ value }) => value),
        ),
      ),
    view: (folder) => folderView(call, folder),
    navigations: () => [navigation as Navigation<Folder, unknown>],
    always: ['id'],
  };
  return navigation as Navigation<Folder, unknown>;
};
