import { RunStatus } from 'mlflow/enum.js';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { all, workspaceClient } from '../sdk.ts';
import { person } from '../support.ts';
import { MLflow } from './npm-client.ts';
import { readRun, type Tracking, tracking } from './support.ts';

onBothStores('data platform: experiment tracking', (bench) => {
  let api: Tracking;
  let token: string;

  beforeEach(async () => {
    await bench.jar.reset();
    api = tracking(await person(bench));
    token = await bench.jar.token({ user: 'admin', ttl: '3650d' });
  });

  afterEach(() => vi.restoreAllMocks());

  it('the client of npm logs a training run with its metrics, and reads everything back', async () => {
    // The client prints the bodies of its requests.
    vi.spyOn(console, 'log').mockImplementation(() => {});
    const client = new MLflow({ endpoint: bench.jar.url, headers: { Authorization: `Bearer ${token}` } });
    const { experiment_id } = await client.Experiments.create({ name: '/Shared/training', artifact_location: '' });
    const { run } = await client.Runs.create({ experiment_id, user_id: 'ada', start_time: 1_700_000_000_000 });
    const { run_id } = run.info;
    await client.Runs.logParameter({ run_id, key: 'learning_rate', value: '0.01' });
    await client.Runs.setTag({ run_id, key: 'team', value: 'vision' });
    for (let epoch = 0; epoch < 3; epoch++)
      await client.Runs.logMetric({
        run_id,
        key: 'loss',
        value: 1 / (epoch + 1),
        timestamp: 1000 + epoch,
        step: epoch,
      });
    await client.Runs.logBatch({
      run_id,
      metrics: [{ key: 'accuracy', value: 0.9, timestamp: 1003, step: 3 }],
      params: [{ key: 'layers', value: '12' }],
      tags: [{ key: 'stage', value: 'done' }],
    });
    await client.Runs.update({ run_id, status: RunStatus.FINISHED, end_time: 1_700_000_060_000 });
    const address = `/mlflow-artifacts/artifacts/${experiment_id}/${run_id}/artifacts/model/weights.bin`;
    await api.ask('PUT', address, 'abc', { 'content-type': 'application/octet-stream' });

    const { run: read } = await client.Runs.get({ run_id });
    expect(read.info).toMatchObject({ status: 'FINISHED', end_time: 1_700_000_060_000, lifecycle_stage: 'active' });
    expect(read.data.metrics).toEqual([
      { key: 'accuracy', value: 0.9, timestamp: 1003, step: 3 },
      { key: 'loss', value: 1 / 3, timestamp: 1002, step: 2 },
    ]);
    expect(read.data.params).toEqual([
      { key: 'layers', value: '12' },
      { key: 'learning_rate', value: '0.01' },
    ]);
    const { metrics } = await client.Metrics.getHistory({ run_id, metric_key: 'loss' });
    expect(metrics.map(({ value }: { value: number }) => value)).toEqual([1, 1 / 2, 1 / 3]);
    expect(await client.Artifacts.list({ run_id, path: '' })).toEqual({
      root_uri: `dbfs:/databricks/mlflow-tracking/${experiment_id}/${run_id}/artifacts`,
      files: [{ path: 'model', is_dir: true }],
    });
    expect((await client.Artifacts.list({ run_id, path: 'model' })).files).toEqual([
      { path: 'model/weights.bin', is_dir: false, file_size: 3 },
    ]);

    await client.Runs.delete({ run_id });
    expect((await client.Runs.get({ run_id })).run.info.lifecycle_stage).toBe('deleted');
    await client.Runs.restore({ run_id });
    await client.Runs.deleteTag({ run_id, key: 'team' });
    await client.Experiments.update({ experiment_id, new_name: '/Shared/trained' });
    expect((await client.Experiments.list()).experiments).toMatchObject([{ experiment_id, name: '/Shared/trained' }]);
    await client.Experiments.delete({ experiment_id });
    expect((await client.Experiments.get({ experiment_id })).experiment.lifecycle_stage).toBe('deleted');
    await client.Experiments.restore({ experiment_id });
    await expect(client.Runs.get({ run_id: 'none' })).rejects.toThrow(/Run with id=none not found/);
  });

  it('the published client of the platform does the same, and shares the experiment', async () => {
    const { experiments } = workspaceClient(bench, { token });
    const name = '/Users/admin@vendor.example/search';
    const { experiment_id = '' } = await experiments.createExperiment({
      name,
      tags: [{ key: 'goal', value: 'recall' }],
    });
    const created = await experiments.createRun({ experiment_id, run_name: 'baseline', start_time: 5000 });
    const run_id = created.run?.info?.run_id as string;
    await experiments.logBatch({
      run_id,
      metrics: Array.from({ length: 1000 }, (_, step) => ({
        key: 'recall',
        value: step / 1000,
        timestamp: step,
        step,
      })),
    });
    await experiments.logParam({ run_id, key: 'k', value: '10' });
    await experiments.logMetric({ run_id, key: 'recall', value: 1, timestamp: 1000, step: 1000 });
    await experiments.setTag({ run_id, key: 'mlflow.runName', value: 'renamed' });
    await experiments.logInputs({
      run_id,
      datasets: [
        {
          dataset: { name: 'queries', digest: 'abc', source_type: 'local', source: 'file:/q' },
          tags: [{ key: 'mlflow.data.context', value: 'training' }],
        },
      ],
    });
    const points = await all(experiments.getHistory({ run_id, metric_key: 'recall', max_results: 300 }));
    expect(points).toHaveLength(1001);
    expect(points.at(-1)).toEqual({ key: 'recall', value: 1, timestamp: 1000, step: 1000 });
    const { run } = await experiments.getRun({ run_id });
    expect(run).toMatchObject({
      info: { run_name: 'renamed', user_id: 'admin@vendor.example', status: 'RUNNING', start_time: 5000 },
      data: { metrics: [{ key: 'recall', value: 1, step: 1000 }], params: [{ key: 'k', value: '10' }] },
      inputs: {
        dataset_inputs: [
          {
            dataset: { name: 'queries', digest: 'abc', source_type: 'local', source: 'file:/q' },
            tags: [{ value: 'training' }],
          },
        ],
      },
    });
    const { experiment } = await experiments.getByName({ experiment_name: name });
    expect(experiment).toMatchObject({ experiment_id, lifecycle_stage: 'active' });
    expect(experiment?.tags).toEqual(
      expect.arrayContaining([
        { key: 'goal', value: 'recall' },
        { key: 'mlflow.experimentType', value: 'MLFLOW_EXPERIMENT' },
        { key: 'mlflow.ownerEmail', value: 'admin@vendor.example' },
        { key: 'mlflow.experiment.sourceName', value: name },
      ]),
    );
    expect((await all(experiments.listExperiments({}))).map(({ name: each }) => each)).toEqual([name]);

    const reader = tracking(await person(bench, 'licensed'));
    expect((await reader.ask('GET', `/mlflow/runs/get?run_id=${run_id}`)).status).toBe(403);
    const shared = [{ user_name: 'licensed@vendor.example', permission_level: 'CAN_READ' as const }];
    await experiments.setPermissions({ experiment_id, access_control_list: shared });
    expect((await readRun(reader, run_id)).info.run_name).toBe('renamed');
    expect((await reader.ask('POST', '/mlflow/runs/set-tag', { run_id, key: 'a', value: 'b' })).status).toBe(403);

    await experiments.deleteExperiment({ experiment_id });
    expect((await readRun(api, run_id)).info.lifecycle_stage).toBe('deleted');
    await experiments.restoreExperiment({ experiment_id });
    expect((await readRun(api, run_id)).info.lifecycle_stage).toBe('active');
    expect(await experiments.deleteRuns({ experiment_id, max_timestamp_millis: 5000 })).toEqual({ runs_deleted: 1 });
    expect(await experiments.restoreRuns({ experiment_id, min_timestamp_millis: 0 })).toEqual({ runs_restored: 1 });

    await experiments.deleteExperiment({ experiment_id });
    await bench.jar.clock.advance('31d');
    expect((await api.ask('GET', `/mlflow/experiments/get?experiment_id=${experiment_id}`)).status).toBe(404);
    expect((await api.ask('GET', `/mlflow/runs/get?run_id=${run_id}`)).status).toBe(404);
    await api.post('experiments/create', { name });
  });
});
