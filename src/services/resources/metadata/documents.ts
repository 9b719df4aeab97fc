import { REGIONS } from '../../../kernel/arm/index.ts';

/**
 * How a jar describes itself as a cloud, in the shapes in which tools have read that over the years. Addresses are those of the jar; what
 * is named by a suffix alone (`{account}.storage.localhost`) is below `.localhost`, which leads to this machine everywhere.
 */

/** What a token for the management API may be asked for by its name; the first one is what the command line asks for. */
const MANAGEMENT_AUDIENCE = 'https://management.vendor.example/';

const CLOUD_NAME = 'Cloudjar';

const SUFFIXES = {
  azureDataLakeStoreFileSystem: 'datalakestore.localhost',
  acrLoginServer: 'registry.localhost',
  sqlServerHostname: 'sql.localhost',
  azureDataLakeAnalyticsCatalogAndJob: 'datalakeanalytics.localhost',
  keyVaultDns: 'vault.localhost',
  storage: 'storage.localhost',
  azureFrontDoorEndpointSuffix: 'frontdoor.localhost',
  storageSyncEndpointSuffix: 'storagesync.localhost',
  mhsmDns: 'managedhsm.localhost',
  mysqlServerEndpoint: 'mysql.localhost',
  postgresqlServerEndpoint: 'postgres.localhost',
  mariadbServerEndpoint: 'mariadb.localhost',
  synapseAnalytics: 'synapse.localhost',
  attestationEndpoint: 'attestation.localhost',
} as const;

/** Resource identifiers that came with the versions from 2022 on. */
const RESOURCE_IDS = [
  'microsoftGraphResourceId',
  'appInsightsResourceId',
  'appInsightsTelemetryChannelResourceId',
  'attestationResourceId',
  'synapseAnalyticsResourceId',
  'logAnalyticsResourceId',
  'ossrDbmsResourceId',
] as const;

const audiencesOf = (base: string): string[] => [base, MANAGEMENT_AUDIENCE];

function cloud(origin: string): Record<string, unknown> {
  const base = `${origin}/`;
  return {
    portal: origin,
    authentication: {
      loginEndpoint: origin,
      audiences: audiencesOf(base),
      tenant: 'common',
      identityProvider: 'AAD',
    },
    media: base,
    graphAudience: base,
    graph: base,
    name: CLOUD_NAME,
    suffixes: SUFFIXES,
    batch: base,
    resourceManager: base,
    vmImageAliasDoc: `${origin}/metadata/images.json`,
    activeDirectoryDataLake: base,
    sqlManagement: base,
  };
}

/** The two oldest versions name little more than where to sign in. */
const short = (origin: string): Record<string, unknown> => ({
  galleryEndpoint: `${origin}/`,
  graphEndpoint: `${origin}/`,
  portalEndpoint: origin,
  authentication: { loginEndpoint: origin, audiences: audiencesOf(`${origin}/`) },
});

/** A jar is the public cloud of whoever asks; there are no national ones in it. */
function shortWithClouds(origin: string): Record<string, unknown> {
  const endpoint = new URL(origin).host;
  const nowhere = { endpoint, locations: [] };
  return {
    ...short(origin),
    cloudEndpoint: {
      public: { endpoint, locations: REGIONS.map(({ name }) => name) },
      usGovCloud: nowhere,
      chinaCloud: nowhere,
      germanCloud: nowhere,
    },
  };
}

const listed = (origin: string): unknown[] => [{ ...cloud(origin), gallery: `${origin}/` }];

function single(origin: string): Record<string, unknown> {
  return { ...cloud(origin), ...Object.fromEntries(RESOURCE_IDS.map((name) => [name, `${origin}/`])) };
}

/** By api-version, newest first. */
export const DOCUMENTS: ReadonlyMap<string, (origin: string) => unknown> = new Map<string, (origin: string) => unknown>(
  [
    ['2023-11-01', single],
    ['2022-09-01', single],
    ['2020-09-01', listed],
    ['2020-06-01', listed],
    ['2020-01-01', listed],
    ['2019-10-01', listed],
    ['2019-05-01', listed],
    ['2018-05-01', listed],
    ['2017-12-01', shortWithClouds],
    ['2015-01-01', short],
  ],
);
