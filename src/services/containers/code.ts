import type { ServiceCode } from '../../kernel/service/index.ts';
import { forgetResource } from './api/forget-group.ts';
import { forgetDeletedGroupLater } from './api/recently-deleted.ts';
import { containerRoutes } from './api/routes.ts';
import { forgetSession } from './api/sessions.ts';
import { streamSockets } from './api/streams.ts';
import { CONTAINER_GROUP_PROFILE_TYPE, CONTAINER_GROUP_TYPE, STANDBY_POOL_TYPE } from './api/versions.ts';
import { groupControl } from './control/routes.ts';
import { finishPoolDeletion } from './pools/delete.ts';
import { fillPool } from './pools/fill.ts';
import { forgetPool } from './pools/forget.ts';
import { forgetProfile } from './profiles/definition.ts';
import { syncGroup } from './runtime/sync-group.ts';

/** Code that is loaded with the first request or group work of the service. */
export const containersCode: ServiceCode = {
  routes: containerRoutes,
  sockets: streamSockets,
  control: groupControl,
  work: [syncGroup, forgetSession, forgetDeletedGroupLater, fillPool, finishPoolDeletion],
  onDelete: {
    [CONTAINER_GROUP_TYPE]: forgetResource,
    [CONTAINER_GROUP_PROFILE_TYPE]: forgetProfile,
    [STANDBY_POOL_TYPE]: forgetPool,
  },
};
