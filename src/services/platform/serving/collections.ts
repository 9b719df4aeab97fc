import type { GroupStatus } from '../../../kernel/engines/index.ts';
import { collection, number, set, text } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { type AclEntry, readersOf } from '../permissions/acl.ts';

export type Deployment =
  | 'DEPLOYMENT_CREATING'
  | 'DEPLOYMENT_READY'
  | 'DEPLOYMENT_RECOVERING'
  | 'DEPLOYMENT_FAILED'
  | 'DEPLOYMENT_ABORTED';

/** A model, a function or an external model that an endpoint serves. */
export interface ServedEntity {
  /** Unique within its endpoint. */
  readonly name: string;
  /** As sent and returned, without the name and without secrets. */
  readonly fields: JsonMembers;
  /** Provisioned number of concurrent requests; undefined: only the limits of the endpoint apply. */
  readonly concurrency?: number;
  /** Keys that were sent as plain text, by their path in `external_model`, sealed. They are never returned. */
  readonly sealed?: string;
  /** The id of its model in the catalog; absent for models of the workspace registry, of the platform and of other providers. */
  readonly model?: string;
  readonly deployment: Deployment;
  readonly message: string;
  readonly creator: string;
  readonly createdAt: number;
}

export interface TrafficRoute {
  readonly entity: string;
  readonly percentage: number;
}

export interface EndpointConfig {
  readonly version: number;
  readonly entities: readonly ServedEntity[];
  readonly routes: readonly TrafficRoute[];
  readonly autoCapture?: JsonMembers;
}

export interface PendingConfig extends EndpointConfig {
  readonly startedAt: number;
}

export type ConfigUpdate = 'NOT_UPDATING' | 'IN_PROGRESS' | 'UPDATE_FAILED';

/** A serving endpoint. The key is `endpointKey`. */
export interface ServingEndpoint {
  /** 32 hexadecimal digits: the id of the endpoint in the permissions API. */
  readonly id: string;
  readonly name: string;
  readonly workspaceId: string;
  readonly accountId: string;
  readonly creator: string;
  readonly acl: readonly AclEntry[];
  readonly description: string;
  readonly tags: readonly JsonMembers[];
  readonly rateLimits?: readonly JsonMembers[];
  readonly aiGateway?: JsonMembers;
  readonly notifications?: JsonMembers;
  readonly budgetPolicyId?: string;
  readonly routeOptimized: boolean;
  /** The configuration that answers queries; absent until the first configuration has been deployed. */
  readonly config?: EndpointConfig;
  /** The configuration that is being deployed, or whose deployment failed. */
  readonly pending?: PendingConfig;
  readonly update: ConfigUpdate;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Cached, since every query reads an endpoint. */
export const servingEndpoints = collection<ServingEndpoint>('platform.serving_endpoints', {
  fields: {
    workspace: text((it) => it.workspaceId),
    id: text(({ workspaceId, id }) => `${workspaceId}/${id}`),
    createdAt: number((it) => it.createdAt),
    readers: set(readersOf),
  },
  indexes: [['workspace', 'createdAt'], ['id']],
  cached: true,
  secrets: {
    what: 'keys of external models of serving endpoints',
    afterwards: 'They are removed: update the configurations of the endpoints with new ones',
    name: ({ name }) => name,
    remove: (endpoint) => endpoint,
  },
});

export const endpointKey = (workspaceId: string, name: string): string => `${workspaceId}/${name}`;

/** Time of the last query of an entity that scales to zero. Written at most once a minute. The key is `useKey`. */
export interface EntityUse {
  readonly usedAt: number;
  /** True while it starts again after it has scaled to zero. */
  readonly isStarting?: true;
}

export const entityUses = collection<EntityUse>('platform.serving_uses', { cached: true });

/** Contains the version, because an entity of a new configuration has just been started. */
export const useKey = ({ workspaceId, id }: ServingEndpoint, { version }: EndpointConfig, entity: string): string =>
  `${workspaceId}/${id}/${version}/${entity}`;

/** The container that serves an entity. The key is `useKey`. */
export interface ModelContainer {
  readonly uid: string;
  readonly image: string;
  readonly port: number;
  /** Shell command; absent if the image's own command runs. */
  readonly command?: string;
  /** The name of the endpoint, and the version of the configuration that uses the container. */
  readonly endpoint: string;
  readonly version: number;
  /** Its environment, sealed: names and values as JSON, since values may be secrets. */
  readonly sealed: string;
  readonly status: GroupStatus;
}

export const modelContainers = collection<ModelContainer>('platform.model_containers', {
  fields: { uid: text((it) => it.uid) },
  indexes: [['uid']],
  cached: true,
  secrets: {
    what: 'variables of the containers of served models',
    afterwards: 'They are removed: update the configurations of the endpoints, which starts new containers',
    name: ({ endpoint }) => endpoint,
    remove: (container) => container,
  },
});

export const SERVING_COLLECTIONS = [servingEndpoints, entityUses, modelContainers] as const;
