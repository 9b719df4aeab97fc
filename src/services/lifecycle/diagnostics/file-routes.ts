import { lazyRoute, type Route } from '../../../kernel/http/route.ts';

/** One segment and another, as the public client takes uploads only to a container and a blob in it. */
export const FILES_MOUNT = '/lifecycle-files';

const path = `${FILES_MOUNT}/{link}`;
const open = { path, open: true } as const;

/** Where files are fetched from and uploaded to, by whoever was given the address. */
export const FILE_ROUTES: readonly Route[] = [
  lazyRoute(
    {
      ...open,
      method: 'GET',
      operation: 'Lifecycle_files_get',
      summary: 'A report, an attachment or symbols, by an address that the API has given',
      traits: { area: 'diagnostics', livesOn: true },
    },
    async () => (await import('./file-download.ts')).downloadFile,
  ),
  lazyRoute(
    {
      ...open,
      method: 'PUT',
      operation: 'Lifecycle_files_put',
      summary: 'Uploads symbols to an address that the API has given, whole or in blocks',
      accepts: 'stream',
      traits: { area: 'symbols', livesOn: true },
    },
    async () => (await import('../symbols/receive.ts')).receiveFile,
  ),
];
