import type { ServiceCode } from '../../kernel/service/index.ts';
import { forgetResource } from './api/forget-group.ts';
import { containerRoutes } from './api/routes.ts';
import { forgetSession } from './api/sessions.ts';
import { streamSockets } from './api/streams.ts';
import { CONTAINER_GROUP_TYPE } from './api/versions.ts';
import { syncGroup } from './runtime/sync-group.ts';

/** What the service needs once somebody asks it, or a group has to be looked at. */
export const containersCode: ServiceCode = {
  routes: containerRoutes,
  sockets: streamSockets,
  work: [syncGroup, forgetSession],
  onDelete: { [CONTAINER_GROUP_TYPE]: forgetResource },
};
