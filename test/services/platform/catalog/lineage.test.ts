import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { all as gather, workspaceClient } from '../sdk.ts';
import { type Ask, good, refusal } from '../support.ts';
import { granting, type People, people, UC } from './people.ts';

const LINEAGE = '/lineage-tracking/external-lineage';
const METADATA = '/lineage-tracking/external-metadata';
const table = (name: string) => ({ table: { name: `main.default.${name}` } });
const external = (name: string) => ({ external_metadata: { name } });

onAnyStore('data platform: lineage', (bench) => {
  let all: People;
  let ask: Ask;
  let other: Ask;

  beforeEach(async () => {
    all = await people(bench);
    ({ ask, other } = all);
  });

  const newTable = (name: string, ...columns: readonly string[]) =>
    good(
      ask('POST', `${UC}/tables`, {
        catalog_name: 'main',
        schema_name: 'default',
        name,
        table_type: 'EXTERNAL',
        data_source_format: 'DELTA',
        storage_location: `abfss://data@store.dfs.vendor.example/${name}`,
        columns: columns.map((column, position) => ({
          name: column,
          type_name: 'STRING',
          type_text: 'string',
          type_json: '"string"',
          position,
        })),
      }),
    );
  const newExternal = (name: string, more: object = {}) =>
    good(ask('POST', METADATA, { name, system_type: 'TABLEAU', entity_type: 'Dashboard', ...more }));
  const relate = (source: object, target: object, more: object = {}) =>
    ask('POST', LINEAGE, { source, target, ...more });
  const relations = async (query: string, by: Ask = ask) =>
    (await good(by('GET', `${LINEAGE}?${query}`))).external_lineage_relationships;
  const names = (views: readonly Record<string, Record<string, string>>[]) =>
    views.map((view) => Object.values(view).map((info) => info.name ?? info.path ?? '')[0]);

  it('the published client keeps objects of other systems and what their data come from', async () => {
    const client = workspaceClient(bench, { token: await bench.jar.token({ user: 'admin' }) });
    await newTable('orders', 'id', 'total');
    const made = await client.externalMetadata.createExternalMetadata({
      external_metadata: {
        name: 'Board',
        system_type: 'TABLEAU',
        entity_type: 'Dashboard',
        url: 'https://boards.vendor.example/1',
        columns: ['sum'],
        properties: { team: 'sales' },
      },
    });
    expect(made).toMatchObject({
      name: 'board',
      system_type: 'TABLEAU',
      entity_type: 'Dashboard',
      columns: ['sum'],
      properties: { team: 'sales' },
      metastore_id: all.metastore,
      create_time: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const columns = [{ source: 'total', target: 'sum' }];
    const created = await client.externalLineage.createExternalLineageRelationship({
      external_lineage_relationship: { source: table('orders'), target: external('board'), columns },
    });
    expect(created).toMatchObject({
      id: expect.any(String),
      source: table('orders'),
      target: external('board'),
      columns,
    });
    const listed = await gather(
      client.externalLineage.listExternalLineageRelationships({
        object_info: table('orders'),
        lineage_direction: 'DOWNSTREAM',
      }),
    );
    expect(listed).toEqual([
      {
        external_lineage_info: expect.objectContaining({ id: created.id, columns }),
        external_metadata_info: {
          name: 'board',
          system_type: 'TABLEAU',
          entity_type: 'Dashboard',
          event_time: expect.any(String),
        },
      },
    ]);
    expect((await gather(client.externalMetadata.listExternalMetadata({}))).map(({ name }) => name)).toEqual(['board']);
    await client.externalLineage.deleteExternalLineageRelationship({
      external_lineage_relationship: { source: table('orders'), target: external('board') },
    });
    expect(await relations('object_info.external_metadata.name=board&lineage_direction=UPSTREAM')).toEqual([]);
    await client.externalMetadata.deleteExternalMetadata({ name: 'board' });
    expect((await ask('GET', `${METADATA}/board`)).status).toBe(404);
  });

  it('a change of an object of another system has a mask with the changed fields', async () => {
    await newExternal('a', { description: 'd', columns: ['x'] });
    const change = (mask: string, body: object) => ask('PATCH', `${METADATA}/a?update_mask=${mask}`, body);
    expect(await good(change('description', { description: 'e', columns: ['y'] }))).toMatchObject({
      description: 'e',
      columns: ['x'],
    });
    expect(await good(change('columns,system_type', { system_type: 'KAFKA' }))).toMatchObject({
      columns: [],
      system_type: 'KAFKA',
    });
    expect((await ask('PATCH', `${METADATA}/a`, {})).status).toBe(400);
    expect((await change('nothing', {})).status).toBe(400);
    expect((await change('system_type', { system_type: 'ABACUS' })).status).toBe(400);
    for (const body of [
      { name: 'b', entity_type: 'x' },
      { name: 'b', system_type: 'KAFKA' },
      { name: 'b', system_type: 'ABACUS', entity_type: 'x' },
      { system_type: 'KAFKA', entity_type: 'x' },
    ])
      expect((await ask('POST', METADATA, body)).status, JSON.stringify(body)).toBe(400);
    expect((await other('PATCH', `${METADATA}/a?update_mask=*`, {})).status).toBe(403);
    expect(
      refusal(await other('POST', METADATA, { name: 'mine', system_type: 'KAFKA', entity_type: 'x' })),
    ).toMatchObject({
      status: 403,
      message: expect.stringContaining('CREATE EXTERNAL METADATA'),
    });
  });

  it('lineage follows tables, columns, paths and versions of models; renames keep it and cycles end', async () => {
    for (const name of ['raw', 'clean', 'report']) await newTable(name, 'a', 'b');
    await good(relate(table('raw'), table('clean'), { columns: [{ source: 'a', target: 'b' }] }));
    await good(relate(table('clean'), table('report'), { columns: [{ source: 'b', target: 'a' }] }));
    await good(relate(table('report'), table('raw')));
    await good(relate({ path: { url: 's3://in/files/' } }, table('raw')));
    await good(ask('POST', `${UC}/models`, { catalog_name: 'main', schema_name: 'default', name: 'm' }));
    const model = 'main.default.m';
    await good(ask('POST', '/mlflow/unity-catalog/model-versions/create', { name: model, source: 's' }));
    await good(relate(table('clean'), { model_version: { name: model, version: '1' } }));
    await good(ask('PATCH', `${UC}/catalogs/main`, { new_name: 'head' }));
    const read = async (query: string) =>
      good(ask('GET', `/lineage-tracking/table-lineage?table_name=head.default.${query}`));
    const near = await read('raw');
    expect(names(near.upstreams).sort()).toEqual(['report', 's3://in/files/']);
    expect(near.downstreams).toEqual([
      {
        tableInfo: {
          name: 'clean',
          catalog_name: 'head',
          schema_name: 'default',
          table_type: 'EXTERNAL',
          lineage_timestamp: expect.any(String),
        },
      },
    ]);
    const far = await read('raw&depth=10');
    expect(names(far.downstreams)).toEqual(['clean', expect.anything(), expect.anything()]);
    expect(far.downstreams).toContainEqual({
      modelInfo: { model_name: 'head.default.m', version: 1, lineage_timestamp: expect.any(String) },
    });
    const columns = await good(
      ask('GET', '/lineage-tracking/column-lineage?table_name=head.default.clean&column_name=B'),
    );
    expect(columns.upstreams.map((each: Record<string, string>) => [each.table_name, each.name])).toEqual([
      ['raw', 'a'],
    ]);
    expect(columns.downstream_cols.map((each: Record<string, string>) => [each.table_name, each.name])).toEqual([
      ['report', 'a'],
    ]);
    // The relations of deleted objects are deleted too.
    await good(ask('DELETE', `${UC}/models/head.default.m/versions/1`));
    await good(ask('DELETE', `${UC}/tables/head.default.raw`));
    expect(names((await read('clean')).upstreams)).toEqual([]);
    expect(await relations('object_info.table.name=head.default.clean&lineage_direction=DOWNSTREAM')).toHaveLength(1);
  });

  it('says what is wrong', async () => {
    await newTable('t', 'a');
    await newExternal('e');
    const cases: readonly (readonly [object, number, string])[] = [
      [{}, 400, "'source' must have exactly one of"],
      [{ source: { ...table('t'), ...external('e') }, target: external('e') }, 400, 'exactly one of'],
      [{ source: table('t'), target: table('t') }, 400, 'must be different objects'],
      [{ source: table('none'), target: external('e') }, 404, 'does not exist'],
      [{ source: table('t'), target: external('none') }, 404, 'does not exist'],
      [{ source: { path: { url: 'nothing' } }, target: external('e') }, 400, 'not a storage address'],
      [
        { source: table('t'), target: external('e'), columns: [{ source: 'z', target: 'x' }] },
        400,
        "'z' is not a column",
      ],
      [
        { source: table('t'), target: external('e'), columns: [{ source: 'a' }] },
        400,
        'Missing required field: columns[0].target',
      ],
      [{ source: table('t'), target: external('e'), properties: { a: 1 } }, 400, "'properties.a' must be a string"],
    ];
    for (const [body, status, message] of cases)
      expect(refusal(await ask('POST', LINEAGE, body))).toMatchObject({
        status,
        message: expect.stringContaining(message),
      });
    const pair = { source: table('t'), target: external('e') };
    await good(ask('POST', LINEAGE, pair));
    expect(refusal(await ask('POST', LINEAGE, pair))).toMatchObject({ status: 409, code: 'ALREADY_EXISTS' });
    const changed = { ...pair, columns: [{ source: 'A', target: 'x' }], properties: { k: 'v' } };
    expect(await good(ask('PATCH', `${LINEAGE}?update_mask=properties`, changed))).toMatchObject({
      columns: [],
      properties: { k: 'v' },
    });
    expect((await ask('PATCH', LINEAGE, changed)).status).toBe(400);
    await good(ask('DELETE', LINEAGE, pair));
    expect((await ask('DELETE', LINEAGE, pair)).status).toBe(404);
    expect((await ask('GET', `${LINEAGE}?object_info.table.name=main.default.t`)).status).toBe(400);
  });

  it('lists come in pages, and show what the caller may see', async () => {
    await newTable('t', 'a');
    for (const name of ['e1', 'e2', 'e3']) {
      await newExternal(name);
      await good(relate(table('t'), external(name)));
    }
    const query = 'object_info.table.name=main.default.t&lineage_direction=DOWNSTREAM';
    const first = await good(ask('GET', `${LINEAGE}?${query}&page_size=2`));
    expect(first.external_lineage_relationships).toHaveLength(2);
    expect(await relations(`${query}&page_size=2&page_token=${first.next_page_token}`)).toHaveLength(1);
    expect((await other('GET', `${LINEAGE}?${query}`)).status).toBe(403);
    await granting(all, 'table', 'main.default.t', ['SELECT']);
    expect(await relations(query, other)).toEqual([]);
    await granting(all, 'external_metadata', 'e2', ['BROWSE']);
    expect(
      (await relations(query, other)).map(
        (each: Record<string, Record<string, string>>) => each.external_metadata_info?.name,
      ),
    ).toEqual(['e2']);
    expect((await other('POST', LINEAGE, { source: table('t'), target: external('e2') })).status).toBe(403);
    await granting(all, 'external_metadata', 'e2', ['MODIFY']);
    expect((await other('POST', LINEAGE, { source: table('t'), target: external('e2') })).status).toBe(409);
  });
});
