import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { control, good, person, refusal, withoutRates } from '../support.ts';
import { historyOf, newExperiment, newRun, readRun, type Tracking, tracking } from './support.ts';

const WORKERS = 64;

onBothStores('data platform: experiments and runs through their lives', (bench) => {
  let api: Tracking;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    api = tracking(await person(bench));
  });

  const used = async (row: string): Promise<number> => {
    const { value } = await good(control(bench, 'GET', `limits?name=platform.${row}`));
    return value[0].use.reduce((sum: number, each: { used: number }) => sum + each.used, 0);
  };

  it('64 batches at once on one run: nothing is lost, nothing is there twice', async () => {
    const run_id = await newRun(api);
    const batch = (worker: number) => ({
      run_id,
      metrics: Array.from({ length: 20 }, (_, step) => ({ key: 'm', value: worker, timestamp: step, step })),
      params: [{ key: `p${worker % 8}`, value: 'x' }],
      tags: [{ key: `t${worker % 8}`, value: String(worker) }],
    });
    // An overloaded database returns an error, and clients retry.
    const send = async (body: object): Promise<void> => {
      for (;;) {
        const { status, text } = await api.ask('POST', '/mlflow/runs/log-batch', body);
        if (status === 200) return;
        expect(status, text).toBe(503);
      }
    };
    // Some batches are sent twice, as by a client without a response.
    const workers = [...Array(WORKERS).keys(), 1, 2, 3, 4];
    await Promise.all(workers.map((worker) => send(batch(worker))));
    const points = await historyOf(api, run_id, 'm', 100);
    expect(points).toHaveLength(WORKERS * 20);
    expect(new Set(points.map(({ value, step }) => `${value} ${step}`)).size).toBe(WORKERS * 20);
    const { data } = await readRun(api, run_id);
    expect(data.metrics).toEqual([{ key: 'm', value: WORKERS - 1, timestamp: 19, step: 19 }]);
    expect([data.params.length, data.tags.length]).toEqual([8, 9]);
    expect([await used('run-metric-steps'), await used('run-parameters'), await used('run-tags')]).toEqual([
      WORKERS * 20,
      8,
      8,
    ]);
  });

  it('of many experiments with one name that are made at once, one is', async () => {
    const body = { name: '/Shared/same' };
    const replies = await Promise.all(
      Array.from({ length: 16 }, () => api.ask('POST', '/mlflow/experiments/create', body)),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(refusal(replies.find(({ status }) => status !== 200) as never)).toEqual({
      status: 400,
      code: 'RESOURCE_ALREADY_EXISTS',
      message: "Experiment named '/Shared/same' already exists.",
    });
  });

  it('a run takes no more points, parameters and tags than it may have, and a batch that has too many leaves nothing', async () => {
    const run_id = await newRun(api);
    const limits = { 'run-metric-steps': 3, 'run-parameters': 2, 'run-tags': 2 };
    for (const [row, limit] of Object.entries(limits))
      await good(control(bench, 'PATCH', 'limits', { name: `platform.${row}`, limit }));
    const texts = (count: number) => Array.from({ length: count }, (_, i) => ({ key: `k${i}`, value: 'x' }));
    const points = (count: number) =>
      Array.from({ length: count }, (_, step) => ({ key: 'm', value: 1, timestamp: 1, step }));
    const log = (body: object) => api.ask('POST', '/mlflow/runs/log-batch', { run_id, ...body });
    for (const [body, row] of [
      [{ metrics: points(4), params: texts(1), tags: texts(1) }, 'run-metric-steps'],
      [{ metrics: points(1), params: texts(3) }, 'run-parameters'],
      [{ metrics: points(1), tags: texts(3) }, 'run-tags'],
    ] as const) {
      const { status, body: refused } = await log(body);
      expect([status, refused.error_code, refused.details[0].metadata.limit]).toEqual([
        400,
        'RESOURCE_LIMIT_EXCEEDED',
        `platform.${row}`,
      ]);
    }
    expect((await readRun(api, run_id)).data).toMatchObject({ tags: [{ key: 'mlflow.runName' }] });
    expect(await used('run-metric-steps')).toBe(0);
    await good(log({ metrics: points(3), params: texts(2), tags: texts(2) }));
    // Existing values are not counted again.
    await good(log({ metrics: points(3), params: texts(2), tags: texts(2) }));
    expect((await log({ metrics: [{ key: 'm', value: 1, timestamp: 1, step: 9 }] })).status).toBe(400);
    expect((await readRun(api, run_id)).data.tags).toHaveLength(3);
  });

  it('nothing is written to what is deleted, and it goes 30 days later unless it is restored', async () => {
    const experiment = await newExperiment(api, '/Shared/short-lived');
    const [kept, gone] = [await newRun(api, experiment), await newRun(api, experiment)];
    await api.post('runs/log-metric', { run_id: gone, key: 'm', value: 1, timestamp: 1 });
    await api.post('runs/delete', { run_id: gone });
    expect(refusal(await api.ask('POST', '/mlflow/runs/set-tag', { run_id: gone, key: 'a', value: 'b' }))).toEqual({
      status: 400,
      code: 'INVALID_PARAMETER_VALUE',
      message: `The run ${gone} must be in the 'active' state. Current state is deleted.`,
    });
    expect((await readRun(api, gone)).data.metrics).toHaveLength(1);
    expect(await used('experiment-runs')).toBe(1);
    await bench.jar.clock.advance('29d');
    await api.post('runs/restore', { run_id: gone });
    expect((await api.ask('POST', '/mlflow/runs/restore', { run_id: gone })).status).toBe(400);
    await bench.jar.clock.advance('2d');
    expect((await readRun(api, gone)).info.lifecycle_stage).toBe('active');
    await api.post('runs/delete', { run_id: gone });
    await bench.jar.clock.advance('31d');
    expect((await api.ask('GET', `/mlflow/runs/get?run_id=${gone}`)).status).toBe(404);
    expect((await readRun(api, kept)).info.lifecycle_stage).toBe('active');

    await api.post('experiments/delete', { experiment_id: experiment });
    const asked = { experiment_id: experiment };
    expect(refusal(await api.ask('POST', '/mlflow/runs/create', asked)).message).toBe(
      `The experiment ${experiment} must be in the 'active' state. Current state is deleted.`,
    );
    expect(refusal(await api.ask('POST', '/mlflow/experiments/update', { ...asked, new_name: '/Shared/x' }))).toEqual({
      status: 400,
      code: 'INVALID_STATE',
      message: 'Cannot rename a non-active experiment.',
    });
    expect((await api.ask('POST', '/mlflow/experiments/delete', asked)).status).toBe(400);
    // The name stays taken until the experiment can no longer be restored.
    expect((await api.ask('POST', '/mlflow/experiments/create', { name: '/Shared/short-lived' })).status).toBe(400);
    const listed = async (view_type: string) =>
      ((await api.get('experiments/list', { view_type })).experiments ?? []).length;
    expect([await listed('ACTIVE_ONLY'), await listed('DELETED_ONLY'), await listed('ALL')]).toEqual([0, 1, 1]);
    await bench.jar.clock.advance('31d');
    expect(await listed('ALL')).toBe(0);
    await newExperiment(api, '/Shared/short-lived');
  });

  it('many runs are deleted by their start, and restored by when they were deleted', async () => {
    const experiment = await newExperiment(api);
    for (let start_time = 1; start_time <= 6; start_time++) await newRun(api, experiment, { start_time });
    const change = (what: string, body: object) =>
      api.post(`databricks/runs/${what}`, { experiment_id: experiment, ...body });
    expect(await change('delete-runs', { max_timestamp_millis: 4, max_runs: 3 })).toEqual({ runs_deleted: 3 });
    expect(await used('experiment-runs')).toBe(3);
    await bench.jar.clock.advance('1h');
    const now = Date.parse((await good(control(bench, 'GET', 'clock'))).now);
    expect(await change('delete-runs', { max_timestamp_millis: 5 })).toEqual({ runs_deleted: 2 });
    expect(await change('restore-runs', { min_timestamp_millis: now })).toEqual({ runs_restored: 2 });
    expect(await change('restore-runs', { min_timestamp_millis: 0 })).toEqual({ runs_restored: 3 });
    expect(await used('experiment-runs')).toBe(6);
  });

  it('a caller who may not read an experiment sees nothing of it; permissions on folders apply to it', async () => {
    const own = await newExperiment(api, '/Users/admin@vendor.example/own');
    const shared = await newExperiment(api, '/Shared/for-all');
    const run_id = await newRun(api, own);
    const other = tracking(await person(bench, 'licensed'));
    for (const path of [
      `experiments/get?experiment_id=${own}`,
      'experiments/get-by-name?experiment_name=/Users/admin@vendor.example/own',
      `runs/get?run_id=${run_id}`,
      `metrics/get-history?run_id=${run_id}&metric_key=m`,
      `artifacts/list?run_id=${run_id}`,
    ])
      expect((await other.ask('GET', `/mlflow/${path}`)).status, path).toBe(403);
    expect((await other.ask('POST', '/mlflow/runs/log-batch', { run_id })).status).toBe(403);
    expect((await other.ask('PUT', `/mlflow-artifacts/artifacts/${own}/x`, 'x')).status).toBe(403);
    const names = ((await other.get('experiments/list')).experiments ?? []).map(({ name }: { name: string }) => name);
    expect(names).toEqual(['/Shared/for-all']);
    await other.post('experiments/update', { experiment_id: shared, new_name: '/Shared/renamed' });
    expect((await other.ask('POST', '/mlflow/experiments/create', { name: '/at-the-root' })).status).toBe(403);
    expect(refusal(await other.ask('POST', '/mlflow/experiments/create', { name: '/Shared/none/x' }))).toEqual({
      status: 404,
      code: 'RESOURCE_DOES_NOT_EXIST',
      message: 'The parent folder (/Shared/none) does not exist.',
    });
    const { access_control_list } = await good(api.ask('GET', `/permissions/experiments/${shared}`));
    expect(access_control_list).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          group_name: 'users',
          all_permissions: [expect.objectContaining({ inherited: true })],
        }),
      ]),
    );
    const stranger = tracking(await person(bench, 'other'));
    expect((await stranger.ask('GET', `/mlflow/runs/get?run_id=${run_id}`)).status).toBe(404);
  });
});
