import { MANAGEMENT } from '../../kernel/arm/family.ts';
import { lazyWork, wholeService } from '../../kernel/whole-service.ts';
import { CONTAINER_LIMITS } from './api/limits.ts';
import { containerRoutes } from './api/routes.ts';
import { streamSockets } from './api/sockets.ts';
import { CONTAINER_TYPES } from './api/types.ts';
import {
  dnsNames,
  FORGET_SESSION,
  groupSecrets,
  keptLogs,
  removals,
  runtimes,
  sessions,
  simulated,
} from './collections.ts';
import { openContainers } from './open.ts';
import { SYNC, SYNC_LIMITS } from './runtime/sync-work.ts';

/** Container groups: containers that share a lifecycle, a network and volumes, run for real where there is an engine. */
export const CONTAINERS = wholeService({
  name: 'containers',
  title: 'Container groups',
  family: MANAGEMENT,
  mounts: [],
  routes: containerRoutes,
  sockets: streamSockets,
  collections: [runtimes, removals, groupSecrets, dnsNames, keptLogs, sessions, ...Object.values(simulated)],
  limits: CONTAINER_LIMITS,
  resourceTypes: CONTAINER_TYPES,
  work: {
    [SYNC]: lazyWork(() => import('./code.ts').then((it) => it.syncGroup), SYNC_LIMITS),
    [FORGET_SESSION]: lazyWork(() => import('./code.ts').then((it) => it.forgetSession)),
  },
  open: openContainers,
});
