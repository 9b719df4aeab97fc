import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../../support/jars.ts';
import { all, workspaceClient } from '../../sdk.ts';
import { type Ask, good, person, refusal, withoutRates } from '../../support.ts';

const UC = '/api/2.1/unity-catalog';

const TABLE = {
  catalog_name: 'main',
  schema_name: 'default',
  name: 'Orders',
  table_type: 'EXTERNAL',
  data_source_format: 'DELTA',
  storage_location: 'abfss://lake@vendor.example/orders/',
  columns: [
    { name: 'id', type_name: 'LONG', nullable: false, position: 0 },
    { name: 'amount', type_name: 'DECIMAL', type_text: 'decimal(10,2)', comment: 'in euros', position: 1 },
  ],
  properties: { team: 'sales' },
} as const;

onBothStores('data platform: tables, volumes and functions', (bench) => {
  let ask: Ask;
  let other: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
    other = await person(bench, 'licensed');
    await good(other('GET', '/preview/scim/v2/Me'));
  });

  it('a table is created, read, listed, transferred to another owner and deleted by the published client', async () => {
    const client = workspaceClient(bench, { token: await bench.jar.token({ user: 'admin' }) });
    const made = await client.tables.create({ ...TABLE, columns: [...TABLE.columns] });
    expect(made).toMatchObject({
      name: 'orders',
      full_name: 'main.default.orders',
      catalog_name: 'main',
      schema_name: 'default',
      table_type: 'EXTERNAL',
      data_source_format: 'DELTA',
      storage_location: 'abfss://lake@vendor.example/orders',
      securable_type: 'TABLE',
      table_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      properties: { team: 'sales' },
    });
    expect(made.columns).toEqual([
      {
        name: 'id',
        type_name: 'LONG',
        type_text: 'bigint',
        type_json: '{"name":"id","type":"long","nullable":false,"metadata":{}}',
        type_precision: 0,
        type_scale: 0,
        position: 0,
        nullable: false,
      },
      {
        name: 'amount',
        type_name: 'DECIMAL',
        type_text: 'decimal(10,2)',
        type_json: '{"name":"amount","type":"decimal(10,2)","nullable":true,"metadata":{"comment":"in euros"}}',
        type_precision: 10,
        type_scale: 2,
        position: 1,
        nullable: true,
        comment: 'in euros',
      },
    ]);
    expect(await client.tables.get({ full_name: 'MAIN.default.ORDERS' })).toMatchObject({ table_id: made.table_id });
    expect(await client.tables.exists({ full_name: 'main.default.orders' })).toEqual({ table_exists: true });
    expect(await client.tables.exists({ full_name: 'main.default.none' })).toEqual({ table_exists: false });
    const [listed] = await all(client.tables.list({ catalog_name: 'main', schema_name: 'default' }));
    expect(listed).toMatchObject({ name: 'orders', columns: [{ name: 'id' }, { name: 'amount' }] });
    const lean = await good(
      ask(
        'GET',
        `${UC}/tables?catalog_name=main&schema_name=default&omit_columns=true&omit_properties=true&omit_username=true`,
      ),
    );
    expect(Object.keys(lean.tables[0])).toEqual(
      expect.not.arrayContaining(['columns', 'properties', 'owner', 'created_by', 'updated_by']),
    );
    const withDelta = await good(ask('GET', `${UC}/tables/main.default.orders?include_delta_metadata=true`));
    expect(withDelta.delta_runtime_properties_kvpairs.delta_runtime_properties).toMatchObject({
      'delta.lastUpdateVersion': '0',
    });
    const { userName } = await good(other('GET', '/preview/scim/v2/Me'));
    expect(
      await good(ask('PATCH', `${UC}/tables/main.default.orders`, { owner: userName, comment: 'x' })),
    ).toMatchObject({
      owner: userName,
    });
    expect(await good(other('GET', `${UC}/tables/main.default.orders`))).not.toHaveProperty('comment');
    await client.tables.delete({ full_name: 'main.default.orders' });
    expect(refusal(await ask('GET', `${UC}/tables/main.default.orders`))).toEqual({
      status: 404,
      code: 'TABLE_DOES_NOT_EXIST',
      message: "Table 'main.default.orders' does not exist.",
    });
  });

  it('primary and foreign keys are records of tables, and a primary key is dropped with what refers to it', async () => {
    await good(ask('POST', `${UC}/tables`, TABLE));
    const lines = [
      { name: 'order_id', type_name: 'LONG', position: 0 },
      { name: 'line', type_name: 'INT', position: 1 },
    ];
    await good(ask('POST', `${UC}/tables`, { ...TABLE, name: 'lines', columns: lines }));
    const constrain = (table: string, constraint: object) =>
      ask('POST', `${UC}/constraints`, { full_name_arg: `main.default.${table}`, constraint });
    const primary = { primary_key_constraint: { name: 'pk', child_columns: ['id'] } };
    const foreign = {
      foreign_key_constraint: {
        name: 'fk',
        child_columns: ['order_id'],
        parent_table: 'main.default.orders',
        parent_columns: ['id'],
      },
    };
    expect(refusal(await constrain('lines', foreign)).message).toContain('must be the primary key');
    expect(await good(constrain('orders', primary))).toEqual(primary);
    expect(refusal(await constrain('orders', primary)).code).toBe('RESOURCE_ALREADY_EXISTS');
    expect(await good(constrain('lines', foreign))).toEqual(foreign);
    await good(constrain('lines', { named_table_constraint: { name: 'positive' } }));
    expect((await good(ask('GET', `${UC}/tables/main.default.lines`))).table_constraints).toEqual([
      foreign,
      { named_table_constraint: { name: 'positive' } },
    ]);
    const drop = (cascade: boolean) =>
      ask('DELETE', `${UC}/constraints/main.default.orders?constraint_name=pk&cascade=${cascade}`);
    expect(refusal(await drop(false)).message).toContain("the foreign key 'fk' of the table 'main.default.lines'");
    await good(drop(true));
    expect((await good(ask('GET', `${UC}/tables/main.default.lines`))).table_constraints).toEqual([
      { named_table_constraint: { name: 'positive' } },
    ]);
    expect(await good(ask('GET', `${UC}/tables/main.default.orders`))).not.toHaveProperty('table_constraints');
  });

  it('names of tables are found in a whole catalog by patterns', async () => {
    for (const schema of ['alpha', 'beta_1', 'beta_2']) {
      await good(ask('POST', `${UC}/schemas`, { catalog_name: 'main', name: schema }));
      for (const name of ['orders', 'orders_old', 'people'])
        await good(ask('POST', `${UC}/tables`, { ...TABLE, schema_name: schema, name, columns: [] }));
    }
    const names = async (query: string): Promise<string[]> => {
      const { tables } = await good(ask('GET', `${UC}/table-summaries?catalog_name=main&${query}`));
      return tables.map(({ full_name }: { full_name: string }) => full_name);
    };
    expect(await names('schema_name_pattern=BETA%25&table_name_pattern=orders_%25')).toEqual([
      'main.beta_1.orders_old',
      'main.beta_2.orders_old',
    ]);
    expect(await names('schema_name_pattern=beta%5C_1')).toHaveLength(3);
    const found: string[] = [];
    for (let token = ''; ; ) {
      const page = await good(ask('GET', `${UC}/table-summaries?catalog_name=main&max_results=2&page_token=${token}`));
      found.push(...page.tables.map(({ full_name }: { full_name: string }) => full_name));
      token = page.next_page_token ?? '';
      if (token === '') break;
    }
    expect(found).toEqual(await names(''));
    expect(found).toHaveLength(9);
  });

  it('a volume is created, changed, renamed and deleted', async () => {
    const client = workspaceClient(bench, { token: await bench.jar.token({ user: 'admin' }) });
    const made = await client.volumes.create({
      catalog_name: 'main',
      schema_name: 'default',
      name: 'Landing',
      volume_type: 'MANAGED',
      comment: 'raw files',
    });
    expect(made).toMatchObject({
      name: 'landing',
      full_name: 'main.default.landing',
      volume_type: 'MANAGED',
      comment: 'raw files',
      storage_location: expect.stringMatching(/\/volumes\/[0-9a-f-]{36}$/),
    });
    await good(ask('PATCH', `${UC}/volumes/main.default.landing`, { new_name: 'raw', comment: 'more' }));
    expect(await client.volumes.read({ name: 'main.default.raw' })).toMatchObject({
      volume_id: made.volume_id,
      comment: 'more',
    });
    const base = { catalog_name: 'main', schema_name: 'default', name: 'v' };
    const location = 'abfss://lake@vendor.example/v';
    expect(
      refusal(await ask('POST', `${UC}/volumes`, { ...base, volume_type: 'MANAGED', storage_location: location })),
    ).toEqual({
      status: 400,
      code: 'INVALID_PARAMETER_VALUE',
      message: 'CreateVolume storage_location can not be provided.',
    });
    expect(refusal(await ask('POST', `${UC}/volumes`, { ...base, volume_type: 'EXTERNAL' })).status).toBe(400);
    expect(
      await good(ask('POST', `${UC}/volumes`, { ...base, volume_type: 'EXTERNAL', storage_location: `${location}//` })),
    ).toMatchObject({ storage_location: location });
    expect(
      (await all(client.volumes.list({ catalog_name: 'main', schema_name: 'default' }))).map(({ name }) => name),
    ).toEqual(['raw', 'v']);
    await client.volumes.delete({ name: 'main.default.raw' });
    expect(refusal(await ask('GET', `${UC}/volumes/main.default.raw`)).code).toBe('VOLUME_DOES_NOT_EXIST');
  });

  it('a function is created, read, listed and deleted', async () => {
    const client = workspaceClient(bench, { token: await bench.jar.token({ user: 'admin' }) });
    const info = {
      catalog_name: 'main',
      schema_name: 'default',
      name: 'Twice',
      input_params: { parameters: [{ name: 'x', type_text: 'int', type_name: 'INT' as const, position: 0 }] },
      data_type: 'INT' as const,
      full_data_type: 'INT',
      routine_body: 'SQL' as const,
      routine_definition: 'x * 2',
      parameter_style: 'S' as const,
      is_deterministic: true,
      sql_data_access: 'CONTAINS_SQL' as const,
      is_null_call: false,
      security_type: 'DEFINER' as const,
      specific_name: 'twice',
    };
    const made = await client.functions.create({ function_info: info });
    expect(made).toMatchObject({
      ...info,
      name: 'twice',
      full_name: 'main.default.twice',
      function_id: expect.any(String),
    });
    expect(await client.functions.get({ name: 'main.default.twice' })).toEqual(made);
    expect(await all(client.functions.list({ catalog_name: 'main', schema_name: 'default' }))).toEqual([made]);
    for (const field of [
      'input_params',
      'data_type',
      'full_data_type',
      'routine_body',
      'routine_definition',
      'parameter_style',
      'is_deterministic',
      'sql_data_access',
      'is_null_call',
      'security_type',
      'specific_name',
    ])
      expect(
        refusal(await ask('POST', `${UC}/functions`, { function_info: { ...info, [field]: undefined } })),
        field,
      ).toMatchObject({
        status: 400,
        code: 'INVALID_PARAMETER_VALUE',
        message: `Missing required field: ${field}`,
      });
    const masked = [{ name: 'x', type_name: 'INT', position: 0, mask: { function_name: 'main.default.twice' } }];
    expect((await good(ask('POST', `${UC}/tables`, { ...TABLE, columns: masked }))).columns[0].mask).toEqual({
      function_name: 'main.default.twice',
      using_column_names: [],
    });
    await client.functions.delete({ name: 'main.default.twice', force: true });
    expect(refusal(await ask('GET', `${UC}/functions/main.default.twice`)).code).toBe('FUNCTION_DOES_NOT_EXIST');
    expect(refusal(await ask('POST', `${UC}/tables`, { ...TABLE, name: 'm', columns: masked })).code).toBe(
      'FUNCTION_DOES_NOT_EXIST',
    );
  });

  it('other users see the tables and volumes that they have grants for', async () => {
    const { userName } = await good(other('GET', '/preview/scim/v2/Me'));
    await good(ask('POST', `${UC}/tables`, TABLE));
    const list = async () => (await good(other('GET', `${UC}/tables?catalog_name=main&schema_name=default`))).tables;
    expect(await list()).toEqual([]);
    expect(refusal(await other('GET', `${UC}/tables/main.default.orders`)).status).toBe(403);
    const give = (privilege: string) =>
      good(
        ask('PATCH', `${UC}/permissions/table/main.default.orders`, {
          changes: [{ principal: userName, add: [privilege] }],
        }),
      );
    await give('BROWSE');
    const [browsed] = (
      await good(other('GET', `${UC}/tables?catalog_name=main&schema_name=default&include_browse=true`))
    ).tables;
    expect(browsed).toMatchObject({ name: 'orders', browse_only: true });
    expect(browsed).not.toHaveProperty('columns');
    await give('SELECT');
    expect(await list()).toMatchObject([{ name: 'orders', columns: [{ name: 'id' }, {}] }]);
    expect(refusal(await other('DELETE', `${UC}/tables/main.default.orders`)).status).toBe(403);
  });
});
