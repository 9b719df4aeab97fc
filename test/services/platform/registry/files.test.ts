import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { type Ask, good, person, refusal, withoutRates } from '../support.ts';
import { createModel, createVersion, ML, share } from './support.ts';

onAnyStore('data platform: files of versions of models', (bench) => {
  let ask: Ask;
  let experiment: string;
  let run: string;
  let root: string;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
    const body = { name: '/Users/admin@vendor.example/files' };
    experiment = (await good(ask('POST', `${ML}/experiments/create`, body))).experiment_id;
    const made = (await good(ask('POST', `${ML}/runs/create`, { experiment_id: experiment }))).run.info;
    run = made.run_id;
    root = made.artifact_uri;
    await put(`${experiment}/${run}/artifacts/model/MLmodel`);
    await createModel(ask, 'm');
  });

  const put = (path: string) => good(ask('PUT', `/mlflow-artifacts/artifacts/${path}`, 'flavors: {}'));
  const read = (who: Ask, version: string, path = 'MLmodel') =>
    who('GET', `//model-versions/get-artifact?name=m&version=${version}&path=${encodeURIComponent(path)}`);

  it('are those of its run, however the source names the run', async () => {
    for (const source of [
      `runs:/${run}/model`,
      `${root}/model`,
      `mlflow-artifacts:/${experiment}/${run}/artifacts/model`,
    ]) {
      const { version } = await createVersion(ask, 'm', { source });
      expect((await read(ask, version)).text, source).toBe('flavors: {}');
    }
    const elsewhere = { name: '/Shared/elsewhere', artifact_location: 's3://lake/models' };
    const { experiment_id } = await good(ask('POST', `${ML}/experiments/create`, elsewhere));
    const { info } = (await good(ask('POST', `${ML}/runs/create`, { experiment_id }))).run;
    await put(`${experiment_id}/${info.run_id}/artifacts/model/MLmodel`);
    const source = `s3://lake/models/${info.run_id}/artifacts/model`;
    const { version } = await createVersion(ask, 'm', { source, run_id: info.run_id });
    expect((await read(ask, version)).text).toBe('flavors: {}');
  });

  it('are those of a logged model, and of another version', async () => {
    const { model } = await good(ask('POST', `${ML}/logged-models`, { experiment_id: experiment }));
    const id = model.info.model_id;
    await put(`${experiment}/models/${id}/artifacts/MLmodel`);
    const first = await createVersion(ask, 'm', { source: `models:/${id}` });
    const second = await createVersion(ask, 'm', { source: `models:/m/${first.version}` });
    expect((await read(ask, second.version)).text).toBe('flavors: {}');
  });

  it('do not exist for a source outside of the jar, nor for a path that leaves the directory', async () => {
    const { version } = await createVersion(ask, 'm', { source: 's3://bucket/model' });
    expect((await read(ask, version)).status).toBe(404);
    expect((await read(ask, '9')).status).toBe(404);
    const own = await createVersion(ask, 'm', { source: `runs:/${run}/model` });
    expect(refusal(await read(ask, own.version, '../plot.png'))).toMatchObject({
      status: 400,
      message: 'Invalid path: ../plot.png',
    });
    const query = `name=m&version=${own.version}`;
    expect(refusal(await ask('GET', `${ML}/model-versions/get-artifact?${query}`)).message).toBe(
      'Request must specify path.',
    );
  });

  it('are readable only with read permission on their experiment', async () => {
    await share(ask, 'm', 'licensed', 'CAN_EDIT');
    const other = await person(bench, 'licensed');
    const { version } = await createVersion(other, 'm', { source: `runs:/${run}/model` });
    expect((await read(other, version)).status).toBe(403);
    expect((await read(ask, version)).status).toBe(200);
  });
});
