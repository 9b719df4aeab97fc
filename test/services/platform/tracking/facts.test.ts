import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { good, person, refusal, withoutRates } from '../support.ts';
import { historyOf, newExperiment, newRun, readRun, type Tracking, tracking } from './support.ts';

/** Sentences of the API's reference, and the jar's responses. */
onAnyStore('data platform: what experiment tracking accepts and refuses', (bench) => {
  let api: Tracking;
  let experiment: string;
  let run: string;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    api = tracking(await person(bench));
    experiment = await newExperiment(api);
    run = await newRun(api, experiment, { run_name: 'first' });
  });

  const metric = (rest: object = {}) => ({ key: 'm', value: 1, timestamp: 1, step: 0, ...rest });
  const LONG = 'x'.repeat(251);
  const IPV = { status: 400, code: 'INVALID_PARAMETER_VALUE' };
  const NAMES = 'Names may only contain alphanumerics, underscores (_), dashes (-), periods (.)';

  describe('refusals', () => {
    it.each<[string, string, (run: string) => unknown, string]>([
      [
        'a missing run',
        'runs/log-metric',
        () => metric(),
        "Missing value for required parameter 'run_id'. See the API docs",
      ],
      [
        'a missing key',
        'runs/log-metric',
        (run_id) => ({ run_id, value: 1, timestamp: 1 }),
        "required parameter 'key'",
      ],
      [
        'a missing value',
        'runs/log-metric',
        (run_id) => ({ run_id, key: 'm', timestamp: 1 }),
        "required parameter 'value'.",
      ],
      [
        'a missing time',
        'runs/log-metric',
        (run_id) => ({ run_id, key: 'm', value: 1 }),
        "required parameter 'timestamp'",
      ],
      [
        'a truth as a value',
        'runs/log-metric',
        (run_id) => ({ run_id, ...metric({ value: true }) }),
        "Invalid value true for parameter 'value' supplied: Hint: Value was of type 'bool'.",
      ],
      [
        'a text as a value',
        'runs/log-metric',
        (run_id) => ({ run_id, ...metric({ value: 'much' }) }),
        "Value was of type 'str'",
      ],
      [
        'a fraction as a step',
        'runs/log-metric',
        (run_id) => ({ run_id, ...metric({ step: 1.5 }) }),
        "parameter 'step' supplied: Hint: Value was of type 'float'",
      ],
      [
        'a negative time',
        'runs/log-metric',
        (run_id) => ({ run_id, ...metric({ timestamp: -1 }) }),
        "Invalid value -1 for parameter 'timestamp'",
      ],
      [
        'a bad character',
        'runs/log-metric',
        (run_id) => ({ run_id, ...metric({ key: 'a#b' }) }),
        `Invalid value "a#b" for parameter 'key' supplied: ${NAMES}`,
      ],
      [
        'a name that leads elsewhere',
        'runs/log-metric',
        (run_id) => ({ run_id, ...metric({ key: 'a/../b' }) }),
        "This name would resolve to 'b'",
      ],
      [
        'a name that begins with a slash',
        'runs/set-tag',
        (run_id) => ({ run_id, key: '/a', value: 'x' }),
        "This name would resolve to '/a'",
      ],
      [
        'a name that begins with two dots',
        'runs/log-parameter',
        (run_id) => ({ run_id, key: '..', value: 'x' }),
        "This name would resolve to '..'",
      ],
      [
        'a long name of a metric',
        'runs/log-metric',
        (run_id) => ({ run_id, ...metric({ key: LONG }) }),
        "'Metric name' exceeds the maximum length of 250 characters",
      ],
      [
        'a long name of a parameter',
        'runs/log-parameter',
        (run_id) => ({ run_id, key: LONG, value: '' }),
        "'Param key' exceeds the maximum length of 250 characters",
      ],
      [
        'a place in a list',
        'runs/log-batch',
        (run_id) => ({
          run_id,
          params: [
            { key: 'a', value: 'x' },
            { key: 'b', value: 'x' },
            { key: '#', value: 'x' },
          ],
        }),
        "parameter 'params[2].key'",
      ],
      ['no name of an experiment', 'experiments/create', () => ({}), "Missing value for required parameter 'name'"],
      [
        'a relative name of an experiment',
        'experiments/create',
        () => ({ name: 'mine' }),
        "Got an invalid experiment name 'mine'.",
      ],
      [
        'a long name of an experiment',
        'experiments/create',
        () => ({ name: `/${'x'.repeat(500)}` }),
        "'name' exceeds the maximum length of 500 characters",
      ],
      [
        'a location that is a run',
        'experiments/create',
        () => ({ name: '/Shared/y', artifact_location: 'runs:/1' }),
        "for parameter 'artifact_location'",
      ],
      [
        'a long location',
        'experiments/create',
        () => ({ name: '/Shared/y', artifact_location: `s3://${'x'.repeat(2048)}` }),
        "'artifact_location' exceeds the maximum length of 2048",
      ],
      [
        'a status that there is not',
        'runs/update',
        (run_id) => ({ run_id, status: 'DONE' }),
        `Invalid value "DONE" for parameter 'status'`,
      ],
      [
        'two names of a run',
        'runs/create',
        () => ({ experiment_id: experiment, run_name: 'a', tags: [{ key: 'mlflow.runName', value: 'b' }] }),
        "Both 'run_name' argument and 'mlflow.runName' tag are specified",
      ],
      [
        'too many datasets',
        'runs/log-inputs',
        (run_id) => ({
          run_id,
          datasets: Array(1001).fill({ dataset: { name: 'n', digest: 'd', source_type: 's', source: 's' } }),
        }),
        'at most 1000 datasets',
      ],
      [
        'a long digest',
        'runs/log-inputs',
        (run_id) => ({
          run_id,
          datasets: [{ dataset: { name: 'n', digest: 'd'.repeat(37), source_type: 's', source: 's' } }],
        }),
        "'datasets[0].dataset.digest' exceeds the maximum length of 36",
      ],
      ['a model that is no JSON', 'runs/log-model', (run_id) => ({ run_id, model_json: '{' }), 'Malformed model info.'],
      [
        'a model that lacks something',
        'runs/log-model',
        (run_id) => ({ run_id, model_json: '{"run_id":"x"}' }),
        "Model json is missing mandatory fields: {'artifact_path', 'flavors', 'utc_time_created'}",
      ],
      [
        'too many runs to delete',
        'databricks/runs/delete-runs',
        () => ({ experiment_id: experiment, max_timestamp_millis: 1, max_runs: 10_001 }),
        'at most 10000',
      ],
    ])('%s', async (_what, path, body, message) => {
      const reply = await api.ask('POST', `/mlflow/${path}`, body(run));
      expect(refusal(reply)).toEqual({ ...IPV, message: expect.stringContaining(message) });
    });

    it.each<[string, (run: string) => string, number, string]>([
      ['an unknown experiment', () => 'experiments/get?experiment_id=5', 404, 'Node ID 5 does not exist.'],
      [
        'an unknown name',
        () => 'experiments/get-by-name?experiment_name=/Shared/none',
        404,
        'Node /Shared/none does not exist.',
      ],
      ['an unknown run', () => 'runs/get?run_id=abc', 404, 'Run with id=abc not found'],
      [
        'a page that is too large',
        (id) => `metrics/get-history?run_id=${id}&metric_key=m&max_results=25001`,
        400,
        "Invalid value 25001 for parameter 'max_results' supplied. It must be at most 25000",
      ],
      [
        'a page of nothing',
        (id) => `metrics/get-history?run_id=${id}&metric_key=m&max_results=0`,
        400,
        "Invalid value 0 for parameter 'max_results' supplied. It must be a positive integer",
      ],
      [
        'a token of nothing',
        (id) => `metrics/get-history?run_id=${id}&metric_key=m&page_token=x`,
        400,
        'Invalid page token',
      ],
      ['a token of another list', () => 'experiments/list?page_token=x', 400, 'not a token of this list'],
      [
        'a view that there is not',
        () => 'experiments/list?view_type=SOME',
        400,
        `Invalid value "SOME" for parameter 'view_type'`,
      ],
      ['a path that leads out', (id) => `artifacts/list?run_id=${id}&path=../x`, 400, 'Invalid path: ../x'],
      ['an absolute path', (id) => `artifacts/list?run_id=${id}&path=/etc`, 400, 'Invalid path: /etc'],
      ['a drive', (id) => `get-artifact?run_id=${id}&path=C:/x`, 400, 'Invalid path: C:/x'],
      [
        'one step of a range',
        (id) => `metrics/get-history-bulk-interval?run_ids=${id}&metric_key=m&start_step=1`,
        400,
        'both must be specified',
      ],
    ])('%s', async (_what, path, status, message) => {
      const reply = await api.ask('GET', `/mlflow/${path(run)}`);
      expect(refusal(reply)).toMatchObject({ status, message: expect.stringContaining(message) });
    });
  });

  describe('log-batch', () => {
    const many = (count: number, of: (index: number) => object) => Array.from({ length: count }, (_, i) => of(i));
    const split = (most: number, what: string, count: number) =>
      `A batch logging request can contain at most ${most} ${what}. Got ${count} ${what}. Please split up ${what} across multiple requests and try again.`;

    it.each([
      ['1001 metrics', { metrics: many(1001, (step) => metric({ step })) }, split(1000, 'metrics', 1001)],
      ['101 parameters', { params: many(101, (i) => ({ key: `p${i}`, value: 'x' })) }, split(100, 'params', 101)],
      ['101 tags', { tags: many(101, (i) => ({ key: `t${i}`, value: 'x' })) }, split(100, 'tags', 101)],
      [
        '1001 of all kinds',
        { metrics: many(1000, (step) => metric({ step })), tags: [{ key: 't', value: 'x' }] },
        split(1000, 'metrics, params, and tags', 1001),
      ],
      [
        'a parameter twice',
        {
          params: [
            { key: 'p', value: 'x' },
            { key: 'p', value: 'x' },
          ],
        },
        "Duplicate parameter keys have been submitted: ['p']. Please ensure the request contains only one param value per param key.",
      ],
    ])('%s are refused', async (_what, body, message) => {
      const reply = await api.ask('POST', '/mlflow/runs/log-batch', { run_id: run, ...body });
      expect(refusal(reply)).toEqual({ ...IPV, message });
      expect((await readRun(api, run)).data).toEqual({ tags: [{ key: 'mlflow.runName', value: 'first' }] });
    });

    it('more than 1,000,000 bytes are refused before anything else is looked at', async () => {
      const reply = await api.ask('POST', '/mlflow/runs/log-batch', { junk: 'x'.repeat(1_000_000) });
      expect(refusal(reply)).toEqual({
        ...IPV,
        message: 'Batched logging API requests must be at most 1000000 bytes, got a request of size 1000011.',
      });
    });

    it('is stored as a whole or not at all', async () => {
      await api.post('runs/log-parameter', { run_id: run, key: 'p', value: 'before' });
      const batch = {
        run_id: run,
        metrics: [metric()],
        params: [{ key: 'p', value: 'after' }],
        tags: [{ key: 't', value: 'x' }],
      };
      expect(refusal(await api.ask('POST', '/mlflow/runs/log-batch', batch))).toEqual({
        ...IPV,
        message: `Changing param values is not allowed. Param with key='p' was already logged with value='before' for run ID='${run}'. Attempted logging new value 'after'.`,
      });
      const { data } = await readRun(api, run);
      expect([data.metrics, data.tags.length]).toEqual([undefined, 1]);
      await api.post('runs/log-batch', { ...batch, params: [{ key: 'p', value: 'before' }] });
      expect((await readRun(api, run)).data.metrics).toHaveLength(1);
    });

    it('of a tag that comes twice the last counts, and a tag with the name renames the run', async () => {
      const tags = [
        { key: 't', value: '1' },
        { key: 't', value: '2' },
        { key: 'mlflow.runName', value: 'renamed' },
      ];
      await api.post('runs/log-batch', { run_id: run, tags });
      const read = await readRun(api, run);
      expect(read.data.tags).toEqual([
        { key: 'mlflow.runName', value: 'renamed' },
        { key: 't', value: '2' },
      ]);
      expect(read.info.run_name).toBe('renamed');
    });
  });

  describe('metrics', () => {
    it('the latest value is that of the greatest step, then time, then value; NaN and infinity are words', async () => {
      const points = [
        metric({ key: 'a', value: 5, step: 2, timestamp: 1 }),
        metric({ key: 'a', value: 1, step: 1, timestamp: 9 }),
        metric({ key: 'b', value: 'Infinity' }),
        metric({ key: 'c', value: 'NaN' }),
        metric({ key: 'c', value: 7 }),
        metric({ key: 'd', value: '-Infinity', timestamp: '12', step: '-3' }),
        metric({ key: 'e', value: '1.5e3' }),
      ];
      await api.post('runs/log-batch', { run_id: run, metrics: points });
      expect((await readRun(api, run)).data.metrics).toEqual([
        { key: 'a', value: 5, timestamp: 1, step: 2 },
        { key: 'b', value: 'Infinity', timestamp: 1, step: 0 },
        { key: 'c', value: 'NaN', timestamp: 1, step: 0 },
        { key: 'd', value: '-Infinity', timestamp: 12, step: -3 },
        { key: 'e', value: 1500, timestamp: 1, step: 0 },
      ]);
    });

    it('a history is in the order of times, steps and values, and a point that is logged twice is there once', async () => {
      const points = [
        metric({ value: 2, timestamp: 5, step: 1 }),
        metric({ value: 'NaN', timestamp: 5, step: 0 }),
        metric({ value: -1, timestamp: 5, step: 0 }),
        metric({ value: 3, timestamp: 2, step: 9 }),
      ];
      for (const point of points) await api.post('runs/log-metric', { run_id: run, ...point });
      await api.post('runs/log-batch', { run_id: run, metrics: [...points, ...points] });
      const ordered = [points[3], points[2], points[1], points[0]];
      expect(await historyOf(api, run, 'm')).toEqual(ordered);
      expect(await historyOf(api, run, 'm', 1)).toEqual(ordered);
      expect(await historyOf(api, run, 'none')).toEqual([]);
    });

    it('a token is good for one metric of one run', async () => {
      const other = await newRun(api, experiment);
      for (const run_id of [run, other])
        await api.post('runs/log-batch', { run_id, metrics: [metric(), metric({ step: 1 })] });
      const { next_page_token: token } = await api.get('metrics/get-history', {
        run_id: run,
        metric_key: 'm',
        max_results: '1',
      });
      const query = new URLSearchParams({ run_id: other, metric_key: 'm', page_token: token });
      expect((await api.ask('GET', `/mlflow/metrics/get-history?${query}`)).status).toBe(400);
    });

    it('several runs are asked at once: whole histories, or some of the steps', async () => {
      const other = await newRun(api, experiment);
      const points = Array.from({ length: 100 }, (_, step) => metric({ step, timestamp: step, value: step }));
      for (const run_id of [run, other]) await api.post('runs/log-batch', { run_id, metrics: points });
      const ask = async (path: string, query: string) =>
        (await good(api.ask('GET', `/mlflow/metrics/${path}?${query}`))).metrics;
      const both = `run_ids=${run}&run_ids=${other}&metric_key=m`;
      const sampled = await ask('get-history-bulk-interval', `${both}&start_step=10&end_step=90&max_results=5`);
      expect(sampled.map(({ run_id, step }: { run_id: string; step: number }) => [run_id, step])).toEqual(
        [run, other].flatMap((id) => [10, 30, 50, 70, 90].map((step) => [id, step])),
      );
      expect(await ask('get-history-bulk-interval', `${both}`)).toHaveLength(200);
      expect(await ask('get-history-bulk', `run_id=${run}&run_id=${other}&metric_key=m&max_results=150`)).toHaveLength(
        150,
      );
    });

    it('a metric shows its model and dataset', async () => {
      const { model } = await api.post('logged-models', { experiment_id: experiment, name: 'measured' });
      const on = { model_id: model.info.model_id, dataset_name: 'set', dataset_digest: 'abc' };
      await api.post('runs/log-metric', { run_id: run, ...metric(on) });
      await api.post('runs/log-metric', { run_id: run, ...metric({ step: 1 }) });
      expect(await historyOf(api, run, 'm')).toEqual([metric(on), metric({ step: 1 })]);
    });
  });

  describe('parameters, tags and names', () => {
    it('long values are cut; an equal parameter may be logged again', async () => {
      for (let twice = 0; twice < 2; twice++)
        await api.post('runs/log-parameter', { run_id: run, key: 'p', value: 'x'.repeat(6001) });
      await api.post('runs/set-tag', { run_uuid: run, key: 't', value: 'x'.repeat(8001) });
      const { data } = await readRun(api, run);
      expect(data.params[0].value).toHaveLength(6000);
      expect(data.tags.find(({ key }: { key: string }) => key === 't').value).toHaveLength(8000);
    });

    it('a tag is deleted once', async () => {
      await api.post('runs/set-tag', { run_id: run, key: 't', value: 'x' });
      await api.post('runs/delete-tag', { run_id: run, key: 't' });
      expect(refusal(await api.ask('POST', '/mlflow/runs/delete-tag', { run_id: run, key: 't' }))).toEqual({
        status: 404,
        code: 'RESOURCE_DOES_NOT_EXIST',
        message: `No tag with name: t in run with id ${run}`,
      });
    });

    it('a run without a name is given one, which is a tag too; an update renames both', async () => {
      const id = await newRun(api, experiment);
      const { info, data } = await readRun(api, id);
      expect(info.run_name).toMatch(/^[a-z]+-[a-z]+-\d+$/);
      expect(data.tags).toEqual([{ key: 'mlflow.runName', value: info.run_name }]);
      const { run_info } = await api.post('runs/update', { run_id: id, run_name: 'better', status: 'KILLED' });
      expect(run_info).toMatchObject({ run_name: 'better', status: 'KILLED' });
      expect(run_info).not.toHaveProperty('end_time');
      expect((await readRun(api, id)).data.tags).toEqual([{ key: 'mlflow.runName', value: 'better' }]);
    });

    it('models are kept in a tag, one after another', async () => {
      const model = { artifact_path: 'model', flavors: {}, utc_time_created: 'now', run_id: run };
      for (const artifact_path of ['a', 'b'])
        await api.post('runs/log-model', { run_id: run, model_json: JSON.stringify({ ...model, artifact_path }) });
      const tag = (await readRun(api, run)).data.tags.find(
        ({ key }: { key: string }) => key === 'mlflow.log-model.history',
      );
      expect(JSON.parse(tag.value)).toEqual([
        { ...model, artifact_path: 'a' },
        { ...model, artifact_path: 'b' },
      ]);
    });

    it('models go into a run and come out of it; a dataset that comes again is no second input', async () => {
      const dataset = { name: 'set', digest: 'abc', source_type: 'local', source: '/x', schema: '{}' };
      for (let twice = 0; twice < 2; twice++) {
        await api.post('runs/log-inputs', { run_id: run, datasets: [{ dataset }], models: [{ model_id: 'm-1' }] });
        await api.post('runs/outputs', { run_id: run, models: [{ model_id: 'm-2', step: 4 }] });
      }
      const read = await readRun(api, run);
      expect(read.inputs).toEqual({ dataset_inputs: [{ dataset }], model_inputs: [{ model_id: 'm-1' }] });
      expect(read.outputs).toEqual({ model_outputs: [{ model_id: 'm-2', step: 4 }] });
    });
  });
});
