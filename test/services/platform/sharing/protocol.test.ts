import { beforeEach, expect, it } from 'vitest';
import { byId } from '../../../../src/services/platform/catalog/core/chain.ts';
import { keyOf, securables } from '../../../../src/services/platform/catalog/core/securables.ts';
import { columnsOf } from '../../../../src/services/platform/catalog/tables/column-store.ts';
import { filesAt } from '../../../../src/services/platform/catalog/tables/data/files.ts';
import { replaceFiles } from '../../../../src/services/platform/catalog/tables/data/log.ts';
import { type Row, stageRows } from '../../../../src/services/platform/catalog/tables/data/rows.ts';
import type { PlatformJar } from '../../../../src/services/platform/jar.ts';
import { SERVICES } from '../../../../src/services.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { onBothStores } from '../../../support/jars.ts';
import { type Ask, good, person, withoutRates } from '../support.ts';
import { type Profile, SharingClient } from './sharing-client.ts';

const UC = '/api/2.1/unity-catalog';
const probe = new JarProbe();

const ORDERS = { share: 'partners', schema: 'sales', table: 'orders' };

const COLUMNS = [
  { name: 'id', type_name: 'LONG', type_text: 'bigint', nullable: false },
  { name: 'item', type_name: 'STRING', type_text: 'string' },
  { name: 'price', type_name: 'DECIMAL', type_text: 'decimal(10,2)', type_precision: 10, type_scale: 2 },
  { name: 'region', type_name: 'STRING', type_text: 'string', partition_index: 0 },
];

onBothStores(
  'data platform: the open sharing protocol',
  (bench) => {
    let ask: Ask;
    let table: { readonly table_id: string };

    /** Writes rows as the next version of a table, as a statement does. */
    async function write(id: string, rows: readonly Row[], mode: 'append' | 'overwrite' = 'append'): Promise<number> {
      const jar = probe.jar as PlatformJar;
      const found = await byId(jar.store, id);
      if (!found) throw new Error('there is no such table');
      const add = await stageRows(jar, await columnsOf(jar.store, found), rows);
      const remove = mode === 'overwrite' ? 'all' : [];
      const { version } = await jar.store.transact((tx) =>
        replaceFiles(tx, jar, found, { operation: 'WRITE', by: found.owner, add, remove }),
      );
      return version;
    }

    const makeTable = (name: string, schema_name = 'default', columns: readonly object[] = COLUMNS) =>
      good(
        ask('POST', `${UC}/tables`, {
          name,
          catalog_name: 'main',
          schema_name,
          table_type: 'EXTERNAL',
          data_source_format: 'DELTA',
          storage_location: `abfss://data@store.dfs.core.windows.net/${schema_name}/${name}`,
          columns,
        }),
      );

    const update = (share: string, action: string, data_object: object) =>
      ask('PATCH', `${UC}/shares/${share}`, { updates: [{ action, data_object }] });

    async function recipient(name: string, rest: object = {}): Promise<SharingClient> {
      const made = await good(ask('POST', `${UC}/recipients`, { name, authentication_type: 'TOKEN', ...rest }));
      const code = made.activation_url.split('?')[1];
      const profile: Profile = await good(bench.call('GET', `${UC}/public/data_sharing_activation/${code}`, {}));
      return new SharingClient(bench, profile);
    }

    const give = (share: string, principal: string, add = ['SELECT'], remove: string[] = []) =>
      good(ask('PATCH', `${UC}/shares/${share}/permissions`, { changes: [{ principal, add, remove }] }));

    beforeEach(async () => {
      await bench.jar.reset();
      await withoutRates(bench);
      ask = await person(bench);
      await good(ask('GET', `${UC}/metastore_summary`));
      table = await makeTable('orders');
      await good(ask('POST', `${UC}/shares`, { name: 'partners', comment: 'for partners' }));
      await good(
        update('partners', 'ADD', {
          name: 'main.default.orders',
          data_object_type: 'TABLE',
          shared_as: 'sales.orders',
        }),
      );
    });

    it('a recipient finds the share and reads the rows of its table', async () => {
      await write(table.table_id, [
        [1n, 'tea', 250n, 'north'],
        [2n, 'salt', 99n, 'south'],
        [3n, null, null, 'north'],
      ]);
      const client = await recipient('ada');
      expect(await client.list('/shares')).toEqual([]);
      await give('partners', 'ada');
      expect(await client.list('/shares')).toEqual([
        { name: 'partners', id: expect.any(String), comment: 'for partners' },
      ]);
      expect((await client.ask('GET', '/shares/PARTNERS')).body.share.name).toBe('partners');
      expect(await client.list('/shares/partners/schemas')).toEqual([{ name: 'sales', share: 'partners' }]);
      const listed = [
        expect.objectContaining({ name: 'orders', schema: 'sales', share: 'partners', id: table.table_id }),
      ];
      expect(await client.list('/shares/partners/schemas/Sales/tables')).toEqual(listed);
      expect(await client.list('/shares/partners/all-tables')).toEqual(listed);

      const version = await client.ask('GET', `${client.path(ORDERS)}/version`);
      expect([version.status, version.text, version.headers.get('delta-table-version')]).toEqual([200, '', '1']);
      const head = await client.ask('HEAD', client.path(ORDERS));
      expect([head.status, head.headers.get('delta-table-version')]).toEqual([200, '1']);

      const { lines } = await client.metadata(ORDERS);
      expect(lines).toEqual([
        { protocol: { minReaderVersion: 1 } },
        {
          metaData: {
            id: table.table_id,
            name: 'orders',
            format: { provider: 'parquet' },
            schemaString: expect.any(String),
            partitionColumns: ['region'],
            configuration: {},
            size: expect.any(Number),
            numFiles: 2,
          },
        },
      ]);
      const schema = JSON.parse(String(lines[1]?.metaData?.schemaString));
      expect(schema).toEqual({
        type: 'struct',
        fields: [
          { name: 'id', type: 'long', nullable: false, metadata: {} },
          { name: 'item', type: 'string', nullable: true, metadata: {} },
          { name: 'price', type: 'decimal(10,2)', nullable: true, metadata: {} },
          { name: 'region', type: 'string', nullable: true, metadata: {} },
        ],
      });
      const rows = await client.rows(ORDERS);
      expect(rows.toSorted((a, b) => Number(a.id) - Number(b.id))).toEqual([
        expect.objectContaining({ id: 1n, item: 'tea', price: 2.5, region: 'north' }),
        expect.objectContaining({ id: 2n, item: 'salt', price: 0.99, region: 'south' }),
        expect.objectContaining({ id: 3n, item: null, price: null, region: 'north' }),
      ]);
      await give('partners', 'ada', [], ['SELECT']);
      expect(await client.list('/shares')).toEqual([]);
      expect((await client.ask('GET', client.path(ORDERS).concat('/version'))).status).toBe(404);
    });

    it('a link is good for an hour, for anybody who has it, and for ranges of its bytes', async () => {
      await write(table.table_id, [[1n, 'tea', 250n, 'north']]);
      const client = await recipient('ada');
      await give('partners', 'ada');
      const { lines } = await client.query(ORDERS);
      const { url, size, stats, expirationTimestamp } = (lines[2]?.file ?? {}) as {
        url: string;
        size: number;
        stats: string;
        expirationTimestamp: number;
      };
      const now = (await bench.jar.clock.now()).getTime();
      expect(expirationTimestamp).toBe(now + 3_600_000);
      expect(JSON.parse(stats)).toMatchObject({ numRecords: 1, minValues: { id: 1 }, maxValues: { id: 1 } });
      const whole = new Uint8Array(await (await client.download(url)).arrayBuffer());
      expect(whole.length).toBe(size);
      expect(Buffer.from(whole.subarray(0, 4)).toString()).toBe('PAR1');
      const part = await client.download(url, { range: 'bytes=0-3' });
      expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
        206,
        `bytes 0-3/${size}`,
        'PAR1',
      ]);
      const tail = await client.download(url, { range: 'bytes=-4' });
      expect([tail.status, await tail.text()]).toEqual([206, 'PAR1']);
      expect((await client.download(url, { range: `bytes=${size}-` })).status).toBe(416);
      expect((await client.download(`${url}x`)).status).toBe(403);
      await bench.jar.clock.advance('1h');
      const late = await client.download(url);
      expect([late.status, await late.json()]).toEqual([
        403,
        { errorCode: 'PERMISSION_DENIED', message: 'The link is unknown or has expired.' },
      ]);
    });

    it('earlier versions and changes are read where the share says so', async () => {
      const client = await recipient('ada');
      await give('partners', 'ada');
      await write(table.table_id, [[1n, 'tea', 1n, 'north']]);
      await bench.jar.clock.advance('1h');
      const between = new Date((await bench.jar.clock.now()).getTime() - 60_000).toISOString();
      await write(table.table_id, [[2n, 'salt', 2n, 'north']], 'overwrite');
      const ids = async (body: object) => (await client.rows(ORDERS, body)).map(({ id }) => id);
      expect(await ids({})).toEqual([2n]);
      const refused = async (body: object) => {
        const { status, body: error } = await client.ask('POST', `${client.path(ORDERS)}/query`, body);
        return [status, error.errorCode];
      };
      expect(await refused({ version: 1 })).toEqual([400, 'INVALID_PARAMETER_VALUE']);
      expect((await client.ask('GET', `${client.path(ORDERS)}/changes?startingVersion=0`)).status).toBe(400);
      const object = { name: 'main.default.orders', data_object_type: 'TABLE' };
      await good(
        update('partners', 'UPDATE', { ...object, history_data_sharing_status: 'ENABLED', cdf_enabled: true }),
      );
      expect(await ids({ version: 1 })).toEqual([1n]);
      expect(await ids({ version: 0 })).toEqual([]);
      expect(await ids({ timestamp: between })).toEqual([1n]);
      for (const body of [
        { version: 3 },
        { version: -1 },
        { version: 1, timestamp: between },
        { version: 1, startingVersion: 1 },
        { timestamp: 'yesterday' },
        { timestamp: '2000-01-01T00:00:00Z' },
        { startingVersion: 9 },
      ])
        expect(await refused(body), JSON.stringify(body)).toEqual([400, 'INVALID_PARAMETER_VALUE']);
      const { lines, version } = await client.changes(ORDERS, 'startingVersion=1');
      expect(version).toBe(1);
      expect(lines.slice(2).map((line) => [Object.keys(line)[0], Object.values(line)[0]?.version])).toEqual([
        ['add', 1],
        ['remove', 2],
        ['add', 2],
      ]);
      const range = await client.changes(ORDERS, 'startingVersion=0&endingVersion=1');
      expect(range.lines.slice(2).map((line) => Object.keys(line)[0])).toEqual(['add']);
      expect((await client.ask('GET', `${client.path(ORDERS)}/changes`)).status).toBe(400);
      expect((await client.ask('GET', `${client.path(ORDERS)}/changes?startingVersion=2&endingVersion=1`)).status).toBe(
        400,
      );
      const since = await client.query(ORDERS, { startingVersion: 2 });
      expect(since.lines.slice(2).map((line) => Object.keys(line)[0])).toEqual(['remove', 'add']);
      await good(update('partners', 'UPDATE', { ...object, start_version: 2 }));
      expect(await refused({ version: 1 })).toEqual([400, 'INVALID_PARAMETER_VALUE']);
      expect((await client.metadata(ORDERS, '?version=2')).lines[1]?.metaData?.version).toBe(2);
    });

    it('clients that read the Delta format alone get it, and what was chosen is echoed', async () => {
      await write(table.table_id, [[1n, 'tea', 250n, 'north']]);
      const client = await recipient('ada');
      await give('partners', 'ada');
      const capabilities = (value: string) => ({ 'delta-sharing-capabilities': value });
      const delta = await client.query(ORDERS, {}, capabilities('ResponseFormat=DELTA;includeEndStreamAction=true'));
      expect(delta.headers.get('delta-sharing-capabilities')).toBe('responseformat=delta;includeendstreamaction=true');
      expect(delta.lines).toEqual([
        { protocol: { deltaProtocol: { minReaderVersion: 1, minWriterVersion: 2 } } },
        {
          metaData: expect.objectContaining({
            deltaMetadata: expect.objectContaining({ partitionColumns: ['region'] }),
          }),
        },
        {
          file: expect.objectContaining({
            id: expect.any(String),
            deltaSingleAction: {
              add: expect.objectContaining({ path: expect.any(String), partitionValues: { region: 'north' } }),
            },
          }),
        },
        { endStreamAction: { minUrlExpirationTimestamp: expect.any(Number) } },
      ]);
      const both = await client.query(ORDERS, {}, capabilities('responseformat=delta,parquet'));
      expect(both.headers.get('delta-sharing-capabilities')).toBe('responseformat=parquet');
      expect(both.lines[2]?.file?.url).toEqual(expect.any(String));
      const hashed = await client.query(ORDERS, {}, { fileidhash: 'Parquet' });
      expect(hashed.headers.get('fileidhash')).toBe('parquet');
      expect((await client.ask('POST', `${client.path(ORDERS)}/query`, {}, { fileidhash: 'md5' })).status).toBe(400);
    });

    it('a share may give each recipient its part of a table', async () => {
      await write(table.table_id, [
        [1n, 'tea', 1n, 'north'],
        [2n, 'salt', 2n, 'south'],
        [3n, 'rice', 3n, 'southeast'],
      ]);
      const object = { name: 'main.default.orders', data_object_type: 'TABLE' };
      const partitions = (op: string) => [{ values: [{ name: 'region', op, recipient_property_key: 'region' }] }];
      await good(update('partners', 'UPDATE', { ...object, partitions: partitions('EQUAL') }));
      const ada = await recipient('ada', { properties_kvpairs: { properties: { region: 'south' } } });
      const ben = await recipient('ben', { properties_kvpairs: { properties: { region: 'south%' } } });
      const nobody = await recipient('nobody');
      for (const name of ['ada', 'ben', 'nobody']) await give('partners', name);
      const ids = async (client: SharingClient) => (await client.rows(ORDERS)).map(({ id }) => id).toSorted();
      expect([await ids(ada), await ids(ben), await ids(nobody)]).toEqual([[2n], [], []]);
      await good(update('partners', 'UPDATE', { ...object, partitions: partitions('LIKE') }));
      expect([await ids(ada), await ids(ben)]).toEqual([[2n], [2n, 3n]]);
    });

    it('of a schema that is shared as a whole every table is found, also those that come later', async () => {
      await good(ask('POST', `${UC}/schemas`, { name: 'whole', catalog_name: 'main' }));
      await good(
        update('partners', 'ADD', { name: 'main.whole', data_object_type: 'SCHEMA', shared_as: 'everything' }),
      );
      const client = await recipient('ada');
      await give('partners', 'ada');
      for (const name of ['c', 'a', 'b']) await makeTable(name, 'whole');
      const names = async (size?: number) =>
        (await client.list('/shares/partners/all-tables', size)).map(({ schema, name }) => `${schema}.${name}`);
      const all = ['everything.a', 'everything.b', 'everything.c', 'sales.orders'];
      expect(await names()).toEqual(all);
      expect(await names(1)).toEqual(all);
      expect(await names(3)).toEqual(all);
      const some = await client.list('/shares/partners/schemas/everything/tables', 2);
      expect(some.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
      const none = await client.ask('GET', '/shares/partners/all-tables?maxResults=0');
      expect([none.body.items, typeof none.body.nextPageToken]).toEqual([[], 'string']);
      const { body } = await client.ask('GET', '/shares/partners/schemas/everything/tables?maxResults=1');
      const foreign = await client.ask('GET', `/shares/partners/schemas?pageToken=${body.nextPageToken}`);
      expect([foreign.status, foreign.body.errorCode]).toEqual([400, 'INVALID_PARAMETER_VALUE']);
      for (const bad of ['501', '-1', 'many'])
        expect((await client.ask('GET', `/shares?maxResults=${bad}`)).status, bad).toBe(400);
    });

    it('tokens that are wrong, expired or from another address are refused, and what is not shared does not exist', async () => {
      const client = await recipient('ada');
      await give('partners', 'ada');
      const near = await recipient('near', { ip_access_list: { allowed_ip_addresses: ['127.0.0.0/8'] } });
      const far = await recipient('far', { ip_access_list: { allowed_ip_addresses: ['10.1.0.0/16'] } });
      expect((await near.ask('GET', '/shares')).status).toBe(200);
      const refused = await far.ask('GET', '/shares');
      expect([refused.status, refused.body.errorCode]).toEqual([403, 'PERMISSION_DENIED']);
      for (const authorization of ['', 'Bearer', 'Bearer wrong', `Bearer ${'x'.repeat(5000)}`, 'Basic eDp5']) {
        const { status, body } = await client.ask('GET', '/shares', undefined, { authorization });
        expect([status, body.errorCode], authorization.slice(0, 20)).toEqual([401, 'UNAUTHENTICATED']);
      }
      await good(ask('POST', `${UC}/shares`, { name: 'hidden' }));
      for (const path of [
        '/shares/hidden',
        '/shares/missing/schemas',
        '/shares/partners/schemas/missing/tables',
        '/shares/partners/schemas/sales/tables/missing/metadata',
        '/shares/partners/schemas/default/tables/orders/metadata',
      ]) {
        const { status, body } = await client.ask('GET', path);
        expect([status, body], path).toEqual([
          404,
          { errorCode: 'RESOURCE_DOES_NOT_EXIST', message: expect.any(String) },
        ]);
      }
      const broken = await client.ask('POST', `${client.path(ORDERS)}/query`, [1]);
      expect([broken.status, broken.body.errorCode]).toEqual([400, 'MALFORMED_REQUEST']);
      await good(ask('POST', `${UC}/recipients/ada/rotate-token`, { existing_token_expire_in_seconds: 60 }));
      expect((await client.ask('GET', '/shares')).status).toBe(200);
      await bench.jar.clock.advance('61s');
      expect((await client.ask('GET', '/shares')).status).toBe(401);
    });

    it('recipients read with the rights of the owner of the share', async () => {
      await write(table.table_id, [[1n, 'tea', 1n, 'north']]);
      const other = await person(bench, 'licensed');
      const { userName } = await good(other('GET', '/preview/scim/v2/Me'));
      const client = await recipient('ada');
      await give('partners', 'ada');
      await good(ask('PATCH', `${UC}/shares/partners`, { owner: userName }));
      const { status, body } = await client.ask('POST', `${client.path(ORDERS)}/query`, {});
      expect([status, body.errorCode]).toEqual([403, 'PERMISSION_DENIED']);
      const changes = [{ principal: userName, add: ['SELECT'] }];
      await good(ask('PATCH', `${UC}/permissions/table/main.default.orders`, { changes }));
      expect(await client.rows(ORDERS)).toHaveLength(1);
      await good(ask('DELETE', `${UC}/tables/main.default.orders`));
      expect((await client.ask('POST', `${client.path(ORDERS)}/query`, {})).status).toBe(404);
    });

    it('a table with a row filter is given to nobody, since the filter is not run', async () => {
      const client = await recipient('curious');
      await give('partners', 'curious');
      const jar = probe.jar as PlatformJar;
      const found = await byId(jar.store, table.table_id);
      if (!found) throw new Error('there is no such table');
      const row_filter = { function_name: 'main.default.only', input_column_names: ['region'] };
      const filtered = { ...found, fields: { ...found.fields, row_filter } };
      await jar.store.transact((tx) => tx.put(securables, keyOf(found), filtered));
      const refused = await client.ask('POST', `${client.path(ORDERS)}/query`, {});
      expect(refused).toMatchObject({ status: 400, body: { errorCode: 'UNSUPPORTED_OPERATION' } });
    });

    it('a hint about the number of rows leaves out files, never rows that it asks for', async () => {
      for (let id = 1n; id <= 5n; id++) await write(table.table_id, [[id, 'tea', 1n, 'north']]);
      const client = await recipient('ada');
      await give('partners', 'ada');
      expect(await client.rows(ORDERS, { limitHint: 2 })).toHaveLength(2);
      expect(await client.rows(ORDERS, { limitHint: 100 })).toHaveLength(5);
      const jar = probe.jar as PlatformJar;
      expect(await filesAt(jar.store, table.table_id)).toHaveLength(5);
    });
  },
  { services: [...SERVICES, probe.service] },
);
