import type { Origin } from '../../kernel/arm/index.ts';
import {
  type ContainerState,
  EMPTIED,
  type EngineName,
  type GroupStatus,
  simulatedCollections,
  type Wanted,
} from '../../kernel/engines/index.ts';
import { collection, text } from '../../kernel/store/index.ts';

/** Collections in which the simulated engine keeps containers. */
export const simulated = simulatedCollections('containers', EMPTIED);

/** Runtime state of a group. Its key is the key of the resource; both are written and deleted together. */
export interface Runtime {
  uid: string;
  resourceId: string;
  engine: EngineName;
  wanted: Wanted;
  generation: number;
  keepSandbox: boolean;
  /** The running transition; removed when it succeeds or fails. */
  transition?: Transition;
  /** A copy is in the resource, for lists. */
  provisioningState: ProvisioningState;
  /** `instanceView.state` */
  state: GroupState;
  status: GroupStatus;
}

export interface Transition {
  kind: 'create' | 'update' | 'start' | 'stop' | 'restart';
  startedAt: number;
  /** Id of the operation that clients poll. */
  operation?: string;
  /** For the change record that is written when the transition ends. */
  origin: Origin;
  /** The group came from a pool, so its operation has ended at the first poll and has no `properties`. */
  isFromPool?: true;
}

export type ProvisioningState =
  | 'Pending'
  | 'Creating'
  | 'Updating'
  | 'Repairing'
  | 'Unhealthy'
  | 'Succeeded'
  | 'Failed';

export type GroupState = 'Pending' | 'Created' | 'Running' | 'Stopped' | 'Succeeded' | 'Failed';

export const runtimes = collection<Runtime>('containers.runtimes', {
  fields: { uid: text((it) => it.uid), engine: text((it) => it.engine) },
  indexes: [['uid'], ['engine']],
  cached: true,
});

/** A recently deleted group, by the key of the resource. Until it expires, the provider itself answers requests for the group with 404. */
export interface RecentlyDeleted {
  until: number;
}

export const departed = collection<RecentlyDeleted>('containers.departed');

/** A deleted group that still has to be removed from its engine, by its uid. */
export interface Removal {
  uid: string;
  resourceId: string;
  engine: EngineName;
}

export const removals = collection<Removal>('containers.removals');

/** All write-only values of a group, as one sealed JSON text; by the key of the resource. */
export interface SealedSecrets {
  sealed: string;
}

export const groupSecrets = collection<SealedSecrets>('containers.secrets', {
  secrets: {
    what: 'secure values of container groups',
    afterwards: 'Secure variables, secret volumes and registry passwords are missing: PUT the groups with them again',
    remove: () => undefined,
  },
});

/** The group that owns a DNS name; by the fully qualified name in lower case. */
export interface DnsName {
  resourceId: string;
}

export const dnsNames = collection<DnsName>('containers.names');

/** The last output of a stopped container; by `uid/container`. */
export interface KeptLog {
  /** Base64. */
  content: string;
}

export const keptLogs = collection<KeptLog>('containers.logs');

/** A state that a container entered. */
export interface StateRecord {
  container: string;
  at: number;
  kind: ContainerState['kind'];
  /** Number of the run, from 1; 0 before the first. */
  run: number;
  /** Why it waits or ended. */
  reason?: string;
  exitCode?: number;
}

/** The newest states of the containers of a group, oldest first; by the key of the resource. */
export interface History {
  records: StateRecord[];
}

export const histories = collection<History>('containers.histories');

/** Permission for one stream of a container, from the request until a client connects; by its id. */
export interface Session {
  id: string;
  kind: 'exec' | 'attach';
  /** Key of the group's runtime. */
  key: string;
  uid: string;
  container: string;
  engineId: string;
  command: string;
  rows: number;
  cols: number;
  /** The hash of the password. */
  password: string;
  expiresAt: number;
}

export const sessions = collection<Session>('containers.sessions', {
  secrets: {
    what: 'waiting sessions of containers',
    afterwards: 'They are left out: request a new one with exec or attach',
    remove: () => undefined,
  },
});
