import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openJar, type RunningJar } from '../../../src/jar/index.ts';
import { loadConfig } from '../../../src/kernel/config/config.ts';
import { SUBSCRIPTION } from '../../support/jars.ts';
import { container, groupBody, groupPath } from './small-groups.ts';

it('finds its containers again after a restart of the jar, at the time where they are then', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cloudjar-simulated-'));
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
  const state = async (jar: RunningJar) =>
    (await call(jar, 'GET', groupPath('box'))).properties.containers[0].properties.instanceView.currentState;

  const before = await openJar({ config });
  await call(before, 'PUT', `/subscriptions/${SUBSCRIPTION}/resourcegroups/shop?api-version=2021-04-01`, {
    location: 'eastus',
  });
  const main = container('main', 'busybox', { command: ['sh', '-c', 'echo begun; sleep 100; echo ended; exit 3'] });
  await call(before, 'PUT', groupPath('box'), groupBody([main], { restartPolicy: 'Never' }));
  await before.settled();
  await before.advance('40s');
  const running = await state(before);
  expect(running).toMatchObject({ state: 'Running' });
  await before.close();

  const after = await openJar({ config });
  onTestFinished(() => after.close());
  expect(await state(after)).toEqual(running);
  await after.advance('60s');
  expect(await state(after)).toMatchObject({ state: 'Terminated', exitCode: 3, startTime: running.startTime });
  const { content } = await call(after, 'GET', groupPath('box', '/containers/main/logs'));
  expect(content).toBe('begun\nended\n');
});
