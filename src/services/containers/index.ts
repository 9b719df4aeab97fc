import { MANAGEMENT } from '../../kernel/arm/index.ts';
import type { Service } from '../../kernel/service/index.ts';
import { CONTAINER_LIMITS } from './api/limits.ts';
import { FORGET_DEPARTED } from './api/recently-deleted.ts';
import { FORGET_SESSION } from './api/session-work.ts';
import { ATTACH_SOCKET, EXEC_SOCKET } from './api/sockets.ts';
import { CONTAINER_TYPES } from './api/types.ts';
import { NAMESPACE, STANDBY_POOLS } from './api/versions.ts';
import {
  departed,
  dnsNames,
  groupSecrets,
  histories,
  keptLogs,
  removals,
  runtimes,
  sessions,
  simulated,
} from './collections.ts';
import { poolInstances } from './pools/collections.ts';
import { DELETE_POOL, FILL_POOL } from './pools/work.ts';
import { profileRevisions } from './profiles/collections.ts';
import { SYNC } from './runtime/sync-work.ts';

/** Container groups: containers that share a lifecycle, a network and volumes. They really run if an engine is available. */
export const CONTAINERS: Service = {
  name: 'containers',
  title: 'Container groups',
  family: MANAGEMENT,
  mounts: [],
  claims: [`/providers/${NAMESPACE}`, `/providers/${STANDBY_POOLS}`],
  sockets: [EXEC_SOCKET, ATTACH_SOCKET],
  collections: [
    runtimes,
    removals,
    departed,
    groupSecrets,
    dnsNames,
    keptLogs,
    histories,
    sessions,
    profileRevisions,
    poolInstances,
    ...Object.values(simulated),
  ],
  limits: CONTAINER_LIMITS,
  resourceTypes: CONTAINER_TYPES,
  work: [SYNC, FORGET_SESSION, FORGET_DEPARTED, FILL_POOL, DELETE_POOL],
  settings: { load: async () => (await import('./settings-schema.ts')).settingsRules },
  // The service watches the engine and removes containers that earlier runs of the jar left behind.
  eager: true,
  open: async (jar) => (await import('./open.ts')).openContainers(jar),
};
