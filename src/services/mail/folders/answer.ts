import type { MailCall } from '../api/request.ts';
import { contextLine } from '../api/show.ts';
import { withCounts } from './content.ts';
import type { Folder } from './types.ts';
import { folderView } from './view.ts';

/** `mailFolders('{id}')/childFolders`: the name in `@odata.context`. */
export const childrenName = ({ params }: Pick<MailCall, 'params'>): string =>
  `mailFolders('${encodeURIComponent(params.folder ?? '')}')/childFolders`;

/** One folder in the response to the request that wrote it. */
export async function entityOf(call: MailCall, folder: Folder, name = 'mailFolders'): Promise<Record<string, unknown>> {
  const counted = await withCounts(call.jar.store, folder, call.receivedAt);
  return { ...contextLine(call, `${name}/$entity`), ...folderView(call, counted) };
}
