import type { ResourceHead, ResourceType } from '../../kernel/arm/index.ts';

export const NAMESPACE = 'Vendor.DataShare';

/** Every published version, newest first. Their differences are in `version-table.ts`. */
export const API_VERSIONS: readonly string[] = [
  '2021-08-01',
  '2020-10-01-preview',
  '2020-09-01',
  '2019-11-01',
  '2018-11-01-preview',
];

export const ACCOUNT: ResourceHead = {
  type: `${NAMESPACE}/accounts`,
  apiVersions: API_VERSIONS,
  tracked: true,
  operations: 'Accounts',
};

/** The child resource types of an account, without the namespace. */
export const TYPES = {
  share: 'accounts/shares',
  dataSet: 'accounts/shares/dataSets',
  invitation: 'accounts/shares/invitations',
  setting: 'accounts/shares/synchronizationSettings',
  consumer: 'accounts/shares/providerShareSubscriptions',
  subscription: 'accounts/shareSubscriptions',
  source: 'accounts/shareSubscriptions/consumerSourceDataSets',
  mapping: 'accounts/shareSubscriptions/dataSetMappings',
  trigger: 'accounts/shareSubscriptions/triggers',
  consumerInvitation: 'locations/consumerInvitations',
} as const;

const untracked = (name: string): ResourceType => ({
  type: `${NAMESPACE}/${name}`,
  apiVersions: API_VERSIONS,
  tracked: false,
});

/** Includes the provider's other types, for clients that list them. */
export const RESOURCE_TYPES: readonly ResourceType[] = [
  ACCOUNT,
  ...[
    ...Object.values(TYPES),
    'listInvitations',
    'locations',
    'locations/operationResults',
    'locations/registerEmail',
    'locations/activateEmail',
    'locations/rejectInvitation',
    'operations',
  ].map(untracked),
];
