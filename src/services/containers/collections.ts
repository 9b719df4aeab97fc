import type { Origin } from '../../kernel/arm/index.ts';
import {
  EMPTIED,
  type EngineName,
  type GroupStatus,
  simulatedCollections,
  type Wanted,
} from '../../kernel/engines/index.ts';
import { collection, text } from '../../kernel/store/index.ts';

/** Where the simulated engine keeps the containers of groups. */
export const simulated = simulatedCollections('containers', EMPTIED);

/** How a group is run. Its key is that of the resource; the two are written and deleted together. */
export interface Runtime {
  uid: string;
  resourceId: string;
  engine: EngineName;
  wanted: Wanted;
  generation: number;
  keepSandbox: boolean;
  /** What is under way, until it is done or has failed. */
  transition?: Transition;
  /** Also in the resource, where lists find it. */
  provisioningState: ProvisioningState;
  /** `instanceView.state` */
  state: GroupState;
  status: GroupStatus;
}

export interface Transition {
  kind: 'create' | 'update' | 'start' | 'stop' | 'restart';
  startedAt: number;
  /** What clients poll. */
  operation?: string;
  /** For the change record at the end. */
  origin: Origin;
  /** A group that a pool had ready: its operation has ended at the first poll, without `properties`. */
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

/** A group that was deleted a short time ago, by the key of the resource. Whoever asks for it is told so by the provider itself. */
export interface Departed {
  until: number;
}

export const departed = collection<Departed>('containers.departed');

/** What a deleted group has left in its engine, by its uid, until it is cleared away. */
export interface Removal {
  uid: string;
  resourceId: string;
  engine: EngineName;
}

export const removals = collection<Removal>('containers.removals');

/** Everything in a group that may never be shown, as one sealed JSON text; by the resource's key. */
export interface SealedSecrets {
  sealed: string;
}

export const groupSecrets = collection<SealedSecrets>('containers.secrets', {
  secrets: {
    what: 'secure values of container groups',
    afterwards: 'Secure variables, secret volumes and passwords of registries are gone: PUT the groups with them again',
    remove: () => undefined,
  },
});

/** Who holds a name under which a group can be reached; by the fully qualified name in lower case. */
export interface DnsName {
  resourceId: string;
}

export const dnsNames = collection<DnsName>('containers.names');

/** The end of what a container wrote before it was stopped; by `uid/container`. */
export interface KeptLog {
  /** Base64. */
  content: string;
}

export const keptLogs = collection<KeptLog>('containers.logs');

/** The right to one stream of a container, from when it is asked for until a client connects; by its id. */
export interface Session {
  id: string;
  kind: 'exec' | 'attach';
  /** Of the group's runtime. */
  key: string;
  uid: string;
  container: string;
  engineId: string;
  command: string;
  rows: number;
  cols: number;
  /** Only the hash of it. */
  password: string;
  expiresAt: number;
}

export const sessions = collection<Session>('containers.sessions', {
  secrets: {
    what: 'waiting sessions of containers',
    afterwards: 'They are left out: ask for a new one with exec or attach',
    remove: () => undefined,
  },
});
