import { WorkspaceClient } from '@databricks/sdk-experimental';
import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../../support/jars.ts';
import { type Ask, good, person, refusal, withoutRates } from '../../support.ts';
import { newExperiment, newRun, type Tracking, tracking } from '../support.ts';

onBothStores('logged models', (bench) => {
  let ask: Ask;
  let api: Tracking;
  let experiment: string;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
    api = tracking(ask);
    experiment = await newExperiment(api);
  });

  const newModel = async (body: object = {}) =>
    (await api.post('logged-models', { experiment_id: experiment, ...body })).model;
  const read = async (id: string) => (await api.get(`logged-models/${id}`)).model;
  const refused = async (method: string, path: string, body?: unknown) =>
    refusal(await ask(method, `/mlflow/${path}`, body));
  const search = (body: object = {}) => api.post('logged-models/search', { experiment_ids: [experiment], ...body });
  const names = async (body: object) =>
    ((await search(body)).models ?? []).map((model: { info: { name: string } }) => model.info.name);

  it('the official client creates a model, logs to it and finds it', async () => {
    const client = new WorkspaceClient({ host: bench.jar.url, token: await bench.jar.token({ user: 'admin' }) });
    const { model } = await client.experiments.createLoggedModel({
      experiment_id: experiment,
      name: 'forest',
      model_type: 'Agent',
      params: [{ key: 'depth', value: '5' }],
      tags: [{ key: 'team', value: 'a' }],
    });
    expect(model?.info?.status).toBe('LOGGED_MODEL_PENDING');
    const model_id = model!.info!.model_id!;
    await client.experiments.logLoggedModelParams({ model_id, params: [{ key: 'trees', value: '100' }] });
    const found = await client.experiments.searchLoggedModels({
      experiment_ids: [experiment],
      filter: "params.trees = '100' AND tags.team = 'a'",
    });
    expect(found.models?.map(({ info }) => info?.name)).toEqual(['forest']);
    await client.experiments.deleteLoggedModel({ model_id });
    expect((await client.experiments.searchLoggedModels({ experiment_ids: [experiment] })).models).toBeUndefined();
  });

  it('a model shows its attributes and its logged values', async () => {
    const run = await newRun(api, experiment);
    const { info } = await newModel({
      name: 'forest',
      model_type: 'tree',
      source_run_id: run,
      params: [{ key: 'depth', value: '5' }],
      tags: [{ key: 'team', value: 'a' }],
    });
    expect(info.model_id).toMatch(/^m-[0-9a-f]{32}$/);
    const metric = { key: 'acc', timestamp: 10, model_id: info.model_id };
    await api.post('runs/log-batch', {
      run_id: run,
      metrics: [
        { ...metric, value: 0.5, step: 1 },
        { ...metric, value: 0.7, step: 2 },
        { ...metric, value: 0.6, step: 0 },
        { ...metric, value: 0.9, step: 0, dataset_name: 'd', dataset_digest: '1' },
      ],
    });
    const at = bench.jar.clock.now().getTime();
    expect(await read(info.model_id)).toEqual({
      info: {
        model_id: info.model_id,
        experiment_id: experiment,
        name: 'forest',
        creation_timestamp_ms: at,
        last_updated_timestamp_ms: at,
        artifact_uri: `dbfs:/databricks/mlflow-tracking/${experiment}/models/${info.model_id}/artifacts`,
        status: 'LOGGED_MODEL_PENDING',
        creator_id: expect.any(Number),
        source_run_id: run,
        model_type: 'tree',
        tags: [{ key: 'team', value: 'a' }],
      },
      data: {
        params: [{ key: 'depth', value: '5' }],
        metrics: expect.arrayContaining([
          { key: 'acc', value: 0.7, timestamp: 10, step: 2, model_id: info.model_id, run_id: run },
          {
            key: 'acc',
            value: 0.9,
            timestamp: 10,
            step: 0,
            model_id: info.model_id,
            dataset_name: 'd',
            dataset_digest: '1',
            run_id: run,
          },
        ]),
      },
    });
  });

  it('a model is finalized as ready or failed, and as nothing else', async () => {
    const { info } = await newModel();
    expect(info.name).toMatch(/^[a-z]+-[a-z]+-\d+$/);
    const path = `logged-models/${info.model_id}`;
    await bench.jar.clock.advance('1s');
    const { model } = await good(ask('PATCH', `/mlflow/${path}`, { status: 'LOGGED_MODEL_READY' }));
    expect(model.info).toMatchObject({
      status: 'LOGGED_MODEL_READY',
      last_updated_timestamp_ms: info.creation_timestamp_ms + 1000,
    });
    for (const status of ['LOGGED_MODEL_PENDING', 'READY'])
      expect(await refused('PATCH', path, { status })).toEqual({
        status: 400,
        code: 'INVALID_PARAMETER_VALUE',
        message: `Invalid model status: '${status}'. Expected statuses: ['LOGGED_MODEL_READY', 'LOGGED_MODEL_UPLOAD_FAILED'].`,
      });
  });

  it('names are not empty and have none of the characters of paths and URLs', async () => {
    for (const name of ['', 'a/b', 'a:b', 'a.b', 'a%b', 'a"b', "a'b"])
      expect(await refused('POST', 'logged-models', { experiment_id: experiment, name })).toMatchObject({
        status: 400,
        code: 'INVALID_PARAMETER_VALUE',
      });
    expect((await newModel({ name: 'a b-c_d (1)' })).info.name).toBe('a b-c_d (1)');
  });

  it('a parameter keeps its value, a tag takes the last, and a hundred parameters fit a request', async () => {
    const { info } = await newModel({ params: [{ key: 'a', value: '1' }] });
    const path = `logged-models/${info.model_id}`;
    await api.post(`${path}/params`, { params: [{ key: 'a', value: '1' }] });
    expect(await refused('POST', `${path}/params`, { params: [{ key: 'a', value: '2' }] })).toEqual({
      status: 400,
      code: 'INVALID_PARAMETER_VALUE',
      message: `Changing param values is not allowed. Param with key='a' was already logged with value='1' for logged model ID='${info.model_id}'. Attempted logging new value '2'.`,
    });
    const params = Array.from({ length: 101 }, (_, i) => ({ key: `p${i}`, value: '' }));
    expect(await refused('POST', `${path}/params`, { params })).toMatchObject({
      message: expect.stringContaining('at most 100 params. Got 101 params'),
    });
    const tag = (value: string) => good(ask('PATCH', `/mlflow/${path}/tags`, { tags: [{ key: 'k/1', value }] }));
    await tag('x');
    await tag('y');
    expect((await read(info.model_id)).info.tags).toEqual([{ key: 'k/1', value: 'y' }]);
    const tagPath = `${path}/tags/${encodeURIComponent('k/1')}`;
    await good(ask('DELETE', `/mlflow/${tagPath}`));
    expect((await read(info.model_id)).info.tags).toBeUndefined();
    expect(await refused('DELETE', tagPath)).toMatchObject({ status: 404, code: 'RESOURCE_DOES_NOT_EXIST' });
  });

  it('unknown models are named by the refusal', async () => {
    const gone = { status: 404, code: 'RESOURCE_DOES_NOT_EXIST', message: "Logged model with ID 'm-1' not found." };
    expect(await refused('GET', 'logged-models/m-1')).toEqual(gone);
    expect(await refused('DELETE', 'logged-models/m-1')).toEqual(gone);
    expect(await refused('POST', 'logged-models/m-1/params', { params: [] })).toEqual(gone);
    expect(await refused('GET', 'logged-models:batchGet?model_ids=m-1')).toEqual(gone);
    const run = await newRun(api, experiment);
    const metric = { run_id: run, metrics: [{ key: 'a', value: 1, timestamp: 1, model_id: 'm-1' }] };
    expect(await refused('POST', 'runs/log-batch', metric)).toEqual(gone);
  });

  it('several are read at once, in the order asked for', async () => {
    const [a, b] = [await newModel({ name: 'a' }), await newModel({ name: 'b' })];
    const query = [b, a].map(({ info }) => `model_ids=${info.model_id}`).join('&');
    const { models } = await good(ask('GET', `/mlflow/logged-models:batchGet?${query}`));
    expect(models.map((model: typeof a) => model.info.name)).toEqual(['b', 'a']);
  });

  it('a deleted model is neither shown nor found, and is eventually removed completely', async () => {
    const { info } = await newModel({ params: [{ key: 'a', value: '1' }] });
    await good(ask('DELETE', `/mlflow/logged-models/${info.model_id}`));
    expect(await refused('GET', `logged-models/${info.model_id}`)).toMatchObject({ status: 404 });
    expect(await search()).toEqual({});
    await bench.jar.clock.advance('31d');
    await bench.jar.settled();
    expect(await search()).toEqual({});
  });

  it('a metric is compared on the datasets that a search names', async () => {
    const run = await newRun(api, experiment);
    const log = (model_id: string, value: number, dataset: object = {}) =>
      api.post('runs/log-batch', {
        run_id: run,
        metrics: [{ key: 'acc', value, timestamp: 1, model_id, ...dataset }],
      });
    const [d1, d2] = ['1', '2'].map((dataset_digest) => ({ dataset_name: 'd', dataset_digest }));
    for (const [name, values] of Object.entries({ a: [0.1, 0.9], b: [0.8, 0.2] })) {
      const { info } = await newModel({ name });
      await log(info.model_id, values[0]!, d1);
      await log(info.model_id, values[1]!, d2);
    }
    await newModel({ name: 'c' });
    expect(await names({ datasets: [d1] })).toEqual(expect.arrayContaining(['a', 'b']));
    expect(await names({ datasets: [{ dataset_name: 'e' }] })).toEqual([]);
    expect(await names({ filter: 'metrics.acc > 0.5', datasets: [d1] })).toEqual(['b']);
    expect(await names({ filter: 'metrics.acc > 0.5', datasets: [d2] })).toEqual(['a']);
    expect(await names({ filter: 'metrics.acc < 0.5', datasets: [d1, d2] })).toHaveLength(2);
    const order = (ascending: boolean, dataset: object) =>
      names({ order_by: [{ field_name: 'metrics.acc', ascending, ...dataset }] });
    expect(await order(true, d1!)).toEqual(['a', 'b', 'c']);
    expect(await order(false, d1!)).toEqual(['b', 'a', 'c']);
    expect(await order(true, d2!)).toEqual(['b', 'a', 'c']);
  });

  it('finds by attributes, in the order of attributes, page by page', async () => {
    for (const name of ['b', 'a', 'd', 'c']) {
      await newModel({ name, ...(name > 'b' && { model_type: 'big' }) });
      await bench.jar.clock.advance('1s');
    }
    expect(await names({})).toEqual(['c', 'd', 'a', 'b']);
    expect(await names({ filter: "name IN ('a', 'c')" })).toEqual(['c', 'a']);
    expect(await names({ filter: "model_type = 'big' AND name LIKE 'c%'" })).toEqual(['c']);
    expect(await names({ filter: "status = 'READY'" })).toEqual([]);
    expect(await names({ filter: "status = 'PENDING'", order_by: [{ field_name: 'name' }] })).toEqual([
      'a',
      'b',
      'c',
      'd',
    ]);
    expect(await names({ order_by: [{ field_name: 'model_type', ascending: false }] })).toEqual(['c', 'd', 'a', 'b']);
    const order_by = [{ field_name: 'creation_timestamp', ascending: true }];
    const first = await search({ order_by, max_results: 3 });
    expect(first.models).toHaveLength(3);
    expect(await names({ order_by, max_results: 3, page_token: first.next_page_token })).toEqual(['c']);
    const other = await refused('POST', 'logged-models/search', {
      experiment_ids: [experiment],
      max_results: 3,
      page_token: first.next_page_token,
    });
    expect(other).toMatchObject({ status: 400, code: 'INVALID_PARAMETER_VALUE' });
    for (const max_results of [0, 51])
      expect(
        await refused('POST', 'logged-models/search', { experiment_ids: [experiment], max_results }),
      ).toMatchObject({ status: 400, message: expect.stringContaining('max_results') });
    expect(
      await refused('POST', 'logged-models/search', {
        experiment_ids: [experiment],
        order_by: [{ field_name: 'metrics.a', dataset_digest: '1' }],
      }),
    ).toMatchObject({ message: '`dataset_digest` can only be specified if `dataset_name` is also specified.' });
  });
});
