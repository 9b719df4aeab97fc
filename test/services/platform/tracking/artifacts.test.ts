import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { person, refusal, withoutRates } from '../support.ts';
import { newExperiment, newRun, type Tracking, tracking } from './support.ts';

onBothStores('data platform: artifacts of runs', (bench) => {
  let api: Tracking;
  let experiment: string;
  let run: string;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    api = tracking(await person(bench));
    experiment = await newExperiment(api);
    run = await newRun(api, experiment);
  });

  const proxy = '/mlflow-artifacts/artifacts';
  const BYTES = { 'content-type': 'application/octet-stream' };

  it('a file that is put is read, listed, overwritten and deleted', async () => {
    const root = `${proxy}/${experiment}/${run}/artifacts`;
    expect((await api.ask('PUT', `${root}/model/MLmodel`, 'flavors: {}', BYTES)).body).toEqual({});
    await api.ask('PUT', `${root}/plot.png`, 'png', BYTES);
    await api.ask('PUT', `${root}/plot.png`, 'better', BYTES);
    const read = await api.ask('GET', `${root}/plot.png`);
    expect([read.status, read.text, read.headers.get('content-type')]).toEqual([200, 'better', 'image/png']);
    expect(read.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(read.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await api.get('artifacts/list', { run_id: run })).toMatchObject({
      files: [
        { path: 'model', is_dir: true },
        { path: 'plot.png', is_dir: false, file_size: 6 },
      ],
    });
    const listed = await api.ask('GET', `${proxy}?path=${experiment}/${run}/artifacts/model`);
    expect(listed.body).toEqual({ files: [{ path: 'MLmodel', is_dir: false, file_size: 11 }] });
    const shown = await api.ask('GET', `//get-artifact?run_uuid=${run}&path=model/MLmodel`);
    expect([shown.status, shown.text]).toEqual([200, 'flavors: {}']);
    expect((await api.ask('DELETE', `${root}/model`)).body).toEqual({});
    expect((await api.ask('DELETE', `${root}/model`)).status).toBe(404);
    expect((await api.ask('GET', `//get-artifact?run_uuid=${run}&path=model/MLmodel`)).status).toBe(404);
    await bench.jar.settled();
  });

  it('small files are uploaded to a run by its id', async () => {
    const upload = (query: string, body: string) =>
      api.ask('POST', `//ajax-api/2.0/mlflow/upload-artifact?${query}`, body, BYTES);
    expect((await upload(`run_uuid=${run}&path=notes/a.txt`, 'hello')).body).toEqual({});
    expect((await api.ask('GET', `//get-artifact?run_uuid=${run}&path=notes/a.txt`)).text).toBe('hello');
    const large = await upload(`run_uuid=${run}&path=b`, 'x'.repeat(10 * 1024 * 1024 + 1));
    expect(refusal(large)).toMatchObject({ status: 400, message: 'Artifact size is too large. Max size is 10MB.' });
    expect(refusal(await upload(`run_uuid=${run}`, 'x')).message).toBe('Request must specify path.');
    expect(refusal(await upload(`run_uuid=${run}&path=a`, '')).message).toBe('Request must specify data.');
    // A directory does not become a file, nor a file a directory.
    expect((await upload(`run_uuid=${run}&path=notes`, 'x')).status).toBe(400);
    expect((await upload(`run_uuid=${run}&path=notes/a.txt/b`, 'x')).status).toBe(400);
  });

  it('signed URLs need no credential, for an hour and only for their file', async () => {
    const addressFor = async (what: string) => {
      const { credential_infos } = await api.post(`artifacts/credentials-for-${what}`, { run_id: run, path: ['a/b'] });
      expect(credential_infos).toMatchObject([{ run_id: run, path: 'a/b', type: 'AWS_PRESIGNED_URL' }]);
      return String(credential_infos[0].signed_uri);
    };
    const [write, read] = [await addressFor('write'), await addressFor('read')];
    const send = async (method: string, url: string, body?: string) => {
      const { pathname } = new URL(url);
      const answer = await fetch(`${bench.jar.url}${pathname}`, { method, ...(body !== undefined && { body }) });
      return [answer.status, await answer.text()] as const;
    };
    expect((await send('PUT', write, 'signed'))[0]).toBe(200);
    expect(await send('GET', read)).toEqual([200, 'signed']);
    expect((await send('PUT', read, 'x'))[0]).toBe(403);
    expect((await send('GET', `${read}x`))[0]).toBe(403);
    await bench.jar.clock.advance('61m');
    expect((await send('GET', read))[0]).toBe(403);
  });

  it('uploads in parts are refused, so that clients upload at once; paths stay within an experiment', async () => {
    for (const step of ['create', 'complete', 'abort']) {
      const refused = await api.ask('POST', `/mlflow-artifacts/mpu/${step}/${experiment}/x`, {});
      expect(refusal(refused)).toMatchObject({ status: 501, code: 'NOT_IMPLEMENTED' });
    }
    expect((await api.ask('PUT', `${proxy}/5/x`, 'x', BYTES)).status).toBe(404);
    expect((await api.ask('PUT', `${proxy}/${experiment}/%2e%2e%2fx`, 'x', BYTES)).status).toBe(400);
    expect((await api.ask('PUT', `${proxy}/${experiment}`, 'x', BYTES)).status).toBe(400);
  });
});
