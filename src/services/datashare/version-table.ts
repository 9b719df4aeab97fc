import { ProviderVersions, type VersionRow } from '../../kernel/arm/index.ts';

/** The features of each api-version. */

const SYSTEM_DATA = ['systemData'];
const EXPIRY = ['properties.expirationDate'];
const EMAIL_OPERATIONS = ['EmailRegistrations_RegisterEmail', 'EmailRegistrations_ActivateEmail'];
const IN_PLACE = ['BlobStorageAccount', 'AdlsGen2StorageAccount'];

const ROWS: readonly VersionRow[] = [
  { version: '2018-11-01-preview' },
  {
    version: '2019-11-01',
    adds: {
      operations: EMAIL_OPERATIONS,
      fields: { 'accounts/shareSubscriptions': ['properties.sourceShareLocation'] },
      required: { 'accounts/shareSubscriptions': ['properties.sourceShareLocation'] },
    },
  },
  {
    version: '2020-09-01',
    adds: {
      operations: ['ProviderShareSubscriptions_Adjust'],
      fields: {
        accounts: SYSTEM_DATA,
        'accounts/shares': SYSTEM_DATA,
        'accounts/shares/dataSets': SYSTEM_DATA,
        'accounts/shares/invitations': [...SYSTEM_DATA, ...EXPIRY],
        'accounts/shares/providerShareSubscriptions': [...SYSTEM_DATA, ...EXPIRY],
        'accounts/shareSubscriptions': [...SYSTEM_DATA, ...EXPIRY],
        'accounts/shareSubscriptions/consumerSourceDataSets': SYSTEM_DATA,
        'accounts/shareSubscriptions/dataSetMappings': SYSTEM_DATA,
        'accounts/shareSubscriptions/triggers': SYSTEM_DATA,
        'locations/consumerInvitations': [...SYSTEM_DATA, ...EXPIRY],
      },
      words: {
        'accounts/shares/dataSets': { kind: ['SynapseWorkspaceSqlPoolTable'] },
        'accounts/shareSubscriptions/dataSetMappings': { kind: ['SynapseWorkspaceSqlPoolTable'] },
      },
    },
  },
  {
    version: '2020-10-01-preview',
    adds: {
      words: {
        'accounts/shares/dataSets': { kind: IN_PLACE },
        'accounts/shareSubscriptions/dataSetMappings': { kind: IN_PLACE },
      },
    },
    drops: { operations: EMAIL_OPERATIONS },
  },
  {
    version: '2021-08-01',
    as: '2020-09-01',
    adds: {
      words: {
        'accounts/shares/dataSets': { kind: ['KustoTable'] },
        'accounts/shareSubscriptions/dataSetMappings': { kind: ['KustoTable'] },
      },
    },
  },
];

export const DATASHARE_VERSIONS = new ProviderVersions(ROWS);
