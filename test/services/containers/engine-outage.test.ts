import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EngineClient, filters } from '../../../src/kernel/engines/docker/client.ts';
import { LABEL, thisProcess } from '../../../src/kernel/engines/docker/names.ts';
import { startJar, type TestJar } from '../../../src/testing/index.ts';
import { type SocketProxy, startProxy } from '../../kernel/engines/socket-proxy.ts';
import { type Reply, SUBSCRIPTION } from '../../support/jars.ts';
import { BUSYBOX } from '../../support/podman.ts';
import { usePodman } from '../../support/use-podman.ts';
import { container, groupBody, groupPath } from './small-groups.ts';

const PATIENCE = { timeout: 120_000, interval: 50 };

describe('a container engine that goes away under a jar and comes back', () => {
  let folder: string;
  let proxy: SocketProxy;
  let engine: EngineClient;
  let jar: TestJar;

  beforeEach(async (context) => {
    const socket = await usePodman(context);
    engine = new EngineClient({ kind: 'unix', path: socket, name: socket });
    folder = await mkdtemp(join(tmpdir(), 'cloudjar-outage-'));
    proxy = await startProxy(socket, join(folder, 'engine.sock'));
    const settings = { containers: { socket: proxy.path, stopGraceSeconds: 0, timeoutSeconds: 2 } };
    jar = await startJar({ engine: 'docker', clock: 'shifted', settings });
    await makeGroup();
  });
  afterEach(async () => {
    await jar?.close();
    await proxy?.close();
    engine?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const comeBack = async (): Promise<void> => {
    proxy = await startProxy(engine.address.kind === 'unix' ? engine.address.path : '', proxy.path);
  };
  const call = async (method: string, path: string, body?: unknown): Promise<Pick<Reply, 'status' | 'body'>> => {
    const response = await fetch(jar.url + path, {
      method,
      headers: { authorization: `Bearer ${await jar.token()}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const makeGroup = (): Promise<unknown> =>
    call('PUT', `/subscriptions/${SUBSCRIPTION}/resourcegroups/shop?api-version=2021-04-01`, { location: 'eastus' });
  const put = (name: string, more = {}) => {
    const volumes = [{ name: 'scratch', emptyDir: {} }];
    const volumeMounts = [{ name: 'scratch', mountPath: '/scratch' }];
    const sleeper = container('app', BUSYBOX, { command: ['sleep', '1000'], volumeMounts, ...more });
    return call('PUT', groupPath(name), groupBody([sleeper], { volumes }));
  };
  const runs = (name: string): Promise<unknown> =>
    expect
      .poll(async () => {
        const { instanceView, provisioningState } = (await call('GET', groupPath(name))).body.properties;
        return [provisioningState, instanceView.state];
      }, PATIENCE)
      .toEqual(['Succeeded', 'Running']);

  /** Number of remaining containers of this process's jars. */
  const left = async (): Promise<number> => {
    const query = { all: true, filters: filters({ label: [`${LABEL.process}=${thisProcess()}`] }) };
    const containers = await engine.json<unknown[]>('GET', '/containers/json', { query });
    const { Volumes } = await engine.json<{ Volumes: unknown[] | null }>('GET', '/volumes', { query });
    return containers.length + (Volumes?.length ?? 0);
  };

  test('does not block the jar, and requests in the meantime are completed afterwards', async () => {
    const livenessProbe = { exec: { command: ['true'] }, periodSeconds: 1, failureThreshold: 1 };
    await put('stays', { livenessProbe });
    await put('goes');
    await runs('stays');
    await runs('goes');
    await proxy.close();
    expect((await call('GET', groupPath('stays'))).body.properties.instanceView.state).toBe('Running');
    expect((await call('GET', groupPath('stays', '/containers/app/logs'))).body.error.code).toBe(
      'ContainerEngineUnavailable',
    );
    expect((await call('DELETE', groupPath('goes'))).status).toBe(200);
    expect((await put('comes')).status).toBe(201);
    await comeBack();
    await runs('comes');
    await runs('stays');
    const { instanceView } = (await call('GET', groupPath('stays'))).body.properties.containers[0].properties;
    expect(instanceView.restartCount).toBe(0);
    for (const name of ['stays', 'comes']) expect((await call('DELETE', groupPath(name))).status).toBe(200);
    await expect.poll(left, PATIENCE).toBe(0);
  });

  test('is detected if the engine hangs: callers get 503, health reports it, and the rest of the jar works', async () => {
    await put('app');
    await runs('app');
    const logs = groupPath('app', '/containers/app/logs');
    expect((await call('GET', logs)).status).toBe(200);
    proxy.hang();
    expect(await call('GET', logs)).toMatchObject({
      status: 503,
      body: { error: { code: 'ContainerEngineUnavailable', message: expect.stringContaining('hangs') } },
    });
    const health = (): Promise<Pick<Reply, 'status' | 'body'>> => call('GET', '/_jar/health');
    expect(await health()).toMatchObject({
      status: 200,
      body: { status: 'degraded', troubles: [{ part: 'containers', reason: expect.stringContaining('hangs') }] },
    });
    expect((await call('GET', groupPath('app'))).status).toBe(200);
    proxy.goOn();
    await expect.poll(async () => (await call('GET', logs)).status, PATIENCE).toBe(200);
    await expect.poll(async () => (await health()).body.status, PATIENCE).toBe('ready');
  });

  test('removes containers that a reset made the jar forget in the meantime', async () => {
    await put('forgotten');
    await runs('forgotten');
    expect(await left()).toBe(3);
    await proxy.close();
    await jar.reset();
    await comeBack();
    await expect.poll(left, PATIENCE).toBe(0);
  });
});
