import { type Route, routeOf } from '../../../kernel/http/index.ts';
import type { Operation } from '../operation.ts';
import { blockApp, blockDevice } from './block.ts';
import { postLogs } from './post-logs.ts';

/** Ingestion routes for apps. Apps have no token; a secret identifies them. */
export const LOG_ROUTES: readonly Route[] = [
  routeOf(
    {
      method: 'POST',
      path: '/logs',
      operation: 'Lifecycle_logs_send',
      summary: 'Receives the logs of an app from the SDKs of the service',
      accepts: 'bytes',
      open: true,
      traits: { area: 'logs', survivesRetirement: true },
    },
    postLogs,
  ),
];

/** Cannot be undone. */
export const BLOCK_OPERATIONS: readonly Operation[] = [
  {
    method: 'PUT',
    path: '/apps/{owner_name}/{app_name}/devices/block_logs',
    operation: 'app_blockLogs',
    summary: 'Blocks all further logs of the app permanently',
    needs: 'appManage',
    code: blockApp,
  },
  {
    method: 'PUT',
    path: '/apps/{owner_name}/{app_name}/devices/block_logs/{install_id}',
    operation: 'devices_blockLogs',
    summary: 'Blocks all further logs of a device permanently',
    needs: 'appManage',
    code: blockDevice,
  },
];
