import { beforeEach, expect, it } from 'vitest';
import { byId } from '../../../../src/services/platform/catalog/core/chain.ts';
import { keyOf, securables } from '../../../../src/services/platform/catalog/core/securables.ts';
import { SERVICES } from '../../../../src/services.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { onBothStores } from '../../../support/jars.ts';
import { UC } from '../catalog/people.ts';
import { makeTable, writeTable } from '../catalog/tables/table-writer.ts';
import { all, workspaceClient } from '../sdk.ts';
import { type Ask, by, good, person, refusal, withoutRates } from '../support.ts';
import { SqlBench } from '../warehouses/tables/support.ts';

const ML = '/mlflow/unity-catalog/model-versions';
const probe = new JarProbe();

const COLUMNS = [
  { name: 'id', type_name: 'LONG', type_text: 'bigint' },
  { name: 'region', type_name: 'STRING', type_text: 'string', partition_index: 0 },
];

interface Named {
  readonly name: string;
}

onBothStores(
  'data platform: catalogs of shares',
  (bench) => {
    /** Of the account that shares, and of the account that receives. */
    let ask: Ask;
    let there: Ask;
    let orders: string;
    let provider: string;

    const share = (action: string, data_object: object, name = 'sales') =>
      good(ask('PATCH', `${UC}/shares/${name}`, { updates: [{ action, data_object }] }));

    const give = (add: readonly string[], remove: readonly string[] = []) =>
      good(ask('PATCH', `${UC}/shares/sales/permissions`, { changes: [{ principal: 'there', add, remove }] }));

    const names = async (path: string, array: string, who: Ask = there): Promise<readonly string[]> =>
      (await good(who('GET', `${UC}/${path}`)))[array].map(({ name }: Named) => name);

    const tables = (schema = 'out', who: Ask = there) =>
      names(`tables?catalog_name=shared&schema_name=${schema}`, 'tables', who);

    const sees = async (path: string): Promise<object> => refusal(await there('GET', `${UC}/${path}`));

    beforeEach(async () => {
      await bench.jar.reset();
      await withoutRates(bench);
      [ask, there] = [await person(bench), await person(bench, 'other')];
      ({ table_id: orders } = await makeTable(ask, 'main.default.orders', COLUMNS));
      await good(ask('POST', `${UC}/shares`, { name: 'sales' }));
      await share('ADD', { name: 'main.default.orders', data_object_type: 'TABLE', shared_as: 'out.orders' });
      const { global_metastore_id: id } = await good(there('GET', `${UC}/metastore_summary`));
      const other = { authentication_type: 'DATABRICKS', data_recipient_global_metastore_id: id };
      await good(
        ask('POST', `${UC}/recipients`, {
          name: 'there',
          ...other,
          properties_kvpairs: { properties: { area: 'north' } },
        }),
      );
      await give(['SELECT']);
      [provider = ''] = await names('providers', 'providers');
      await good(there('POST', `${UC}/catalogs`, { name: 'shared', provider_name: provider, share_name: 'sales' }));
    });

    it('the published client sees the schemas and tables of the provider, with its columns, and nobody can change them', async () => {
      const client = workspaceClient(bench, { token: await bench.jar.token({ user: 'other' }) });
      const catalog = await client.catalogs.get({ name: 'shared' });
      expect(catalog).toMatchObject({
        catalog_type: 'DELTASHARING_CATALOG',
        provider_name: provider,
        share_name: 'sales',
      });
      expect((await all(client.schemas.list({ catalog_name: 'shared' }))).map(({ name }) => name)).toEqual(['out']);
      const table = await client.tables.get({ full_name: 'shared.out.orders' });
      expect(table).toMatchObject({
        full_name: 'shared.out.orders',
        table_type: 'MANAGED',
        data_source_format: 'DELTASHARING',
        storage_location: 'uc-deltasharing://shared.out.orders#shared.out.orders',
        columns: [{ name: 'id', type_name: 'LONG' }, { name: 'region' }],
      });
      expect(table.table_id).not.toBe(orders);
      expect((await good(there('GET', `${UC}/table-summaries?catalog_name=shared`))).tables).toMatchObject([
        { full_name: 'shared.out.orders' },
      ]);
      const denied = { status: 403, code: 'PERMISSION_DENIED', message: expect.stringContaining('based on a share') };
      const changes: readonly [string, string, object][] = [
        ['POST', 'schemas', { catalog_name: 'shared', name: 'more' }],
        ['POST', 'volumes', { catalog_name: 'shared', schema_name: 'out', name: 'v', volume_type: 'MANAGED' }],
        ['POST', 'models', { catalog_name: 'shared', schema_name: 'out', name: 'm' }],
        ['PATCH', 'tables/shared.out.orders', { owner: 'admins' }],
        ['PATCH', 'schemas/shared.out', { comment: 'x' }],
        ['DELETE', 'tables/shared.out.orders', {}],
        ['DELETE', 'schemas/shared.out?force=true', {}],
        [
          'POST',
          'constraints',
          {
            full_name_arg: 'shared.out.orders',
            constraint: { primary_key_constraint: { name: 'p', child_columns: ['id'] } },
          },
        ],
      ];
      for (const [method, path, body] of changes)
        expect(refusal(await there(method, `${UC}/${path}`, body)), `${method} ${path}`).toMatchObject(denied);
      const monitor = { assets_dir: '/Shared', output_schema_name: 'main.default', snapshot: {} };
      const onTable = there('POST', `${UC}/tables/shared.out.orders/monitor`, monitor);
      expect(refusal(await onTable)).toMatchObject(denied);
      const { metastore_id: metastore } = await good(
        there('PATCH', `${UC}/metastores/${table.metastore_id}`, { external_access_enabled: true }),
      );
      expect(metastore).toBe(table.metastore_id);
      const credentials = { table_id: table.table_id, operation: 'READ' };
      expect(refusal(await there('POST', '/unity-catalog/temporary-table-credentials', credentials))).toMatchObject({
        status: 400,
        message: expect.stringContaining('comes from a share'),
      });
      await good(there('POST', `${UC}/shares`, { name: 'onward' }));
      const data_object = { name: 'shared.out.orders', data_object_type: 'TABLE' };
      const onward = await there('PATCH', `${UC}/shares/onward`, { updates: [{ action: 'ADD', data_object }] });
      expect(refusal(onward)).toMatchObject({ status: 400, message: expect.stringContaining('cannot be shared') });
      await good(there('PATCH', `${UC}/catalogs/shared`, { comment: 'Theirs', new_name: 'partner' }));
      expect(await names('schemas?catalog_name=partner', 'schemas')).toEqual(['out']);
      await good(there('DELETE', `${UC}/catalogs/partner`));
      expect(await good(ask('GET', `${UC}/tables/main.default.orders`))).toMatchObject({ table_id: orders });
      expect(await good(ask('GET', `${UC}/tables/main.default.orders`))).toHaveProperty('columns');
    });

    it('what the provider adds, renames and removes is added, renamed with its grants, and gone', async () => {
      await makeTable(ask, 'main.default.items');
      await share('ADD', { name: 'main.default.items', data_object_type: 'TABLE', shared_as: 'other.items' });
      expect(await names('schemas?catalog_name=shared', 'schemas')).toEqual(['other', 'out']);
      const before = await good(there('GET', `${UC}/tables/shared.other.items`));
      const grant = { changes: [{ principal: 'account users', add: ['SELECT'] }] };
      await good(there('PATCH', `${UC}/permissions/table/shared.other.items`, grant));
      await share('UPDATE', { name: 'main.default.items', data_object_type: 'TABLE', shared_as: 'other.things' });
      expect(await sees('tables/shared.other.items')).toMatchObject({ status: 404 });
      expect(await good(there('GET', `${UC}/tables/shared.other.things`))).toMatchObject({ table_id: before.table_id });
      expect(await good(there('GET', `${UC}/permissions/table/shared.other.things`))).toEqual({
        privilege_assignments: [{ principal: 'account users', privileges: ['SELECT'] }],
      });
      await good(ask('PATCH', `${UC}/shares/sales`, { new_name: 'renamed' }));
      expect(await tables('other')).toEqual(['things']);
      await share('REMOVE', { name: 'main.default.items', data_object_type: 'TABLE' }, 'renamed');
      expect(await names('schemas?catalog_name=shared', 'schemas')).toEqual(['out']);
      await good(ask('DELETE', `${UC}/tables/main.default.orders`));
      expect(await tables()).toEqual([]);
      await good(ask('PATCH', `${UC}/shares/renamed`, { new_name: 'sales' }));
      await makeTable(ask, 'main.default.late');
      await share('ADD', { name: 'main.default', data_object_type: 'SCHEMA', shared_as: 'whole' });
      expect(await tables('whole')).toEqual(['items', 'late']);
      await give([], ['SELECT']);
      expect(await names('schemas?catalog_name=shared', 'schemas')).toEqual([]);
      expect(await sees('tables/shared.whole.late')).toMatchObject({ status: 404 });
      await give(['SELECT']);
      expect(await tables('whole')).toEqual(['items', 'late']);
      await good(ask('DELETE', `${UC}/recipients/there`));
      expect(await names('schemas?catalog_name=shared', 'schemas')).toEqual([]);
      expect((await good(there('GET', `${UC}/catalogs/shared`))).name).toBe('shared');
    });

    it('grants open what is in it, and rows are read as the share gives them', async () => {
      await writeTable(probe, orders, [
        [1n, 'north'],
        [2n, 'south'],
      ]);
      const sql = await SqlBench.of(bench, 'other');
      const read = 'SELECT id, region FROM shared.out.orders ORDER BY id';
      expect(await sql.rows(read)).toEqual([
        ['1', 'north'],
        ['2', 'south'],
      ]);
      const write = await sql.refusal("INSERT INTO shared.out.orders VALUES (9, 'north')");
      expect(write).toMatchObject({ state: '42501', message: expect.stringContaining('based on a share') });
      const partitions = [{ values: [{ name: 'region', op: 'EQUAL', recipient_property_key: 'area' }] }];
      await share('UPDATE', { name: 'main.default.orders', data_object_type: 'TABLE', partitions });
      expect(await sql.rows(read)).toEqual([['1', 'north']]);
      await writeTable(probe, orders, [[3n, 'north']]);
      expect(await sql.rows('SELECT * FROM SHARED.out.Orders')).toHaveLength(2);
      const earlier = 'SELECT * FROM shared.out.orders VERSION AS OF 1';
      expect((await sql.refusal(earlier)).message).toContain('whose history is not shared');
      const history = (start_version: number) =>
        share('UPDATE', {
          name: 'main.default.orders',
          data_object_type: 'TABLE',
          history_data_sharing_status: 'ENABLED',
          start_version,
        });
      await history(0);
      expect(await sql.rows(earlier)).toHaveLength(1);
      await history(2);
      expect((await sql.refusal(earlier)).message).toContain('the first one that is shared is 2');

      const principal = await good(there('POST', '/preview/scim/v2/ServicePrincipals', { displayName: 'reader' }));
      const { applicationId } = principal;
      const made = await good(
        there('POST', '/token-management/on-behalf-of/tokens', {
          application_id: applicationId,
          lifetime_seconds: 3600,
        }),
      );
      const reader = by(bench, made.token_value);
      const sight = async () => (await reader('GET', `${UC}/tables/shared.out.orders`)).status;
      expect([await sight(), await tables('out', reader)]).toEqual([403, []]);
      const access_control_list = [{ service_principal_name: applicationId, permission_level: 'CAN_USE' }];
      await good(there('PATCH', `/permissions/warehouses/${sql.warehouse}`, { access_control_list }));
      expect((await sql.as(reader).refusal(read)).state).toBe('42501');
      const grant = (add: readonly string[]) =>
        good(there('PATCH', `${UC}/permissions/catalog/shared`, { changes: [{ principal: applicationId, add }] }));
      await grant(['USE_CATALOG', 'USE_SCHEMA']);
      expect([await sight(), await tables('out', reader)]).toEqual([403, []]);
      await grant(['SELECT']);
      expect([await sight(), await tables('out', reader)]).toEqual([200, ['orders']]);
      expect(await sql.as(reader).rows(read)).toHaveLength(2);

      const { store } = probe.jar;
      const source = await byId(store, orders);
      if (!source) throw new Error('there is no such table');
      const row_filter = { function_name: 'main.default.only', input_column_names: ['region'] };
      const filtered = { ...source, fields: { ...source.fields, row_filter } };
      await store.transact((tx) => tx.put(securables, keyOf(source), filtered));
      expect(await sql.refusal(read)).toMatchObject({ message: expect.stringContaining('row filter at its provider') });
    });

    it('volumes, functions and models are shared with their files, definitions and versions', async () => {
      await good(
        ask('POST', `${UC}/volumes`, {
          catalog_name: 'main',
          schema_name: 'default',
          name: 'docs',
          volume_type: 'MANAGED',
        }),
      );
      await good(ask('PUT', '/fs/files/Volumes/main/default/docs/a.txt', 'hello'));
      await good(ask('POST', `${UC}/models`, { catalog_name: 'main', schema_name: 'default', name: 'churn' }));
      await good(ask('POST', `${ML}/create`, { name: 'main.default.churn', source: 's' }));
      await good(ask('POST', `${ML}/finalize`, { name: 'main.default.churn', version: '1' }));
      await good(ask('PUT', `${UC}/models/main.default.churn/aliases/best`, { version_num: 1 }));
      await share('ADD', { name: 'main.default.docs', data_object_type: 'VOLUME', string_shared_as: 'out.papers' });
      await share('ADD', { name: 'main.default.churn', data_object_type: 'MODEL', string_shared_as: 'out.leave' });
      const at = 'catalog_name=shared&schema_name=out';
      expect(await names(`volumes?${at}`, 'volumes')).toEqual(['papers']);
      expect((await there('GET', '/fs/files/Volumes/shared/out/papers/a.txt')).text).toBe('hello');
      expect((await there('PUT', '/fs/files/Volumes/shared/out/papers/b.txt', 'x')).status).toBe(403);
      expect((await there('DELETE', '/fs/files/Volumes/shared/out/papers/a.txt')).status).toBe(403);
      expect(await good(there('GET', `${UC}/models/shared.out.leave?include_aliases=true`))).toMatchObject({
        aliases: [{ alias_name: 'best', version_num: 1 }],
      });
      expect((await good(there('GET', `${UC}/models/shared.out.leave/versions`))).model_versions).toMatchObject([
        { version: 1, status: 'READY', model_name: 'leave', catalog_name: 'shared' },
      ]);
      const set = there('PUT', `${UC}/models/shared.out.leave/aliases/other`, { version_num: 1 });
      expect(refusal(await set)).toMatchObject({ status: 403 });
      const served = { served_entities: [{ entity_name: 'shared.out.leave', entity_version: '1' }] };
      await good(there('POST', '/serving-endpoints', { name: 'e', config: served }));
      await share('REMOVE', { name: 'main.default.docs', data_object_type: 'VOLUME' });
      expect((await there('GET', '/fs/files/Volumes/shared/out/papers/a.txt')).status).toBe(404);
      expect((await ask('GET', '/fs/files/Volumes/main/default/docs/a.txt')).text).toBe('hello');
      await bench.jar.clock.advance('10d');
      expect((await ask('GET', '/fs/files/Volumes/main/default/docs/a.txt')).text).toBe('hello');
      expect((await good(ask('GET', `${UC}/models/main.default.churn/versions/1`))).status).toBe('READY');
    });

    it('a provider and a share have to exist; what is shared takes nothing of the limits; several look at once', async () => {
      const create = async (body: object, who = there) =>
        refusal(await who('POST', `${UC}/catalogs`, { name: 'c', ...body }));
      expect(await create({ provider_name: 'none', share_name: 'sales' })).toMatchObject({ status: 404 });
      expect(await create({ provider_name: provider, share_name: 'none' })).toMatchObject({
        status: 404,
        code: 'RESOURCE_DOES_NOT_EXIST',
        message: `Share 'none' of provider '${provider}' does not exist.`,
      });
      expect(await create({ provider_name: provider })).toMatchObject({ status: 400 });
      const { metastore_id: id } = await good(there('GET', `${UC}/metastore_summary`));
      const count = async () =>
        (await good(there('GET', `${UC}/resource-quotas/metastore/${id}/table-quota`))).quota_info.quota_count;
      const before = await count();
      for (const name of ['a', 'b', 'c']) await makeTable(ask, `main.default.${name}`);
      await share('ADD', { name: 'main.default', data_object_type: 'SCHEMA', shared_as: 'whole' });
      const seen = await Promise.all([1, 2, 3, 4, 5].map(() => tables('whole')));
      for (const each of seen) expect(each).toEqual(['a', 'b', 'c', 'orders']);
      const ids = await good(there('GET', `${UC}/tables?catalog_name=shared&schema_name=whole`));
      expect(new Set(ids.tables.map(({ table_id }: { table_id: string }) => table_id)).size).toBe(4);
      expect(await count()).toBe(before);
      await good(there('DELETE', `${UC}/catalogs/shared`));
      await bench.jar.clock.advance('8d');
      expect(await count()).toBe(before);
      expect((await good(ask('GET', `${UC}/tables/main.default.a`))).columns).toHaveLength(1);
    });
  },
  { services: [...SERVICES, probe.service] },
);
