import type { Answer } from '../../../kernel/http/index.ts';
import { presenter, refusing } from '../../../kernel/odata/index.ts';
import { allOf, eq } from '../../../kernel/store/index.ts';
import type { MailCall } from '../api/request.ts';
import { codeOf, containerId, optionsOf } from '../api/show.ts';
import { folders } from '../collections.ts';
import { folderShape } from '../folders/read.ts';
import type { Folder } from '../folders/types.ts';
import { folderView } from '../folders/view.ts';
import { CHANGE_TYPES, checkOptions, pageSizeOf } from './options.ts';
import { type DeltaSource, roundAnswer } from './round.ts';
import { asFirst, roundOf } from './token.ts';

const KIND = 'folders';
const DEFAULT_PAGE = 10;
/** Container in the removal records of folders. */
export const FOLDERS_CONTAINER = 'folders';

/** `mailFolders/delta`: all folders below the root, at any depth; hidden folders only on request. */
export async function foldersDelta(call: MailCall): Promise<Answer> {
  const round = await roundOf(call, KIND, FOLDERS_CONTAINER);
  const asked = asFirst(call, round);
  checkOptions(asked, 'MailFolders', ['select']);
  return refusing(() => roundAnswer(call, folderSource(asked), round, pageSizeOf(asked, DEFAULT_PAGE)), codeOf);
}

function folderSource(call: MailCall): DeltaSource<Folder> {
  const withHidden = /^true$/i.test(String(call.query.includeHiddenFolders ?? ''));
  const set = {
    shape: folderShape,
    view: ({ value }: { readonly value: Folder }) => ({
      '@odata.type': '#microsoft.graph.mailFolder',
      ...folderView(call, value),
    }),
    always: ['id'],
  };
  return {
    kind: KIND,
    entity: 'mailFolder',
    collection: folders,
    where: allOf(
      eq('mailbox', call.mailbox.id),
      { op: 'ne', field: 'parent', value: null },
      withHidden ? undefined : eq('isHidden', false),
    ),
    removed: eq('container', FOLDERS_CONTAINER),
    changeTypes: new Set(CHANGE_TYPES),
    async rows(items) {
      const show = presenter(call, set, optionsOf(call));
      return (await show(items.map((value) => ({ key: '', etag: '', value })))).map((row) => [row]);
    },
    removedId: ({ mailbox, uid }) => containerId(mailbox, uid),
  };
}
