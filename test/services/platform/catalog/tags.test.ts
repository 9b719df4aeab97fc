import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { all as gather, workspaceClient } from '../sdk.ts';
import { type Ask, good, refusal } from '../support.ts';
import { granting, type People, people, UC } from './people.ts';

const TAGS = `${UC}/entity-tag-assignments`;

onAnyStore('data platform: tags of catalog objects', (bench) => {
  let all: People;
  let ask: Ask;
  let other: Ask;

  beforeEach(async () => {
    all = await people(bench);
    ({ ask, other } = all);
  });

  const assign = (entity_type: string, entity_name: string, tag_key: string, tag_value?: string, by: Ask = ask) =>
    by('POST', TAGS, { entity_type, entity_name, tag_key, tag_value });

  it('the published client assigns tags, reads them and removes them', async () => {
    const client = workspaceClient(bench, { token: await bench.jar.token({ user: 'admin' }) });
    const { entityTagAssignments: tags } = client;
    const entity = { entity_type: 'schemas', entity_name: 'main.default' };
    const made = await tags.create({ tag_assignment: { ...entity, tag_key: 'cost', tag_value: 'a' } });
    expect(made).toEqual({ ...entity, tag_key: 'cost', tag_value: 'a' });
    await tags.create({ tag_assignment: { ...entity, tag_key: 'team' } });
    expect((await gather(tags.list(entity))).map(({ tag_key, tag_value }) => [tag_key, tag_value])).toEqual([
      ['cost', 'a'],
      ['team', ''],
    ]);
    const one = `${TAGS}/schemas/main.default/tags/cost`;
    expect((await good(ask('PATCH', `${one}?update_mask=tag_value`, { tag_value: 'b' }))).tag_value).toBe('b');
    expect((await ask('PATCH', one, { tag_value: 'c' })).status).toBe(400);
    expect((await tags.get({ ...entity, tag_key: 'cost' })).tag_value).toBe('b');
    await good(ask('PATCH', `${UC}/catalogs/main`, { new_name: 'head' }));
    expect((await good(ask('GET', `${TAGS}/schemas/head.default/tags`))).tag_assignments).toHaveLength(2);
    await tags.delete({ entity_type: 'schemas', entity_name: 'head.default', tag_key: 'cost' });
    expect((await ask('GET', `${TAGS}/schemas/head.default/tags/cost`)).status).toBe(404);
    expect((await ask('DELETE', `${TAGS}/schemas/head.default/tags/cost`)).status).toBe(404);
  });

  it('every type of entity can have tags, columns too, and they go with it', async () => {
    const name = 'main.default.t';
    const column = { name: 'Name', type_name: 'STRING', type_text: 'string', type_json: '"string"', position: 0 };
    const sent = { catalog_name: 'main', schema_name: 'default', name: 't' };
    const make = () =>
      ask('POST', `${UC}/tables`, {
        ...sent,
        table_type: 'EXTERNAL',
        data_source_format: 'DELTA',
        storage_location: 'abfss://d@s.dfs.vendor.example/t',
        columns: [column],
      });
    await good(make());
    await good(ask('POST', `${UC}/volumes`, { ...sent, volume_type: 'MANAGED' }));
    await good(ask('POST', `${UC}/models`, sent));
    for (const [type, entity] of [
      ['catalogs', 'main'],
      ['SCHEMAS', 'main.default'],
      ['tables', name],
      ['columns', `${name}.NAME`],
      ['volumes', name],
      ['models', name],
    ] as const)
      expect((await assign(type, entity, 'k', type)).status, type).toBe(200);
    expect((await good(ask('GET', `${TAGS}/columns/${name}.name/tags`))).tag_assignments).toHaveLength(1);
    expect((await good(ask('GET', `${TAGS}/tables/${name}/tags`))).tag_assignments).toHaveLength(1);
    expect((await assign('columns', `${name}.none`, 'k')).status).toBe(404);
    expect((await assign('columns', name, 'k')).status).toBe(400);
    await good(ask('DELETE', `${UC}/tables/${name}`));
    await good(make());
    expect((await good(ask('GET', `${TAGS}/tables/${name}/tags`))).tag_assignments).toEqual([]);
  });

  it('keys, values and their number are limited', async () => {
    for (const key of ['', 'a.b', 'a,b', 'a-b', 'a=b', 'a/b', 'a:b', ' a', 'a\n', 'x'.repeat(256)])
      expect((await assign('catalogs', 'main', key)).status, key).toBe(400);
    expect((await assign('catalogs', 'main', 'k', 'x'.repeat(1001))).status).toBe(400);
    expect(refusal(await assign('clusters', 'main', 'k'))).toMatchObject({ status: 400 });
    expect((await assign('catalogs', 'none', 'k')).status).toBe(404);
    const replies = await Promise.all(Array.from({ length: 60 }, (_, at) => assign('catalogs', 'main', `k${at}`)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(50);
    expect(refusal(await assign('schemas', 'main.default', 'once')).status).toBe(200);
    expect(refusal(await assign('schemas', 'main.default', 'once'))).toMatchObject({
      status: 409,
      code: 'ALREADY_EXISTS',
    });
    const first = await good(ask('GET', `${TAGS}/catalogs/main/tags?max_results=30`));
    expect(first.tag_assignments).toHaveLength(30);
    const rest = await good(
      ask('GET', `${TAGS}/catalogs/main/tags?max_results=30&page_token=${first.next_page_token}`),
    );
    expect(rest.tag_assignments).toHaveLength(20);
  });

  it('assigning needs APPLY_TAG', async () => {
    await good(ask('POST', `${UC}/catalogs`, { name: 'own' }));
    expect(refusal(await assign('catalogs', 'own', 'k', 'v', other))).toMatchObject({
      status: 403,
      message: expect.stringContaining("APPLY TAG on Catalog 'own'"),
    });
    expect((await other('GET', `${TAGS}/catalogs/own/tags`)).status).toBe(403);
    await granting(all, 'catalog', 'own', ['APPLY_TAG', 'BROWSE']);
    await good(assign('catalogs', 'own', 'k', 'v', other));
    await good(other('GET', `${TAGS}/catalogs/own/tags/k`));
  });
});
