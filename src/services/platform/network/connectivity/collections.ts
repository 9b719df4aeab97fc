import { collection, number, text } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';

/** How serverless compute of an account reaches its networks. The key is `configurationKey`. */
export interface NetworkConfiguration {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly region: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export const CONNECTION_STATES = [
  'CREATING',
  'PENDING',
  'ESTABLISHED',
  'REJECTED',
  'DISCONNECTED',
  'EXPIRED',
  'CREATE_FAILED',
] as const;

export type ConnectionState = (typeof CONNECTION_STATES)[number];

/** A private endpoint to a resource. The key is `endpointKey`. */
export interface EndpointRule {
  readonly id: string;
  readonly accountId: string;
  readonly configurationId: string;
  readonly region: string;
  /** The target of the endpoint, with the names of the API. */
  readonly target: JsonMembers;
  readonly state: ConnectionState;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly deactivatedAt?: number;
  readonly problem?: string;
}

/** Destinations that serverless compute may reach. The key is `policyKey`. */
export interface NetworkPolicy {
  readonly id: string;
  readonly accountId: string;
  readonly rules: JsonMembers;
  readonly createdAt: number;
}

/** The network policy of a workspace, under the id of the workspace; the default policy applies if there is no document. */
export interface WorkspaceNetwork {
  readonly accountId: string;
  readonly policyId: string;
}

export const configurationKey = (accountId: string, id: string): string => `${accountId}/${id}`;
export const endpointKey = (accountId: string, configurationId: string, id: string): string =>
  `${accountId}/${configurationId}/${id}`;
export const policyKey = (accountId: string, id: string): string => `${accountId}/${id}`;

export const networkConfigurations = collection<NetworkConfiguration>('platform.network_configurations', {
  fields: {
    account: text((it) => it.accountId),
    name: text((it) => it.name.toLowerCase()),
    createdAt: number((it) => it.createdAt),
  },
  indexes: [
    ['account', 'createdAt'],
    ['account', 'name'],
  ],
});

export const endpointRules = collection<EndpointRule>('platform.private_endpoint_rules', {
  fields: {
    id: text((it) => it.id),
    configuration: text(({ accountId, configurationId }) => configurationKey(accountId, configurationId)),
    createdAt: number((it) => it.createdAt),
  },
  indexes: [['configuration', 'createdAt'], ['id'], ['createdAt']],
});

export const networkPolicies = collection<NetworkPolicy>('platform.network_policies', {
  fields: { account: text((it) => it.accountId), createdAt: number((it) => it.createdAt) },
  indexes: [['account', 'createdAt']],
});

export const workspaceNetworks = collection<WorkspaceNetwork>('platform.workspace_networks', {
  fields: { policy: text(({ accountId, policyId }) => policyKey(accountId, policyId)) },
  indexes: [['policy']],
});

export const CONNECTIVITY_COLLECTIONS = [
  networkConfigurations,
  endpointRules,
  networkPolicies,
  workspaceNetworks,
] as const;
