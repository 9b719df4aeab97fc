import { type Route, routeOf } from '../../../kernel/http/index.ts';
import { receiveFile } from '../symbols/receive.ts';
import { downloadFile } from './file-download.ts';
import { FILES_MOUNT } from './files-mount.ts';

const path = `${FILES_MOUNT}/{link}`;
const open = { path, open: true } as const;

/** Download and upload of files by signed URL. */
export const FILE_ROUTES: readonly Route[] = [
  routeOf(
    {
      ...open,
      method: 'GET',
      operation: 'Lifecycle_files_get',
      summary: 'Downloads a report, an attachment or symbols from a URL that the API has issued',
      traits: { area: 'diagnostics', survivesRetirement: true },
    },
    downloadFile,
  ),
  routeOf(
    {
      ...open,
      method: 'PUT',
      operation: 'Lifecycle_files_put',
      summary: 'Uploads symbols to a URL that the API has issued, as a whole or in blocks',
      accepts: 'stream',
      traits: { area: 'symbols', survivesRetirement: true },
    },
    receiveFile,
  ),
];
