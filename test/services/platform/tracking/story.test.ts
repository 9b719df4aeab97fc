import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { person } from '../support.ts';
import { newExperiment, newRun, type Tracking, tracking } from './support.ts';

onBothStores('experiment tracking', (bench) => {
  let api: Tracking;

  beforeEach(async () => {
    await bench.jar.reset();
    api = tracking(await person(bench));
  });

  it('a run has what was logged to it', async () => {
    const experiment = await newExperiment(api);
    const run = await newRun(api, experiment, { run_name: 'first', start_time: 1000 });
    const metric = { key: 'loss', value: 0.5, timestamp: 10, step: 1 };
    await api.post('runs/log-batch', {
      run_id: run,
      metrics: [metric, { ...metric, value: 'NaN', step: 2 }, { ...metric, value: 0.25, step: 0 }],
      params: [{ key: 'rate', value: '0.1' }],
      tags: [{ key: 'team', value: 'a' }],
    });
    expect((await api.get('runs/get', { run_id: run })).run).toEqual({
      info: {
        run_id: run,
        run_uuid: run,
        run_name: 'first',
        experiment_id: experiment,
        user_id: 'admin@vendor.example',
        status: 'RUNNING',
        start_time: 1000,
        artifact_uri: `dbfs:/databricks/mlflow-tracking/${experiment}/${run}/artifacts`,
        lifecycle_stage: 'active',
      },
      data: {
        metrics: [{ key: 'loss', value: 'NaN', timestamp: 10, step: 2 }],
        params: [{ key: 'rate', value: '0.1' }],
        tags: [
          { key: 'mlflow.runName', value: 'first' },
          { key: 'team', value: 'a' },
        ],
      },
      inputs: {},
    });
  });
});
