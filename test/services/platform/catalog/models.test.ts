import { beforeEach, expect, it } from 'vitest';
import { onAnyStore, onBothStores } from '../../../support/jars.ts';
import { type Ask, good, refusal } from '../support.ts';
import { granting, type People, people, UC } from './people.ts';

const MODEL = 'main.default.churn';
const ML = '/mlflow/unity-catalog';

onAnyStore('data platform: registered models of the catalog', (bench) => {
  let all: People;
  let ask: Ask;
  let other: Ask;

  beforeEach(async () => {
    all = await people(bench);
    ({ ask, other } = all);
    await good(
      ask('POST', `${UC}/models`, { catalog_name: 'main', schema_name: 'default', name: 'Churn', comment: 'c' }),
    );
  });

  const version = (by: Ask = ask, more: object = {}) =>
    by('POST', `${ML}/model-versions/create`, { name: MODEL, source: 'dbfs:/churn', ...more });
  const finalize = (number: string, by: Ask = ask) =>
    by('POST', `${ML}/model-versions/finalize`, { name: MODEL, version: number });

  it('a model is read, changed, renamed and deleted', async () => {
    const made = await good(ask('GET', `${UC}/models/MAIN.default.churn`));
    expect(made).toMatchObject({
      name: 'churn',
      catalog_name: 'main',
      schema_name: 'default',
      full_name: MODEL,
      comment: 'c',
      metastore_id: all.metastore,
      storage_location: expect.stringContaining(`/models/${made.id}`),
      created_at: expect.any(Number),
    });
    expect(made).not.toHaveProperty('aliases');
    await good(version());
    await good(ask('PUT', `${UC}/models/${MODEL}/aliases/best`, { version_num: 1 }));
    expect((await good(ask('GET', `${UC}/models/${MODEL}?include_aliases=true`))).aliases).toEqual([
      { alias_name: 'best', version_num: 1 },
    ]);
    const renamed = await good(ask('PATCH', `${UC}/models/${MODEL}`, { new_name: 'leave', comment: 'd' }));
    expect(renamed).toMatchObject({ full_name: 'main.default.leave', comment: 'd', id: made.id });
    expect((await good(ask('GET', `${UC}/models/main.default.leave/versions/1`))).model_name).toBe('leave');
    await good(ask('DELETE', `${UC}/models/main.default.leave`));
    expect(refusal(await ask('GET', `${UC}/models/main.default.leave`))).toMatchObject({
      status: 404,
      code: 'REGISTERED_MODEL_DOES_NOT_EXIST',
    });
  });

  it('models are listed by schema, or all that the caller sees', async () => {
    await good(ask('POST', `${UC}/catalogs`, { name: 'other' }));
    await good(ask('POST', `${UC}/models`, { catalog_name: 'other', schema_name: 'default', name: 'a' }));
    const names = async (query: string, by = ask) =>
      (await good(by('GET', `${UC}/models${query}`))).registered_models.map(
        ({ full_name }: { full_name: string }) => full_name,
      );
    expect(await names('?catalog_name=main&schema_name=default')).toEqual([MODEL]);
    expect(await names('')).toEqual(['other.default.a', MODEL]);
    expect(refusal(await ask('GET', `${UC}/models?catalog_name=main`))).toMatchObject({
      status: 400,
      message: expect.stringContaining('must be given together'),
    });
    const first = await good(ask('GET', `${UC}/models?max_results=1`));
    expect(first.registered_models).toHaveLength(1);
    expect(await names(`?max_results=1&page_token=${first.next_page_token}`)).toEqual([MODEL]);
    expect((await ask('GET', `${UC}/models?page_token=x`)).status).toBe(400);
    expect(await names('', other)).toEqual([]);
    await granting(all, 'function', MODEL, ['EXECUTE']);
    expect(await names('', other)).toEqual([MODEL]);
    await granting(all, 'catalog', 'other', ['BROWSE']);
    expect(await names('?include_browse=true', other)).toEqual(['other.default.a', MODEL]);
    const { registered_models: searched } = await good(ask('GET', `${ML}/registered-models/search?max_results=1`));
    expect(searched.map(({ name }: { name: string }) => name)).toEqual(['other.default.a']);
  });

  it('who may do what: CREATE_MODEL, CREATE_MODEL_VERSION, EXECUTE, and managers', async () => {
    await granting(all, 'function', MODEL, ['EXECUTE']);
    await good(other('GET', `${UC}/models/${MODEL}`));
    expect(refusal(await version(other))).toMatchObject({
      status: 403,
      message: expect.stringContaining('CREATE MODEL VERSION on RegisteredModel'),
    });
    await granting(all, 'function', MODEL, ['CREATE_MODEL_VERSION']);
    const { model_version: made } = await good(version(other));
    expect(made).toMatchObject({ version: '1', user_id: all.user });
    await good(finalize('1', other));
    await good(version());
    expect((await finalize('2', other)).status).toBe(403);
    for (const [method, path, body] of [
      ['PUT', 'aliases/a', { version_num: 1 }],
      ['PATCH', 'versions/1', { comment: 'x' }],
      ['DELETE', 'versions/1', undefined],
    ] as const)
      expect((await other(method, `${UC}/models/${MODEL}/${path}`, body)).status, path).toBe(403);
    expect((await other('DELETE', `${UC}/models/${MODEL}`)).status).toBe(403);
  });

  it('a version goes from pending to ready, and to failed after a day', async () => {
    const { model_version: made } = await good(
      version(ask, { run_id: 'run', description: 'first', tags: [{ key: 'k', value: 'v' }] }),
    );
    expect(made).toMatchObject({
      name: MODEL,
      version: '1',
      status: 'PENDING_REGISTRATION',
      source: 'dbfs:/churn',
      run_id: 'run',
      description: 'first',
      tags: [{ key: 'k', value: 'v' }],
      aliases: [],
    });
    const writes = { name: MODEL, version: '1', operation: 'MODEL_VERSION_OPERATION_READ_WRITE' };
    const credentials = `${ML}/model-versions/generate-temporary-credentials`;
    expect((await good(ask('POST', credentials, writes))).credentials).toMatchObject({
      azure_user_delegation_sas: { sas_token: expect.stringContaining('sp=racwdl') },
    });
    expect((await good(finalize('1'))).model_version.status).toBe('READY');
    expect((await good(finalize('1'))).model_version.status).toBe('READY');
    expect(refusal(await ask('POST', credentials, writes))).toMatchObject({ status: 400, code: 'INVALID_STATE' });
    await good(version());
    await bench.jar.clock.advance('25h');
    const states = await good(ask('GET', `${UC}/models/${MODEL}/versions`));
    expect(states.model_versions.map((each: Record<string, unknown>) => [each.version, each.status])).toEqual([
      [2, 'FAILED_REGISTRATION'],
      [1, 'READY'],
    ]);
    expect(refusal(await finalize('2'))).toMatchObject({ status: 400, code: 'INVALID_STATE' });
  });

  it('a version shows its model and where its files are; only its comment changes', async () => {
    await good(version());
    const shown = await good(ask('GET', `${UC}/models/${MODEL}/versions/1`));
    expect(shown).toMatchObject({
      model_name: 'churn',
      catalog_name: 'main',
      schema_name: 'default',
      version: 1,
      source: 'dbfs:/churn',
      storage_location: expect.stringMatching(/\/versions\/[0-9a-f-]{36}$/),
    });
    const changed = await good(ask('PATCH', `${UC}/models/${MODEL}/versions/1`, { comment: 'new', source: 'x' }));
    expect(changed).toMatchObject({ comment: 'new', source: 'dbfs:/churn' });
    const uri = await good(ask('GET', `${ML}/model-versions/get-download-uri?name=${MODEL}&version=1`));
    expect(uri).toEqual({ artifact_uri: shown.storage_location });
    for (const number of ['0', '2', 'x', '1.0', '99999999999'])
      expect((await ask('GET', `${UC}/models/${MODEL}/versions/${number}`)).status, number).toBe(404);
  });

  it('aliases can be moved, are case-insensitive, and are deleted with their version', async () => {
    for (const _ of [1, 2]) await good(version());
    const at = `${UC}/models/${MODEL}/aliases`;
    expect(await good(ask('PUT', `${at}/Champion`, { version_num: 1 }))).toEqual({
      alias_name: 'champion',
      version_num: 1,
    });
    await good(ask('PUT', `${at}/champion`, { version_num: 2 }));
    await good(ask('PUT', `${at}/other`, { version_num: 1 }));
    expect((await good(ask('GET', `${at}/CHAMPION`))).version).toBe(2);
    const counted = async () =>
      (await good(ask('GET', `${UC}/resource-quotas/function/${MODEL}/registered-model-alias-quota`))).quota_info
        .quota_count;
    expect(await counted()).toBe(2);
    await good(ask('DELETE', `${UC}/models/${MODEL}/versions/2`));
    expect(refusal(await ask('GET', `${at}/champion`))).toMatchObject({ status: 404 });
    expect(await counted()).toBe(1);
    await good(ask('DELETE', `${at}/other`));
    expect(await counted()).toBe(0);
    expect((await ask('DELETE', `${at}/other`)).status).toBe(404);
    for (const alias of ['latest', 'v1', 'a.b', 'x'.repeat(256)])
      expect((await ask('PUT', `${at}/${alias}`, { version_num: 1 })).status, alias).toBe(400);
    expect((await ask('PUT', `${at}/gone`, { version_num: 2 })).status).toBe(404);
    expect(refusal(await ask('PUT', `${at}/gone`, {})).message).toBe('Missing required field: version_num');
  });

  it('the tracking API reads and writes the same models', async () => {
    const made = await good(
      ask('POST', `${ML}/registered-models/create`, {
        name: 'main.default.m',
        description: 'd',
        tags: [{ key: 'a', value: 'b' }],
      }),
    );
    expect(made.registered_model).toMatchObject({
      name: 'main.default.m',
      description: 'd',
      tags: [{ key: 'a', value: 'b' }],
    });
    const name = 'main.default.n';
    const change = { name: 'main.default.m', new_name: name, description: 'e' };
    expect((await good(ask('PATCH', `${ML}/registered-models/update`, change))).registered_model).toMatchObject({
      name,
      description: 'e',
    });
    expect((await ask('PATCH', `${ML}/registered-models/update`, { name, new_name: 'main.else.n' })).status).toBe(400);
    await good(ask('POST', `${ML}/registered-models/set-tag`, { name, key: 'c', value: 'd' }));
    await good(ask('DELETE', `${ML}/registered-models/delete-tag`, { name, key: 'a' }));
    await good(ask('POST', `${ML}/model-versions/create`, { name, source: 's' }));
    const one = { name, version: '1' };
    await good(ask('PATCH', `${ML}/model-versions/update`, { ...one, description: 'f' }));
    await good(ask('POST', `${ML}/model-versions/set-tag`, { ...one, key: 'k', value: 'v' }));
    await good(ask('POST', `${ML}/model-versions/set-tag`, { ...one, key: 'l', value: 'w' }));
    await good(ask('DELETE', `${ML}/model-versions/delete-tag`, { ...one, key: 'k' }));
    await good(ask('POST', `${ML}/registered-models/alias`, { ...one, alias: 'best' }));
    const { registered_model: model } = await good(ask('GET', `${ML}/registered-models/get?name=${name}`));
    expect(model).toMatchObject({ tags: [{ key: 'c', value: 'd' }], aliases: [{ alias: 'best', version: '1' }] });
    const { model_version: byAlias } = await good(ask('GET', `${ML}/registered-models/alias?name=${name}&alias=best`));
    expect(byAlias).toMatchObject({
      version: '1',
      description: 'f',
      tags: [{ key: 'l', value: 'w' }],
      aliases: ['best'],
    });
    await good(ask('DELETE', `${ML}/registered-models/alias`, { name, alias: 'best' }));
    const filter = encodeURIComponent(`name = '${name}'`);
    expect((await good(ask('GET', `${ML}/model-versions/search?filter=${filter}`))).model_versions).toHaveLength(1);
    expect((await ask('GET', `${ML}/model-versions/search?filter=run_id='x'`)).status).toBe(400);
    expect((await good(ask('GET', `${ML}/model-versions/get?name=${name}&version=1`))).model_version.version).toBe('1');
    await good(ask('DELETE', `${ML}/model-versions/delete`, one));
    await good(ask('DELETE', `${ML}/registered-models/delete?name=${name}`));
    expect((await ask('GET', `${ML}/registered-models/get?name=${name}`)).status).toBe(404);
    expect((await ask('POST', `${ML}/registered-models/create`, { name: 'short' })).status).toBe(400);
    expect(refusal(await ask('POST', `${ML}/model-versions/create`, { name: MODEL })).message).toBe(
      'Missing required field: source',
    );
  });
});

onBothStores('data platform: concurrent calls in the catalog', (bench) => {
  let all: People;

  beforeEach(async () => {
    all = await people(bench);
  });

  it('64 concurrent versions get 64 numbers, none of a deleted version, and the counts are exact', async () => {
    const { ask, metastore } = all;
    await good(ask('POST', `${UC}/models`, { catalog_name: 'main', schema_name: 'default', name: 'churn' }));
    const create = () => ask('POST', `${ML}/model-versions/create`, { name: MODEL, source: 's' });
    await good(create());
    await good(ask('DELETE', `${UC}/models/${MODEL}/versions/1`));
    const made = await Promise.all(Array.from({ length: 64 }, create));
    const numbers = made.map(({ body }) => Number(body.model_version?.version)).sort((one, two) => one - two);
    expect(numbers).toEqual(Array.from({ length: 64 }, (_, at) => at + 2));
    const quota = async () =>
      (await good(ask('GET', `${UC}/resource-quotas/metastore/${metastore}/model-version-quota`))).quota_info
        .quota_count;
    expect(await quota()).toBe(64);
    // Everything in a schema is removed with it.
    await good(ask('DELETE', `${UC}/schemas/main.default?force=true`));
    await bench.jar.settled();
    expect(await quota()).toBe(0);
  });

  it('of overlapping locations created concurrently, one exists; a credential and its first location are consistent', async () => {
    const { ask } = all;
    const credential = { aws_iam_role: { role_arn: 'r' } };
    await good(ask('POST', `${UC}/storage-credentials`, { name: 'c', ...credential }));
    const made = await Promise.all(
      Array.from({ length: 16 }, (_, at) =>
        ask('POST', `${UC}/external-locations`, {
          name: `l${at}`,
          url: `s3://b/${'x/'.repeat(at % 4)}`,
          credential_name: 'c',
        }),
      ),
    );
    expect(made.filter(({ status }) => status === 200)).toHaveLength(1);
    for (let round = 0; round < 5; round++) {
      await good(ask('POST', `${UC}/storage-credentials`, { name: `d${round}`, ...credential }));
      const location = { name: `m${round}`, url: `s3://d/${round}`, credential_name: `d${round}` };
      const [placed, gone] = await Promise.all([
        ask('POST', `${UC}/external-locations`, location),
        ask('DELETE', `${UC}/storage-credentials/d${round}`),
      ]);
      expect([placed.status === 200, gone.status === 200].filter(Boolean), placed.text + gone.text).toHaveLength(1);
    }
  });
});
