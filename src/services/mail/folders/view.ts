import type { MailCall } from '../api/request.ts';
import { containerId } from '../api/show.ts';
import type { Folder } from './types.ts';

/** A folder as the API shows it. The root is shown as its own parent. */
export const folderView = ({ version }: MailCall, folder: Folder): Record<string, unknown> => ({
  ...(folder.search && { '@odata.type': '#microsoft.graph.mailSearchFolder' }),
  id: containerId(folder.mailbox, folder.uid),
  displayName: folder.displayName,
  parentFolderId: containerId(folder.mailbox, folder.parent ?? folder.uid),
  childFolderCount: folder.children,
  unreadItemCount: folder.unread,
  totalItemCount: folder.total,
  ...(version === 'beta' && { wellKnownName: folder.wellKnown ?? null }),
  isHidden: folder.isHidden,
  ...(folder.search && {
    isSupported: true,
    filterQuery: folder.search.filterQuery,
    includeNestedFolders: folder.search.includeNestedFolders,
    sourceFolderIds: folder.search.sourceFolders.map((uid) => containerId(folder.mailbox, uid)),
  }),
});
