import type { GroupStatus } from '../../../kernel/engines/index.ts';
import { boolean, collection, number, set, text } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { type AclEntry, readersOf } from '../permissions/acl.ts';
import { poolReturns } from './pools/collections.ts';

export type ClusterState =
  | 'PENDING'
  | 'RUNNING'
  | 'RESTARTING'
  | 'RESIZING'
  | 'TERMINATING'
  | 'TERMINATED'
  | 'ERROR'
  | 'UNKNOWN';

export type ClusterSource = 'API' | 'UI' | 'JOB' | 'PIPELINE' | 'SQL' | 'MODELS';

export interface TerminationReason {
  readonly code: string;
  readonly type: 'SUCCESS' | 'CLIENT_ERROR' | 'CLOUD_FAILURE' | 'SERVICE_FAULT';
  readonly parameters: Readonly<Record<string, string>>;
}

/** A cluster. The key is `clusterKey`. */
export interface Cluster {
  readonly id: string;
  readonly workspaceId: string;
  readonly accountId: string;
  readonly name: string;
  /** Id of the principal. */
  readonly owner: string;
  readonly source: ClusterSource;
  readonly acl: readonly AclEntry[];
  /** The effective attributes: the requested ones, with those that policy and defaults add. */
  readonly attributes: JsonMembers;
  /** As requested. */
  readonly spec: JsonMembers;
  readonly state: ClusterState;
  readonly stateMessage: string;
  /** Current workers, or those being added. */
  readonly workers: number;
  /** During a resize: the previous number, and the cause. */
  readonly resizing?: { readonly from: number; readonly cause: 'USER_REQUEST' | 'AUTOSCALE' };
  readonly createdAt: number;
  readonly startedAt: number;
  readonly lastRestartedAt?: number;
  readonly lastStateLossAt?: number;
  readonly terminatedAt?: number;
  readonly terminationReason?: TerminationReason;
  /** It was terminated before it had machines. */
  readonly neverRan?: true;
  readonly pinnedAt?: number;
  /** Hidden from lists, since it was terminated long ago. */
  readonly unlisted?: true;
  /** Changes with every start. */
  readonly contextId: number;
  /** End of the latest activity; running activities are counted in `busy`. */
  readonly lastActivityAt: number;
  /** Number of running commands and runs. */
  readonly busy: number;
  /** Number of its events. */
  readonly events: number;
}

export const isUp = ({ state }: Pick<Cluster, 'state'>): boolean => state !== 'TERMINATED' && state !== 'ERROR';

const STATE_RANK: Readonly<Record<ClusterState, number>> = {
  RUNNING: 0,
  RESIZING: 1,
  RESTARTING: 2,
  PENDING: 3,
  TERMINATING: 4,
  TERMINATED: 5,
  ERROR: 6,
  UNKNOWN: 7,
};

const textIn = (members: JsonMembers, name: string): string | undefined => {
  const value = members[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

export const policyOf = ({ attributes }: Pick<Cluster, 'attributes'>): string | undefined =>
  textIn(attributes, 'policy_id');
export const poolOf = ({ attributes }: Pick<Cluster, 'attributes'>): string | undefined =>
  textIn(attributes, 'instance_pool_id');
export const driverPoolOf = ({ attributes }: Pick<Cluster, 'attributes'>): string | undefined =>
  textIn(attributes, 'driver_instance_pool_id') ?? textIn(attributes, 'instance_pool_id');

export const clusters = collection<Cluster>('platform.clusters', {
  fields: {
    workspace: text((it) => it.workspaceId),
    state: text((it) => it.state),
    source: text((it) => it.source),
    stateRank: number((it) => STATE_RANK[it.state]),
    unpinned: number((it) => (it.pinnedAt === undefined ? 1 : 0)),
    unlisted: boolean((it) => it.unlisted),
    name: text((it) => it.name.toLowerCase()),
    policy: text((it) => policyOf(it)),
    /** For active clusters: the scope of `max_clusters_per_user`. */
    governed: text((it) => (isUp(it) && policyOf(it) ? governedBy(it.workspaceId, policyOf(it), it.owner) : undefined)),
    pools: set((it) => [poolOf(it), driverPoolOf(it)].flatMap((id) => id ?? [])),
    readers: set(readersOf),
  },
  indexes: [
    ['workspace', 'stateRank', 'unpinned', 'name'],
    ['workspace', 'name'],
    ['workspace', 'unpinned'],
    ['governed'],
    ['workspace', 'policy'],
  ],
  wide: true,
});

export const governedBy = (workspaceId: string, policy: string | undefined, owner: string): string =>
  `${workspaceId}/${policy}/${owner}`;

export const clusterKey = (workspaceId: string, id: string): string => `${workspaceId}/${id}`;

/** An event of a cluster. The key ends in its number, so that simultaneous events stay in order. */
export interface ClusterEvent {
  readonly cluster: string;
  readonly at: number;
  readonly type: string;
  readonly details: JsonMembers;
}

export const clusterEvents = collection<ClusterEvent>('platform.cluster_events', {
  fields: { cluster: text((it) => it.cluster), at: number((it) => it.at), type: text((it) => it.type) },
  indexes: [['cluster', 'at']],
});

export const eventKey = (cluster: string, number: number): string => `${cluster}/${String(number).padStart(10, '0')}`;

export type LibraryStatus =
  | 'PENDING'
  | 'RESOLVING'
  | 'INSTALLING'
  | 'INSTALLED'
  | 'FAILED'
  | 'UNINSTALL_ON_RESTART'
  | 'SKIPPED'
  | 'RESTORED';

export interface ClusterLibrary {
  readonly library: JsonMembers;
  readonly status: LibraryStatus;
  readonly messages: readonly string[];
  /** Marked for removal, but still installed on the nodes. */
  readonly isThere?: true;
  /** When the next status is reached; absent while the cluster does not run, and for a final status. */
  readonly nextAt?: number;
}

/** The libraries of a cluster, under the key of the cluster. */
export interface ClusterLibraries {
  readonly workspaceId: string;
  readonly clusterId: string;
  readonly libraries: readonly ClusterLibrary[];
}

export const clusterLibraries = collection<ClusterLibraries>('platform.cluster_libraries', {
  fields: { workspace: text((it) => it.workspaceId) },
  indexes: [['workspace']],
});

/** An execution context: a session on a cluster, whose commands run one after another. The key is `contextKey`. */
export interface ExecutionContext {
  readonly id: string;
  readonly workspaceId: string;
  readonly clusterId: string;
  readonly language: string;
  readonly createdBy: string;
  readonly createdAt: number;
  /** Number of commands it was given. */
  readonly commands: number;
  /** Files on the driver, by path, written by this context's simulated shell commands. */
  readonly files: Readonly<Record<string, string>>;
  /** Set if its interpreter runs in a container. Absent: its commands are simulated. */
  readonly status?: 'Pending' | 'Running' | 'Error';
  /** Reason of the status `Error`. */
  readonly problem?: string;
}

export const contexts = collection<ExecutionContext>('platform.contexts', { wide: true });

export const contextKey = (workspaceId: string, clusterId: string, id: string): string =>
  `${workspaceId}/${clusterId}/${id}`;

/** The container of a context's interpreter. Stored under the key of the context until the container is removed. */
export interface ContextContainer {
  readonly uid: string;
  readonly image: string;
  readonly clusterId: string;
  readonly contextId: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly status: GroupStatus;
}

export const contextContainers = collection<ContextContainer>('platform.context_containers', {
  fields: { uid: text((it) => it.uid) },
  indexes: [['uid']],
  wide: true,
});

export type CommandStatus = 'Queued' | 'Running' | 'Cancelling' | 'Finished' | 'Cancelled' | 'Error';

export interface CommandResult {
  readonly resultType: 'text' | 'table' | 'image' | 'images' | 'error';
  readonly data?: JsonMembers[string];
  readonly schema?: readonly JsonMembers[];
  readonly truncated?: boolean;
  readonly isJsonSchema?: boolean;
  readonly summary?: string;
  readonly cause?: string;
  /** An image as a `data:` URL. */
  readonly fileName?: string;
  readonly fileNames?: readonly string[];
}

/** A command. The key is `commandKey`. */
export interface Command {
  readonly id: string;
  /** The key of its context. */
  readonly context: string;
  readonly number: number;
  readonly language: string;
  readonly command: string;
  readonly status: CommandStatus;
  readonly startedAt?: number;
  /** The outcome of a simulated command, known in advance: the status is `Running` until `endsAt`. */
  readonly outcome?: { readonly result: CommandResult; readonly files?: Readonly<Record<string, string>> };
  readonly endsAt?: number;
  readonly result?: CommandResult;
}

export const commands = collection<Command>('platform.commands', {
  fields: { context: text((it) => it.context), status: text((it) => it.status), number: number((it) => it.number) },
  indexes: [['context', 'status', 'number']],
  wide: true,
});

export const commandKey = (context: string, id: string): string => `${context}/${id}`;

export const COMPUTE_COLLECTIONS = [
  clusters,
  clusterEvents,
  clusterLibraries,
  contexts,
  contextContainers,
  commands,
  poolReturns,
] as const;
