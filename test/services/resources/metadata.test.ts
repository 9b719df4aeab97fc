import { describe, expect, test } from 'vitest';
import { withJar } from '../../support/jars.ts';
import { trust } from '../../support/trust.ts';

/** Documents that tools read before sign-in when they register a cloud. */
withJar((bench) => {
  async function endpoints(version: string | undefined, origin = bench.jar.url) {
    const query = version === undefined ? '' : `?api-version=${version}`;
    const response = await fetch(`${origin}/metadata/endpoints${query}`);
    return { status: response.status, headers: response.headers, body: (await response.json()) as never };
  }

  const authentication = (origin: string) => ({
    loginEndpoint: origin,
    audiences: [`${origin}/`, 'https://management.vendor.example/'],
  });

  const cloud = (origin: string) => ({
    portal: origin,
    authentication: { ...authentication(origin), tenant: 'common', identityProvider: 'AAD' },
    media: `${origin}/`,
    graphAudience: `${origin}/`,
    graph: `${origin}/`,
    name: 'Cloudjar',
    suffixes: {
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
    },
    batch: `${origin}/`,
    resourceManager: `${origin}/`,
    vmImageAliasDoc: `${origin}/metadata/images.json`,
    activeDirectoryDataLake: `${origin}/`,
    sqlManagement: `${origin}/`,
  });

  const short = (origin: string) => ({
    galleryEndpoint: `${origin}/`,
    graphEndpoint: `${origin}/`,
    portalEndpoint: origin,
    authentication: authentication(origin),
  });

  const single = (origin: string) => ({
    ...cloud(origin),
    microsoftGraphResourceId: `${origin}/`,
    appInsightsResourceId: `${origin}/`,
    appInsightsTelemetryChannelResourceId: `${origin}/`,
    attestationResourceId: `${origin}/`,
    synapseAnalyticsResourceId: `${origin}/`,
    logAnalyticsResourceId: `${origin}/`,
    ossrDbmsResourceId: `${origin}/`,
  });

  const listed = (origin: string) => [{ ...cloud(origin), gallery: `${origin}/` }];

  const withClouds = (origin: string) => {
    const { host: endpoint } = new URL(origin);
    const nowhere = { endpoint, locations: [] };
    return {
      ...short(origin),
      cloudEndpoint: {
        public: { endpoint, locations: expect.arrayContaining(['westeurope', 'eastus']) },
        usGovCloud: nowhere,
        chinaCloud: nowhere,
        germanCloud: nowhere,
      },
    };
  };

  const shapes: [version: string, shape: (origin: string) => unknown][] = [
    ['2015-01-01', short],
    ['2017-12-01', withClouds],
    ['2018-05-01', listed],
    ['2019-05-01', listed],
    ['2019-10-01', listed],
    ['2020-01-01', listed],
    ['2020-06-01', listed],
    ['2020-09-01', listed],
    ['2022-09-01', single],
    ['2023-11-01', single],
  ];

  test.for(shapes)('%s has its shape, for anybody', async ([version, shape]) => {
    trust(bench.jar);
    const { status, headers, body } = await endpoints(version, bench.jar.httpsUrl);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(body).toEqual(shape(bench.jar.httpsUrl));
  });

  describe('the addresses', () => {
    test('have the name by which the caller reached the jar, and always TLS', async () => {
      trust(bench.jar);
      const { port } = new URL(bench.jar.httpsUrl);
      const loopback = `https://127.0.0.1:${port}`;
      expect((await endpoints('2022-09-01', loopback)).body).toEqual(single(loopback));
      expect((await endpoints('2022-09-01', bench.jar.url)).body).toEqual(single(loopback));
      const named = bench.jar.url.replace('127.0.0.1', 'localhost');
      expect((await endpoints('2022-09-01', named)).body).toEqual(single(`https://localhost:${port}`));
    });
  });

  test('a version that is missing or unknown is refused as by any type of the gateway', async () => {
    expect(await endpoints(undefined)).toMatchObject({
      status: 400,
      body: { error: { code: 'MissingApiVersionParameter' } },
    });
    const supported = shapes.map(([version]) => version).reverse();
    for (const version of ['2022-09-02', '2024-11-01', 'latest']) {
      expect(await endpoints(version)).toMatchObject({
        status: 400,
        body: {
          error: {
            code: 'InvalidApiVersionParameter',
            message: `The api-version '${version}' is invalid. The supported versions are '${supported.join(',')}'.`,
          },
        },
      });
    }
  });

  test('nothing else is there', async () => {
    expect((await fetch(`${bench.jar.url}/metadata/other?api-version=2022-09-01`)).status).toBe(404);
  });
});
