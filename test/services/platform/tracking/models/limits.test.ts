import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../../support/jars.ts';
import { type Ask, control, good, person, refusal, withoutRates } from '../../support.ts';
import { newExperiment, newRun, type Tracking, tracking } from '../support.ts';

onAnyStore('limits of logged models', (bench) => {
  let ask: Ask;
  let api: Tracking;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
    api = tracking(ask);
  });

  const limit = (row: string, most: number) =>
    good(control(bench, 'PATCH', 'limits', { name: `platform.${row}`, limit: most }));

  it('repeated parameters are counted as one, and a request with too many parameters logs none', async () => {
    await limit('logged-model-parameters', 3);
    const { model } = await api.post('logged-models', { experiment_id: await newExperiment(api) });
    const path = `/mlflow/logged-models/${model.info.model_id}/params`;
    const log = async (...keys: string[]) =>
      refusal(await ask('POST', path, { params: keys.map((key) => ({ key, value: '1' })) }));
    expect(await log('a', 'b')).toMatchObject({ status: 200 });
    expect(await log('a', 'b')).toMatchObject({ status: 200 });
    expect(await log('b', 'c', 'd')).toMatchObject({ status: 400, code: 'RESOURCE_LIMIT_EXCEEDED' });
    expect(await log('c')).toMatchObject({ status: 200 });
  });

  it('metrics count by name and dataset, and one too many logs nothing to the run either', async () => {
    await limit('logged-model-metrics', 2);
    const experiment_id = await newExperiment(api);
    const run_id = await newRun(api, experiment_id);
    const { model } = await api.post('logged-models', { experiment_id });
    const log = async (key: string, dataset_name?: string) => {
      const metrics = [{ key, value: 1, timestamp: 1, model_id: model.info.model_id, dataset_name }];
      return refusal(await ask('POST', '/mlflow/runs/log-batch', { run_id, metrics }));
    };
    expect(await log('acc')).toMatchObject({ status: 200 });
    expect(await log('acc')).toMatchObject({ status: 200 });
    expect(await log('acc', 'd')).toMatchObject({ status: 200 });
    expect(await log('loss')).toMatchObject({ status: 400, code: 'RESOURCE_LIMIT_EXCEEDED' });
    const { run } = await api.get('runs/get', { run_id });
    expect(run.data.metrics.map(({ key }: { key: string }) => key)).toEqual(['acc']);
  });
});
