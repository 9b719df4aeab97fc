import { MANAGEMENT } from '../../kernel/arm/index.ts';
import type { Service } from '../../kernel/service/index.ts';
import { CONTAINER_LIMITS } from './api/limits.ts';
import { FORGET_SESSION } from './api/session-work.ts';
import { ATTACH_SOCKET, EXEC_SOCKET } from './api/sockets.ts';
import { CONTAINER_TYPES } from './api/types.ts';
import { NAMESPACE } from './api/versions.ts';
import { dnsNames, groupSecrets, keptLogs, removals, runtimes, sessions, simulated } from './collections.ts';
import { SYNC } from './runtime/sync-work.ts';

/** Container groups: containers that share a lifecycle, a network and volumes, run for real where there is an engine. */
export const CONTAINERS: Service = {
  name: 'containers',
  title: 'Container groups',
  family: MANAGEMENT,
  mounts: [],
  claims: [`/providers/${NAMESPACE}`],
  sockets: [EXEC_SOCKET, ATTACH_SOCKET],
  collections: [runtimes, removals, groupSecrets, dnsNames, keptLogs, sessions, ...Object.values(simulated)],
  limits: CONTAINER_LIMITS,
  resourceTypes: CONTAINER_TYPES,
  work: [SYNC, FORGET_SESSION],
  settings: { load: async () => (await import('./settings-schema.ts')).settingsRules },
  // It watches the engine, and removes what earlier runs of the jar have left there.
  eager: true,
  open: async (jar) => (await import('./open.ts')).openContainers(jar),
};
