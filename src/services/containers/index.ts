import { MANAGEMENT } from '../../kernel/arm/family.ts';
import type { Service } from '../../kernel/service.ts';
import { actionRoutes } from './api/actions.ts';
import { attachRoute } from './api/attach.ts';
import { execRoute } from './api/exec.ts';
import { CONTAINER_LIMITS, CONTAINER_TYPES, containerGroupRoutes } from './api/index.ts';
import { logRoute } from './api/logs.ts';
import { FORGET_SESSION, forgetSession, sessions } from './api/sessions.ts';
import { streamSockets } from './api/streams.ts';
import { dnsNames, groupSecrets, keptLogs, removals, runtimes } from './collections.ts';
import { simulatedCollections } from './engines/simulated/collections.ts';
import { syncGroup } from './runtime/sync-group.ts';
import { SYNC } from './runtime/transitions.ts';
import { openContainers } from './runtime/watch.ts';

/** Container groups: containers that share a lifecycle, a network and volumes, run for real where there is an engine. */
export const CONTAINERS: Service = {
  name: 'containers',
  title: 'Container groups',
  family: MANAGEMENT,
  mounts: [],
  routes: [...containerGroupRoutes, ...actionRoutes, logRoute, execRoute, attachRoute],
  sockets: streamSockets,
  collections: [runtimes, removals, groupSecrets, dnsNames, keptLogs, sessions, ...simulatedCollections],
  limits: CONTAINER_LIMITS,
  resourceTypes: CONTAINER_TYPES,
  work: { [SYNC]: syncGroup, [FORGET_SESSION]: forgetSession },
  open: openContainers,
};
