import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { type Ask, control, good, person, refusal, withoutRates } from '../support.ts';
import { newExperiment, newRun, type Tracking, tracking } from './support.ts';

/** Incompressible texts: an index row of PostgreSQL has at most about 2,700 bytes. */
const ideographs = (length: number): string =>
  Array.from({ length }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000))).join('');

onBothStores('data platform: experiment tracking under hostile input', (bench) => {
  let ask: Ask;
  let api: Tracking;
  let experiment_id: string;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
    api = tracking(ask);
    experiment_id = await newExperiment(api);
  });

  const used = async (row: string): Promise<number> => {
    const { value } = await good(control(bench, 'GET', `limits?name=platform.${row}`));
    return value[0].use.reduce((sum: number, each: { used: number }) => sum + each.used, 0);
  };

  it('a filter of 300,000 digits is refused in a time that grows with its length only', async () => {
    const digits = '1'.repeat(300_000);
    const reply = await ask('POST', '/mlflow/runs/search', { experiment_ids: [experiment_id], filter: `${digits}x` });
    expect(refusal(reply)).toMatchObject({ status: 400, code: 'INVALID_PARAMETER_VALUE' });
    expect(reply.body.message).toMatch(/^Invalid clause\(s\) in filter string: '1{500}…' \(at character 1\)$/);
  });

  it('texts too long for an index are refused, or no part of one', async () => {
    const artifact_location = `s3://${ideographs(1000)}`;
    const created = await ask('POST', '/mlflow/experiments/create', { name: '/Shared/long', artifact_location });
    expect(refusal(created)).toMatchObject({ status: 400, code: 'INVALID_PARAMETER_VALUE' });
    expect(created.body.message).toContain('It must be at most 2048 bytes of UTF-8.');
    const ascii = `s3://${'x'.repeat(2043)}`;
    const known = await api.post('experiments/create', { name: '/Shared/longest', artifact_location: ascii });
    await newRun(api, known.experiment_id);
    const { runs } = await api.post('runs/search', {
      experiment_ids: [known.experiment_id],
      order_by: ['artifact_uri'],
    });
    expect(runs[0].info.artifact_uri).toContain(ascii);
    const request_metadata = [{ key: 'mlflow.sourceRun', value: ideographs(6000) }];
    const { trace_info } = await api.post('traces', { experiment_id, timestamp_ms: 1, request_metadata });
    expect(trace_info.request_metadata).toEqual(request_metadata);
  });

  it('a trace may begin as late as a date can be, and no later', async () => {
    const start = (timestamp_ms: number) => ask('POST', '/mlflow/traces', { experiment_id, timestamp_ms });
    expect(refusal(await start(8_640_000_000_000_001))).toMatchObject({ status: 400, code: 'INVALID_PARAMETER_VALUE' });
    const { trace_info } = await good(start(8_640_000_000_000_000));
    const { trace } = await good(ask('GET', `/api/3.0/mlflow/traces/${trace_info.request_id}`));
    expect(trace.trace_info.request_time).toBe('+275760-09-13T00:00:00.000Z');
  });

  it('a tag of linked prompts that is no list of prompts gives a trace no prompt', async () => {
    for (const value of ['"abc"', '["x"]', '[null]', '{}', '['])
      await api.post('traces', { experiment_id, timestamp_ms: 1, tags: [{ key: 'mlflow.linkedPrompts', value }] });
    expect(await api.get('traces', { experiment_ids: experiment_id, filter: "prompt LIKE '%'" })).toEqual({});
  });

  it('a purged experiment leaves no count of its logged models and no file of them', async () => {
    const run_id = await newRun(api, experiment_id);
    const model = async () => {
      const { model: made } = await api.post('logged-models', {
        experiment_id,
        params: [{ key: 'p', value: '1' }],
        tags: [{ key: 't', value: '1' }],
      });
      const { model_id } = made.info;
      await api.post('runs/log-batch', { run_id, metrics: [{ key: 'm', value: 1, timestamp: 1, model_id }] });
      await good(
        ask('PUT', `/mlflow-artifacts/artifacts/${experiment_id}/models/${model_id}/artifacts/MLmodel`, 'flavors: {}'),
      );
      return model_id as string;
    };
    const rows = ['logged-models', 'logged-model-parameters', 'logged-model-tags', 'logged-model-metrics'];
    const counts = () => Promise.all(rows.map(used));
    const [deleted] = [await model(), await model()];
    expect(await counts()).toEqual([2, 2, 2, 2]);
    await good(ask('DELETE', `/mlflow/logged-models/${deleted}`));
    await bench.jar.clock.advance('31d');
    expect(await counts()).toEqual([1, 1, 1, 1]);
    const files = `/mlflow-artifacts/artifacts?path=${experiment_id}/models/${deleted}/artifacts`;
    expect(await good(ask('GET', files))).toEqual({ files: [] });
    await api.post('experiments/delete', { experiment_id });
    await bench.jar.clock.advance('31d');
    expect(await counts()).toEqual([0, 0, 0, 0]);
  });

  it('thousands of tags and parameters in one request are refused as a whole', async () => {
    const many = Array.from({ length: 5000 }, (_, i) => ({ key: `k${i}`, value: 'v' }));
    const refused = async (path: string, body: object) =>
      expect(refusal(await ask('POST', `/mlflow/${path}`, body))).toMatchObject({
        status: 400,
        code: 'RESOURCE_LIMIT_EXCEEDED',
      });
    await refused('experiments/create', { name: '/Shared/many', tags: many });
    await refused('runs/create', { experiment_id, tags: many });
    await refused('logged-models', { experiment_id, params: many });
    const twice = await ask('POST', '/mlflow/logged-models', { experiment_id, params: [...many, ...many] });
    expect(twice.body.message).toContain("Duplicate parameter keys have been submitted: ['k0', 'k1',");
    expect(await used('logged-models')).toBe(0);
  });

  it.each([
    ['dataset_name', 501],
    ['dataset_digest', 37],
    ['model_id', 256],
  ])('%s of a metric has fewer than %d characters', async (field, length) => {
    const run_id = await newRun(api, experiment_id);
    const metric = { key: 'm', value: 1, timestamp: 1, [field]: 'x'.repeat(length) };
    const reply = await ask('POST', '/mlflow/runs/log-batch', { run_id, metrics: [metric] });
    expect(refusal(reply)).toEqual({
      status: 400,
      code: 'INVALID_PARAMETER_VALUE',
      message: `'metrics[0].${field}' exceeds the maximum length of ${length - 1} characters`,
    });
  });

  it('a trace has 1,000 tags however they come', async () => {
    const tags = Array.from({ length: 1000 }, (_, i) => ({ key: `k${i}`, value: 'v' }));
    const { request_id } = (await api.post('traces', { experiment_id, timestamp_ms: 1, tags })).trace_info;
    const set = (key: string) => ask('PATCH', `/mlflow/traces/${request_id}/tags`, { key, value: 'w' });
    await good(set('k1'));
    expect(refusal(await set('other'))).toEqual({
      status: 400,
      code: 'INVALID_PARAMETER_VALUE',
      message: 'A trace has at most 1000 tags.',
    });
    const end = { timestamp_ms: 2, status: 'OK', tags: [{ key: 'other', value: '' }] };
    expect((await ask('PATCH', `/mlflow/traces/${request_id}`, end)).status).toBe(400);
  });

  it('traces are deleted with all that belongs to them, by ids of this experiment alone', async () => {
    const other = await newExperiment(api);
    const tags = Array.from({ length: 700 }, (_, i) => ({ key: `k${i}`, value: 'v' }));
    const start = async (id: string): Promise<string> =>
      (await api.post('traces', { experiment_id: id, timestamp_ms: 1, tags })).trace_info.request_id;
    const [one, foreign] = [await start(experiment_id), await start(other)];
    const erase = (request_ids: string[]) => api.post('traces/delete-traces', { experiment_id, request_ids });
    expect(await erase([one, foreign, 'tr-unknown'])).toEqual({ traces_deleted: 1 });
    expect(await erase([one])).toEqual({ traces_deleted: 0 });
    expect((await api.get(`traces/${foreign}/info`)).trace_info.tags).toHaveLength(700);
  });
});
