import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openJar, type RunningJar } from '../../../../src/jar/index.ts';
import { loadConfig } from '../../../../src/kernel/config/config.ts';
import { EngineClient } from '../../../../src/kernel/engines/docker/client.ts';
import { eventually } from '../../../support/eventually.ts';
import { importPythonImage } from '../../../support/python-image.ts';
import { usePodman } from '../../../support/use-podman.ts';
import { PLAIN } from './support.ts';

it('an interpreter and its command outlive the jar, which finds the result when it is back; a reset removes the container', async (context) => {
  const socket = await usePodman(context);
  const engine = new EngineClient({ kind: 'unix', path: socket, name: socket });
  onTestFinished(() => engine.close());
  await importPythonImage(engine, 'local/python');
  const folder = await mkdtemp(join(tmpdir(), 'cloudjar-contexts-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const flags = { port: 0, httpsPort: 0, data: folder, logLevel: 'silent', clock: 'shifted', engine: 'docker' };
  const services = { containers: { socket, stopGraceSeconds: 0 } };
  const config = loadConfig({ flags, env: {}, cwd: folder, services });
  const call = async ({ url, adminKey }: RunningJar, method: string, path: string, body?: unknown) => {
    const admin = { authorization: `Bearer ${adminKey}` };
    const { access_token } = (await (await fetch(`${url}/_jar/tokens`, { method: 'POST', headers: admin })).json()) as {
      access_token: string;
    };
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
    const response = await fetch(url + path, { method, headers, body: body ? JSON.stringify(body) : null });
    return JSON.parse(await response.text());
  };
  let jar = await openJar({ config });
  onTestFinished(() => jar.close());
  const { cluster_id: clusterId } = await call(jar, 'POST', '/api/2.1/clusters/create', PLAIN);
  await jar.advance('5m');
  const { id: contextId } = await call(jar, 'POST', '/api/1.2/contexts/create', { clusterId, language: 'python' });
  const execute = async (command: string): Promise<string> =>
    (await call(jar, 'POST', '/api/1.2/commands/execute', { clusterId, contextId, language: 'python', command })).id;
  const reached = (id: string, wanted: string) =>
    eventually(async () => {
      const path = `/api/1.2/commands/status?clusterId=${clusterId}&contextId=${contextId}&commandId=${id}`;
      const seen = await call(jar, 'GET', path);
      expect(seen.status).toBe(wanted);
      return seen;
    });
  await reached(await execute('import os, time\nruns = 0'), 'Finished');
  const long = await execute('runs += 1\nwhile not os.path.exists("/tmp/go"): time.sleep(0.1)\nruns');
  const shell = await execute('%sh touch /tmp/never');
  await reached(long, 'Running');
  await jar.close();
  jar = await openJar({ config });
  await reached(long, 'Running');
  // The command waits for a file that only a parallel process can create.
  const listed = await engine.json<{ Id: string; Image: string; Command: unknown }[]>('GET', '/containers/json');
  const driver = listed.find(({ Image }) => Image.includes('local/python'));
  const { Id } = await engine.json<{ Id: string }>('POST', `/containers/${driver?.Id}/exec`, {
    body: { Cmd: ['/bin/busybox', 'touch', '/tmp/go'] },
  });
  await engine.text('POST', `/exec/${Id}/start`, { body: { Detach: true } });
  expect(await reached(long, 'Finished')).toMatchObject({ results: { data: '1' } });
  await reached(shell, 'Finished');
  expect(await reached(await execute('runs'), 'Finished')).toMatchObject({ results: { data: '1' } });
  await fetch(`${jar.url}/_jar/reset`, { method: 'POST', headers: { authorization: `Bearer ${jar.adminKey}` } });
  await eventually(async () => {
    const left = await engine.json<{ Id: string }[]>('GET', '/containers/json?all=true');
    expect(left.some((each) => each.Id === driver?.Id)).toBe(false);
  });
});
