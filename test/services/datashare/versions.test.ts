import { expect, it } from 'vitest';
import { RESOURCE_TYPES } from '../../../src/services/datashare/types.ts';
import { DATASHARE_VERSIONS } from '../../../src/services/datashare/version-table.ts';
import { onAnyStore } from '../../support/jars.ts';
import { type Ask, giver, good, makeAccounts, PROVIDER, SHARE, shareContainer, TAKEN, taker } from './support.ts';

const VERSIONS = ['2018-11-01-preview', '2019-11-01', '2020-09-01', '2020-10-01-preview', '2021-08-01'];
const WITH_SYSTEM_DATA = VERSIONS.slice(2);
const WITH_EMAILS = ['2019-11-01', '2020-09-01', '2021-08-01'];

it('the manifest names the versions of the table', () => {
  for (const { type, apiVersions } of RESOURCE_TYPES)
    expect(apiVersions, type).toEqual(DATASHARE_VERSIONS.of(type.slice(type.indexOf('/') + 1)).names);
});

onAnyStore('the versions of data sharing', (bench) => {
  let give: Ask;
  let take: Ask;

  it('begin with a share that was accepted', async () => {
    [give, take] = [await giver(bench), await taker(bench)];
    await makeAccounts(give, take);
    await shareContainer(give, take);
  });

  it.each(VERSIONS)('show the system data as %s has it', async (version) => {
    const has = WITH_SYSTEM_DATA.includes(version);
    for (const path of [PROVIDER, SHARE, `${SHARE}/dataSets/all`, `${SHARE}/invitations/otto`])
      expect('systemData' in (await good(give('GET', `${path}?api-version=${version}`))), path).toBe(has);
    for (const path of [TAKEN, `${TAKEN}/dataSetMappings/all`])
      expect('systemData' in (await good(take('GET', `${path}?api-version=${version}`))), path).toBe(has);
  });

  it.each(VERSIONS)('register addresses as %s has it', async (version) => {
    const path = `/providers/Vendor.DataShare/locations/eastus/registerEmail?api-version=${version}`;
    expect((await give('POST', path)).status).toBe(WITH_EMAILS.includes(version) ? 200 : 400);
  });

  it.each([
    ['KustoTable', { kustoDatabaseResourceId: '/d' }, ['2021-08-01']],
    ['SynapseWorkspaceSqlPoolTable', { synapseWorkspaceSqlPoolTableResourceId: '/t' }, WITH_SYSTEM_DATA],
    ['BlobStorageAccount', { storageAccountResourceId: '/a' }, ['2020-10-01-preview']],
    ['KustoCluster', { kustoClusterResourceId: '/c' }, VERSIONS],
  ])('have data sets of the kind %s where they should', async (kind, properties, versions) => {
    const accepting: string[] = [];
    for (const version of VERSIONS) {
      const path = `${SHARE}/dataSets/${kind}${version}?api-version=${version}`;
      const { status } = await give('PUT', path, { kind, properties });
      if (status === 201) accepting.push(version);
    }
    expect(accepting).toEqual(versions);
  });

  it('refuse a version that was never published', async () => {
    const refused = await give('GET', `${SHARE}?api-version=2017-01-01`);
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'NoRegisteredProviderFound' } } });
  });

  it('are found under the alias of the provider too', async () => {
    const alias = await give('GET', SHARE.replace('Vendor.DataShare', 'Microsoft.DataShare'));
    expect(alias).toMatchObject({ status: 200, body: { type: 'Microsoft.DataShare/accounts/shares' } });
    const made = await give('PUT', `${PROVIDER}/shares/spoken`.replace('Vendor.', 'Microsoft.'), {});
    expect([made.headers.get('location'), made.headers.get('x-ms-quota'), made.text].join()).not.toContain('Vendor.');
    const gone = await give('DELETE', `${PROVIDER}/shares/spoken`.replace('Vendor.', 'Microsoft.'));
    expect(gone.headers.get('location')).toContain('/providers/Microsoft.DataShare/locations/eastus/operationResults/');
  });

  it.each([
    ['Shares_Create', ['200', '201']],
    ['DataSetMappings_Create', ['200', '201']],
    ['DataSets_Delete', ['200', '204']],
    ['Shares_Delete', ['202', '204']],
    ['ProviderShareSubscriptions_Revoke', ['202']],
    ['ShareSubscriptions_Synchronize', ['202']],
    ['ShareSubscriptions_CancelSynchronization', ['200', '202']],
    ['ShareSubscriptions_GetSynchronization', ['200', '202']],
  ])('are described with the answers that %s gives', async (operation, statuses) => {
    const { body } = await bench.call('GET', '/_jar/openapi.json', { token: bench.jar.adminKey });
    const all = Object.values(body.paths).flatMap((path) => Object.values(path as object));
    const found = all.find(({ operationId }) => operationId === operation);
    expect(Object.keys(found.responses).filter((status) => status < '300')).toEqual(statuses);
  });

  it('list what can be done', async () => {
    const { value } = await good(give('GET', '/providers/Vendor.DataShare/operations'));
    const names = value.map(({ name }: { name: string }) => name);
    expect(names).toContain('Vendor.DataShare/accounts/shareSubscriptions/synchronize/action');
    expect(names).toContain('Vendor.DataShare/operations/read');
    expect(new Set(names).size).toBe(names.length);
  });
});
