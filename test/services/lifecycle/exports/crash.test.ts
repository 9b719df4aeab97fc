import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { adminKey, type StartedJar, startCli } from '../../../cli/cli.ts';
import { StorageGate } from '../../../support/storage-gate.ts';
import { stopAzuriteAfterwards, useAzurite } from '../../../support/use-azurite.ts';
import { writtenOf } from './storage.ts';

stopAzuriteAfterwards();

const ARGS = ['--clock', 'virtual', '--allow-http-loopback', '--log-level', 'trace'];

test('a jar that is killed during an export writes nothing twice, loses nothing, and does not reveal the key', async (context) => {
  const azurite = await useAzurite(context);
  const gate = await StorageGate.before(azurite);
  onTestFinished(() => gate.close());
  let jar: StartedJar = await startCli(ARGS);
  const control = (method: string, path: string, body?: object) =>
    fetch(`${jar.url}/_jar/${path}`, {
      method,
      headers: { authorization: `Bearer ${adminKey(jar.folder)}`, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
    });
  const { lifecycle: token } = (await (await control('GET', 'keys')).json()) as { lifecycle: string };
  // biome-ignore lint/suspicious/noExplicitAny: the test looks into answers of every shape
  const call = async (method: string, path: string, body?: object): Promise<any> => {
    const headers = { 'x-api-token': token, 'content-type': 'application/json' };
    const answer = await fetch(`${jar.url}/v0.1${path}`, { method, headers, body: body ? JSON.stringify(body) : null });
    return answer.json();
  };
  const app = await call('POST', '/apps', { display_name: 'phone', name: 'phone', os: 'Android', platform: 'Java' });
  const tell = (name: string) =>
    fetch(`${jar.url}/logs?api-version=1.0.0`, {
      method: 'POST',
      headers: { 'app-secret': app.app_secret, 'install-id': randomUUID(), 'content-type': 'application/json' },
      body: JSON.stringify({
        logs: [
          {
            type: 'event',
            id: randomUUID(),
            name,
            timestamp: new Date().toISOString(),
            device: {
              appVersion: '1.0',
              appBuild: '1',
              sdkName: 'appcenter.custom',
              sdkVersion: '1',
              osName: 'Android',
              osVersion: '13',
              locale: 'en',
            },
          },
        ],
      }),
    });
  const path = '/apps/admin/phone/export_configurations';
  const connection = gate.connectionString();
  const { id } = await call('POST', path, { type: 'blob_storage_connection_string', connection_string: connection });
  await control('POST', 'clock/advance', { by: '1m' });
  expect(await call('GET', `${path}/${id}`)).toMatchObject({ state: 'Enabled' });

  expect((await tell('first')).status).toBe(200);
  gate.mood = 'hold';
  const interrupted = control('POST', 'clock/advance', { by: '1m' }).catch(() => undefined);
  await gate.held;
  expect((await tell('second')).status).toBe(200);
  jar.kill('SIGKILL');
  await Promise.all([jar.result, interrupted]);
  const { stderr: said } = await jar.result;

  gate.mood = 'work';
  jar = await startCli(ARGS, { folder: jar.folder });
  await control('POST', 'clock/advance', { by: '5m' });
  const written = await writtenOf(azurite, app);
  expect(written.flatMap(({ records }) => records.map((each) => each.EventName)).sort()).toEqual(['first', 'second']);

  await control('PUT', 'snapshots/all');
  const file = await (await control('GET', 'snapshots/all/content')).arrayBuffer();
  const snapshot = gunzipSync(Buffer.from(file)).toString('latin1');
  expect(snapshot).toContain('lifecycle.exports');
  jar.kill('SIGTERM');
  const { stderr } = await jar.result;
  expect(said).toContain('exportConfigurations_create');
  const texts = [said, stderr, snapshot];
  for (const name of await readdir(jar.folder)) texts.push(await readFile(join(jar.folder, name), 'latin1'));
  const key = /AccountKey=([^;]+)/.exec(connection)?.[1] ?? '';
  for (const text of texts) expect(text.includes(key)).toBe(false);
});
