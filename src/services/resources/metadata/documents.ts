import { REGIONS } from '../../../kernel/arm/index.ts';

/**
 * A jar's description of itself as a cloud, in all shapes that tools have read over the years. Most addresses are the jar's own; addresses
 * that are given only as a suffix (`{account}.storage.localhost`) are below `.localhost`, which always resolves to this machine.
 */

/** Audiences of tokens for the management API; the command line requests the first one. */
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

/** Resource identifiers that the versions from 2022 on added. */
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

/** The two oldest versions list little more than the sign-in addresses. */
const short = (origin: string): Record<string, unknown> => ({
  galleryEndpoint: `${origin}/`,
  graphEndpoint: `${origin}/`,
  portalEndpoint: origin,
  authentication: { loginEndpoint: origin, audiences: audiencesOf(`${origin}/`) },
});

/** A jar is always the public cloud; it has no national clouds. */
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
