import { beforeEach, expect, it } from 'vitest';
import { datasets } from '../../../src/services/datasets/collections.ts';
import { SERVICES } from '../../../src/services.ts';
import { JarProbe } from '../../support/jar-probe.ts';
import { onBothStores } from '../../support/jars.ts';
import { publishedClient } from './published-client.ts';
import { type Ask, good, person, rowsOf } from './support.ts';

const probe = new JarProbe();

const SALES = {
  name: 'Sales',
  tables: [
    {
      name: 'Product',
      columns: [
        { name: 'Id', dataType: 'Int64' },
        { name: 'Name', dataType: 'string' },
        { name: 'Price', dataType: 'Decimal' },
        { name: 'Listed', dataType: 'bool' },
        { name: 'Since', dataType: 'DateTime' },
      ],
    },
  ],
};

onBothStores(
  'the story of a push dataset',
  (bench) => {
    let ask: Ask;
    let workspace: string;

    beforeEach(async () => {
      await bench.jar.reset();
      ask = await person(bench);
      workspace = (await good(ask('POST', 'groups', { name: 'Story' }))).id;
    });

    it('a published client creates, pushes, lists, changes and deletes, unchanged', async () => {
      const client = await publishedClient(bench, workspace);
      expect(await client('getDatasets')).toMatchObject({ value: [] });
      const { id, name } = await client('postDataset', SALES);
      expect(name).toBe('Sales');
      expect(await client('getDatasets')).toMatchObject({ value: [{ id, name: 'Sales' }] });
      expect(await client('getDatasetById', id)).toMatchObject({ id, name: 'Sales' });
      expect((await client('getTables', id)).value[0].columns).toMatchObject([
        { name: 'Id', dataType: 'Int64' },
        { name: 'Name', dataType: 'String' },
        { name: 'Price', dataType: 'Decimal' },
        { name: 'Listed', dataType: 'Boolean' },
        { name: 'Since', dataType: 'DateTime' },
      ]);
      const rows = [
        { Id: 1, Name: 'Adjustable Race', Price: 12.5, Listed: true, Since: '07/30/2014' },
        { Id: 2, Name: 'LL Crankarm' },
      ];
      await client('postRows', id, 'Product', { rows });
      expect(await rowsOf(probe.jar, id, 'Product')).toEqual([
        [1, 'Adjustable Race', 125_000, 1, 41_850],
        [2, 'LL Crankarm', null, null, null],
      ]);
      const columns = [...SALES.tables[0]!.columns.slice(0, 2), { name: 'Color', dataType: 'string' }];
      await client('putTable', id, 'Product', { name: 'Product', columns });
      expect(await rowsOf(probe.jar, id, 'Product')).toEqual([
        [1, 'Adjustable Race', null],
        [2, 'LL Crankarm', null],
      ]);
      await client('deleteRows', id, 'Product');
      expect(await rowsOf(probe.jar, id, 'Product')).toEqual([]);
      await expect(client('postRows', id, 'Nosuch', { rows })).rejects.toMatchObject({
        statusCode: 404,
        code: 'ItemNotFound',
      });
      await client('deleteDatasetById', id);
      await expect(client('getDatasetById', id)).rejects.toMatchObject({
        statusCode: 404,
        code: 'PowerBIEntityNotFound',
      });
      const stranger = await publishedClient(bench, workspace, 'licensed');
      await expect(stranger('getDatasets')).rejects.toMatchObject({ statusCode: 404 });
    });

    it('the whole record of a dataset, in "My workspace"', async () => {
      const made = await ask('POST', 'datasets?defaultRetentionPolicy=basicFIFO', SALES);
      const { id } = made.body;
      expect(made.status).toBe(201);
      expect(made.headers.get('location')).toMatch(new RegExp(`/v1\\.0/myorg/datasets/${id}$`));
      expect(made.body).toMatchObject({
        '@odata.context': expect.stringContaining('/v1.0/myorg/$metadata#datasets'),
        name: 'Sales',
        defaultRetentionPolicy: 'basicFIFO',
        addRowsAPIEnabled: true,
        configuredBy: 'admin@vendor.example',
        isRefreshable: false,
        isEffectiveIdentityRequired: false,
        isEffectiveIdentityRolesRequired: false,
        isOnPremGatewayRequired: false,
        isInPlaceSharingEnabled: false,
        targetStorageMode: 'Abf',
        upstreamDataflows: [],
        users: [],
        queryScaleOutSettings: { autoSyncReadOnlyReplicas: true, maxReadOnlyReplicas: 0 },
      });
      const { defaultRetentionPolicy: _policy, '@odata.context': _context, ...record } = made.body;
      expect((await good(ask('GET', 'datasets'))).value).toEqual([record]);
      expect(await good(ask('GET', `datasets/${id}`))).toMatchObject(record);
      const expanded = (await good(ask('GET', 'datasets?$expand=Encryption'))).value;
      expect(expanded).toEqual([{ ...record, encryption: { EncryptionStatus: 'NotSupported' } }]);
      expect(record.createdDate).toBe(bench.jar.clock.now().toISOString());
    });

    it('a deletion leaves nothing behind', async () => {
      const documents = async (): Promise<unknown> => {
        const { store } = probe.jar;
        const names = [...SERVICES, { collections: [] }].flatMap(({ collections = [] }) => collections);
        const own = names.filter(({ name }) => name.startsWith('datasets.') && name !== 'datasets.workspaces');
        return Promise.all(own.map((each) => store.count(each)));
      };
      const before = await documents();
      const { id } = await good(ask('POST', `groups/${workspace}/datasets`, SALES));
      await good(ask('POST', `groups/${workspace}/datasets/${id}/tables/Product/rows`, { rows: [{ Id: 1 }] }));
      const { storage } = await tableOf(id);
      await good(ask('DELETE', `groups/${workspace}/datasets/${id}`));
      expect(await documents()).toEqual(before);
      expect(await probe.jar.store.tables.definition(storage)).toBeUndefined();
    });

    it('a deleted workspace takes its datasets with it', async () => {
      const { id } = await good(ask('POST', `groups/${workspace}/datasets`, SALES));
      const { storage } = await tableOf(id);
      await good(ask('DELETE', `groups/${workspace}`));
      expect((await ask('GET', `groups/${workspace}/datasets/${id}`)).status).toBe(404);
      await bench.jar.settled();
      expect(await probe.jar.store.tables.definition(storage)).toBeUndefined();
    });

    it('a deferred creation answers 202, and the dataset exists when it is due', async () => {
      const { status } = await bench.call('PATCH', '/_jar/datasets/settings', {
        token: bench.jar.adminKey,
        body: { deferredCreation: '30s' },
      });
      expect(status).toBe(200);
      const accepted = await ask('POST', 'datasets', SALES);
      expect(accepted).toMatchObject({ status: 202, body: { name: 'Sales', defaultRetentionPolicy: 'None' } });
      const { id } = accepted.body;
      expect((await ask('GET', `datasets/${id}`)).status).toBe(404);
      expect((await good(ask('GET', 'datasets'))).value).toEqual([]);
      expect((await ask('POST', `datasets/${id}/tables/Product/rows`, { rows: [] })).status).toBe(404);
      await bench.jar.clock.advance('30s');
      expect((await good(ask('GET', 'datasets'))).value).toMatchObject([{ id }]);
    });

    const tableOf = async (id: string) => {
      return (await probe.jar.store.get(datasets, id))!.value.tables[0]!;
    };
  },
  { services: [...SERVICES, probe.service] },
);
