import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openJar, type RunningJar } from '../../../../src/jar/index.ts';
import { loadConfig } from '../../../../src/kernel/config/config.ts';
import { PLAIN } from './support.ts';

it('clusters, commands and warehouses go on after a restart of the jar', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cloudjar-compute-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const flags = { port: 0, httpsPort: 0, data: folder, logLevel: 'silent', clock: 'virtual', engine: 'simulated' };
  const config = loadConfig({ flags, env: {}, cwd: folder });
  const call = async ({ url, adminKey }: RunningJar, method: string, path: string, body?: unknown) => {
    const admin = { authorization: `Bearer ${adminKey}` };
    const { access_token } = (await (await fetch(`${url}/_jar/tokens`, { method: 'POST', headers: admin })).json()) as {
      access_token: string;
    };
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
    const response = await fetch(url + path, { method, headers, body: body ? JSON.stringify(body) : null });
    return JSON.parse(await response.text());
  };
  const reopened = async (before: RunningJar): Promise<RunningJar> => {
    await before.close();
    return openJar({ config });
  };

  let jar = await openJar({ config });
  onTestFinished(() => jar.close());
  const { cluster_id: clusterId } = await call(jar, 'POST', '/api/2.1/clusters/create', PLAIN);
  const { id: warehouse } = await call(jar, 'POST', '/api/2.0/sql/warehouses', { name: 'w', auto_stop_mins: 10 });
  await jar.advance('1m');
  jar = await reopened(jar);
  await jar.advance('3m');
  const cluster = () => call(jar, 'GET', `/api/2.1/clusters/get?cluster_id=${clusterId}`);
  expect((await cluster()).state).toBe('RUNNING');
  expect((await call(jar, 'GET', `/api/2.0/sql/warehouses/${warehouse}`)).state).toBe('RUNNING');

  const { id: contextId } = await call(jar, 'POST', '/api/1.2/contexts/create', { clusterId, language: 'python' });
  const command = '%sh sleep 600; echo over';
  const { id } = await call(jar, 'POST', '/api/1.2/commands/execute', {
    clusterId,
    contextId,
    language: 'python',
    command,
  });
  await jar.advance('5m');
  jar = await reopened(jar);
  const status = () =>
    call(jar, 'GET', `/api/1.2/commands/status?clusterId=${clusterId}&contextId=${contextId}&commandId=${id}`);
  expect((await status()).status).toBe('Running');
  await jar.advance('5m');
  expect(await status()).toMatchObject({ status: 'Finished', results: { data: 'over\n' } });
  expect((await call(jar, 'GET', `/api/2.0/sql/warehouses/${warehouse}`)).state).toBe('STOPPED');
});
