import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore, onBothStores } from '../../../support/jars.ts';
import { type Ask, good, person, refusal, withoutRates } from '../support.ts';
import { createModel, createVersion, ML, share } from './support.ts';

const encode = (query: Readonly<Record<string, string | readonly string[]>>): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) for (const each of [value].flat()) parameters.append(name, each);
  return parameters.toString();
};

const search = (ask: Ask, what: string, filter: string, more: Record<string, string | readonly string[]> = {}) =>
  ask('GET', `${ML}/${what}/search?${encode({ ...(filter !== '' && { filter }), ...more })}`);

const models = async (ask: Ask, filter: string, more = {}): Promise<string[]> =>
  ((await good(search(ask, 'registered-models', filter, more))).registered_models ?? []).map(
    ({ name }: { name: string }) => name,
  );

const versions = async (ask: Ask, filter: string, more = {}): Promise<string[]> =>
  ((await good(search(ask, 'model-versions', filter, more))).model_versions ?? []).map(
    ({ name, version }: { name: string; version: string }) => `${name}${version}`,
  );

const tag = (key: string, value: string) => ({ tags: [{ key, value }] });

onBothStores('data platform: searches of the model registry', (bench) => {
  let ask: Ask;
  let isFilled = false;
  beforeEach(async () => {
    if (isFilled) return;
    isFilled = true;
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
    await createModel(ask, 'a', tag('team', 'Growth'));
    await bench.jar.clock.advance('1s');
    await createModel(ask, 'B_1', tag('team', 'growth'));
    await bench.jar.clock.advance('1s');
    await createModel(ask, 'b%x', tag('my key', "it's"));
    await bench.jar.clock.advance('1s');
    await createModel(ask, 'ab', { tags: [{ key: 'team', value: '' }] });
    await createVersion(ask, 'a', { source: 'dbfs:/x/1', run_id: 'r1', ...tag('q', '1') });
    await bench.jar.clock.advance('1s');
    await createVersion(ask, 'a', { source: 'dbfs:/x/2', run_id: 'r2', ...tag('q', '2') });
    await bench.jar.clock.advance('1s');
    await createVersion(ask, 'B_1', { source: 's3://y/1', run_id: 'r1' });
    await bench.jar.clock.advance('1s');
    for (let i = 0; i < 10; i++) await createVersion(ask, 'ab', { source: `s3://z/${i}` });
    await good(ask('PATCH', `${ML}/model-versions/update`, { name: 'a', version: '1', description: 'changed' }));
  });

  const ofAb = Array.from({ length: 10 }, (_, i) => `ab${10 - i}`);

  it.each([
    ['', {}, ['B_1', 'a', 'ab', 'b%x']],
    ["name = 'a'", {}, ['a']],
    ["name = 'A'", {}, []],
    ["name != 'a'", {}, ['B_1', 'ab', 'b%x']],
    ["name LIKE 'a%'", {}, ['a', 'ab']],
    ["name LIKE 'b%'", {}, ['b%x']],
    ["name ilike 'B%'", {}, ['B_1', 'b%x']],
    ["name LIKE '_'", {}, ['a']],
    ["name LIKE '%b%'", {}, ['ab', 'b%x']],
    ["name LIKE 'B__'", {}, ['B_1']],
    ["attribute.name = 'ab'", {}, ['ab']],
    ["tags.team = 'growth'", {}, ['B_1']],
    ["tags.team != 'growth'", {}, ['a', 'ab']],
    ["tag.team ILIKE 'GROWTH'", {}, ['B_1', 'a']],
    ["tags.team LIKE 'G%' AND name LIKE 'a%'", {}, ['a']],
    ['tags.`my key` = "it\'s"', {}, ['b%x']],
    ["tags.nothing != 'x'", {}, []],
    ["tags.team = ''", {}, ['ab']],
    ['', { order_by: ['name DESC'] }, ['b%x', 'ab', 'a', 'B_1']],
    ['', { order_by: ['creation_timestamp DESC'] }, ['ab', 'b%x', 'B_1', 'a']],
    ['', { order_by: ['last_updated_timestamp'] }, ['b%x', 'a', 'B_1', 'ab']],
    ['', { order_by: ['timestamp desc', 'name'] }, ['ab', 'B_1', 'a', 'b%x']],
  ])('models: %s %o', async (filter, more, expected) => {
    expect(await models(ask, filter, more)).toEqual(expected);
  });

  it.each([
    ['', {}, ['B_11', 'a2', 'a1', ...ofAb]],
    ["name = 'a'", {}, ['a2', 'a1']],
    ["name='a' and version_number = 2", {}, ['a2']],
    ['version_number > 8', {}, ['ab10', 'ab9']],
    ['version_number <= 1', {}, ['B_11', 'a1', 'ab1']],
    ["version_number != 1 AND name LIKE 'a'", {}, ['a2']],
    ["run_id = 'r1'", {}, ['B_11', 'a1']],
    ["run_id != 'r1'", {}, ['a2']],
    ["run_id IN ('r1', 'r2')", {}, ['B_11', 'a2', 'a1']],
    ["run_id LIKE 'r_' AND run_id ILIKE 'R2'", {}, ['a2']],
    ["source_path LIKE 'dbfs:%'", {}, ['a2', 'a1']],
    ["source_path = 's3://y/1'", {}, ['B_11']],
    ["source_path != 's3://y/1' AND name ILIKE 'A'", {}, ['a2', 'a1']],
    ["tags.q = '2'", {}, ['a2']],
    ["tags.q LIKE '%'", {}, ['a2', 'a1']],
    ["name = 'nobody'", {}, []],
    [
      "name LIKE 'a%'",
      { order_by: ['version_number ASC'] },
      ['a1', 'ab1', 'a2', 'ab2', ...[3, 4, 5, 6, 7, 8, 9, 10].map((n) => `ab${n}`)],
    ],
    ['version_number = 1', { order_by: ['name DESC'] }, ['ab1', 'a1', 'B_11']],
    [
      'version_number < 3',
      { order_by: ['creation_timestamp DESC', 'version_number ASC'] },
      ['ab1', 'ab2', 'B_11', 'a2', 'a1'],
    ],
    ['version_number = 1', { order_by: ['last_updated_timestamp ASC'] }, ['B_11', 'a1', 'ab1']],
  ])('versions: %s %o', async (filter, more, expected) => {
    expect(await versions(ask, filter, more)).toEqual(expected);
  });

  it('texts with any characters are kept, shown and found', async () => {
    const odd = 'a\u0000\ud800b\u{1f600}';
    await createModel(ask, 'odd', { description: odd, ...tag('odd', odd) });
    await createVersion(ask, 'odd', { source: odd, run_id: odd, ...tag('odd', odd) });
    const found = await good(search(ask, 'model-versions', "tags.odd LIKE 'a%b_'"));
    expect(found.model_versions).toHaveLength(1);
    expect(await versions(ask, "run_id LIKE 'a%' AND source_path ILIKE 'A%'")).toEqual(['odd1']);
    expect((await search(ask, 'registered-models', "name = 'a\u0000b'")).status).toBe(200);
    await good(ask('DELETE', `${ML}/registered-models/delete?name=odd`));
  });

  it.each([
    ['registered-models', '', ['name'], 1],
    ['registered-models', "name LIKE '%b%'", [], 1],
    ['registered-models', '', ['creation_timestamp DESC'], 3],
    ['model-versions', '', [], 1],
    ['model-versions', "name LIKE '%'", ['last_updated_timestamp DESC'], 2],
    ['model-versions', "source_path ILIKE 'S3%'", ['version_number DESC'], 4],
    ['model-versions', '', ['name DESC', 'version_number'], 5],
  ] as const)(
    'pages of %s %s %o in %d give what one page gives, and none is empty',
    async (what, filter, order_by, size) => {
      const member = what.replace('-', '_');
      const whole = (await good(search(ask, what, filter, { order_by })))[member];
      const found = [];
      for (let page_token = ''; ; ) {
        const page = await good(search(ask, what, filter, { order_by, max_results: String(size), page_token }));
        expect(page[member].length).toBeGreaterThan(0);
        expect(page[member].length).toBeLessThanOrEqual(size);
        found.push(...page[member]);
        page_token = page.next_page_token ?? '';
        if (page_token === '') break;
      }
      expect(found).toEqual(whole);
    },
  );
});

onAnyStore('data platform: what searches of the model registry refuse and hide', (bench) => {
  let ask: Ask;
  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
  });

  it.each([
    ['registered-models', "status = 'x'", 'Invalid attribute key'],
    [
      'registered-models',
      "params.a = 'x'",
      "Invalid entity type 'params'. Valid entity types are ('attribute', 'tag', 'tags')",
    ],
    ['registered-models', "name > 'x'", "Invalid comparator '>' not one of"],
    ['registered-models', "name = 'a' OR name = 'b'", 'Invalid clause(s) in filter string'],
    ['registered-models', 'name = a', 'Parameter value is either not quoted'],
    ['model-versions', "version_number = '1'", 'Expected numeric value type for numeric attribute: version_number'],
    ['model-versions', "version_number LIKE '1'", 'Expected numeric value type for numeric attribute: version_number'],
    ['model-versions', "name IN ('a')", "Only the 'run_id' attribute supports comparison with a list"],
    ['model-versions', "'a' = name", "Expected 'Identifier' found"],
    ['model-versions', `name LIKE '${'%a'.repeat(300)}'`, 'A pattern has at most 500 characters.'],
  ])('%s: the filter %s', async (what, filter, message) => {
    const { status, body } = await search(ask, what, filter);
    expect({ status, code: body.error_code }).toEqual({ status: 400, code: 'INVALID_PARAMETER_VALUE' });
    expect(body.message).toContain(message);
  });

  it.each([
    ['registered-models', { order_by: 'size' }, 'Invalid attribute key'],
    ['registered-models', { order_by: 'name down' }, 'Invalid ordering key in order_by clause'],
    ['registered-models', { order_by: ['name', 'name DESC'] }, 'contains duplicate fields'],
    [
      'registered-models',
      { max_results: '1001' },
      'Invalid value for request parameter max_results. It must be at most 1000, but got value 1001',
    ],
    ['model-versions', { max_results: '10001' }, 'It must be at most 10000, but got value 10001'],
    ['model-versions', { max_results: '0' }, 'It must be at least 1, but got value 0'],
    ['model-versions', { max_results: 'many' }, 'Invalid value "many" for parameter \'max_results\' supplied'],
    ['model-versions', { page_token: 'abc' }, 'Invalid page token, could not base64-decode'],
  ])('%s: %o', async (what, more, message) => {
    const { status, body } = await search(ask, what, '', more);
    expect({ status, code: body.error_code }).toEqual({ status: 400, code: 'INVALID_PARAMETER_VALUE' });
    expect(body.message).toContain(message);
  });

  it('a page token is good for its own search only', async () => {
    for (const name of ['a', 'b', 'c']) await createModel(ask, name);
    const { next_page_token: page_token } = await good(search(ask, 'registered-models', '', { max_results: '1' }));
    expect(await models(ask, '', { page_token })).toEqual(['b', 'c']);
    expect(refusal(await search(ask, 'registered-models', "name = 'b'", { page_token }))).toMatchObject({
      status: 400,
    });
    expect(refusal(await search(ask, 'model-versions', '', { page_token }))).toMatchObject({ status: 400 });
  });

  it('users find what they may read: by the model, by a group, or by the parent object of all models', async () => {
    for (const name of ['a', 'b', 'c']) {
      await createModel(ask, name);
      await createVersion(ask, name);
    }
    const user = await person(bench, 'licensed');
    await good(user('GET', '/preview/scim/v2/Me'));
    const seen = async () => [await models(user, ''), await versions(user, '')];
    expect(await seen()).toEqual([[], []]);
    await share(ask, 'b', 'licensed', 'CAN_READ');
    expect(await seen()).toEqual([['b'], ['b1']]);
    const root = { access_control_list: [{ group_name: 'users', permission_level: 'CAN_READ' }] };
    await good(ask('PUT', '/permissions/registered-models/root', root));
    expect(await seen()).toEqual([
      ['a', 'b', 'c'],
      ['a1', 'b1', 'c1'],
    ]);
    expect((await good(user('GET', `${ML}/registered-models/list?max_results=2`))).registered_models).toHaveLength(2);
  });

  describe('a value that is long', () => {
    it('is compared with a pattern that repeats itself while others are served', async () => {
      for (let i = 0; i < 5; i++) await createModel(ask, `m${i}`, tag('long', 'a'.repeat(100_000)));
      const slow = models(ask, `tags.long LIKE '${'%a'.repeat(200)}b'`);
      await good(ask('GET', `${ML}/registered-models/get?name=m0`));
      expect(await slow).toEqual([]);
    });
  });
});
