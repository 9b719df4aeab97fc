import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/kernel/config/config.ts';
import { EngineClient, filters } from '../../../src/kernel/engines/docker/client.ts';
import { findEngine, openDocker } from '../../../src/kernel/engines/docker/index.ts';
import type { EngineSettings } from '../../../src/kernel/engines/settings.ts';
import { type ContainerEngine, EngineUnavailable } from '../../../src/kernel/engines/types.ts';
import type { EngineBench } from './contract.ts';
import {
  closeJarAfterwards,
  deploy,
  ended,
  eventually,
  HALT,
  openBench,
  openSharedBench,
  testJar,
} from './docker-bench.ts';
import { engineContext, openTestJar } from './jar.ts';
import { containerPlan, groupPlan, shell } from './plans.ts';
import { type SocketProxy, startProxy } from './socket-proxy.ts';

const FIRST = { generation: 1, run: 1 };

closeJarAfterwards();

describe('a container engine that is not always there', () => {
  let folder: string;
  let bench: EngineBench & { readonly socket: string };
  let proxy: SocketProxy;
  /** Connected through the proxy. */
  let engine: ContainerEngine;

  beforeEach(async ({ skip }) => {
    bench = await openSharedBench({ skip });
    folder = await mkdtemp(join(tmpdir(), 'cloudjar-proxy-'));
    await openProxy('engine.sock');
    engine = await openDocker(engineContext((await testJar()).jar, { lifetime: 'jar' }), proxy.path);
  });
  afterEach(async () => {
    await engine?.close();
    await proxy?.close();
    await bench?.dispose();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const openProxy = async (name: string): Promise<void> => {
    proxy = await startProxy(bench.socket, join(folder, name));
  };

  it('says so, with the name of its socket', async () => {
    await proxy.close();
    const problem = await engine.uids().catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(EngineUnavailable);
    expect((problem as Error).message).toContain(proxy.path);
    await openProxy('engine.sock');
    expect(await engine.uids()).toEqual([]);
  });

  it('starts a container that was made and not started when the connection broke', async () => {
    const plan = groupPlan();
    await engine.createSandbox(plan, 1, HALT);
    proxy.cutAt(/ \/v[\d.]+\/containers\/\w+\/start /);
    await expect(engine.startContainer(plan, plan.containers[0]!, FIRST)).rejects.toThrow(EngineUnavailable);
    const [made] = (await bench.engine.observe(plan.uid)).containers;
    expect(made).toMatchObject({ phase: 'created', ...FIRST });
    const { engineId } = await bench.engine.startContainer(plan, plan.containers[0]!, FIRST);
    expect(engineId).toBe(made!.engineId);
    expect((await bench.engine.observe(plan.uid)).containers).toMatchObject([{ phase: 'running', engineId }]);
  });

  it('finishes a place that was begun when the connection broke', async () => {
    const plan = groupPlan({
      volumes: [{ name: 'keys', kind: 'secret', files: { key: Buffer.from('value').toString('base64') } }],
      containers: [
        containerPlan({ command: shell('cat /keys/key'), mounts: [{ volume: 'keys', path: '/keys', readOnly: true }] }),
      ],
    });
    for (const request of [
      /PUT .*\/archive/,
      /POST .*\/containers\/create\?name=cloudjar\.[\w-]+ /,
      /POST .*\/start /,
    ]) {
      proxy.cutAt(request);
      await expect(engine.createSandbox(plan, 1, HALT)).rejects.toThrow(EngineUnavailable);
      await proxy.close();
      await openProxy('engine.sock');
    }
    const [target] = await deploy(engine, plan);
    await ended(engine, target!);
    expect((await engine.logs(target!, { timestamps: false, maxBytes: 100 })).toString()).toBe('value');
    await engine.removeGroup(plan.uid);
    expect(await bench.engine.uids()).toEqual([]);
  });

  it('removes the rest of a group when the connection broke in the middle of removing it', async () => {
    const mounts = [{ volume: 'data', path: '/data', readOnly: false }];
    const plan = groupPlan({ containers: [containerPlan({ mounts })], volumes: [{ name: 'data', kind: 'emptyDir' }] });
    await deploy(engine, plan);
    for (const request of [/DELETE .*\/containers\//, /DELETE .*\/volumes\//]) {
      proxy.cutAt(request);
      await expect(engine.removeGroup(plan.uid)).rejects.toThrow(EngineUnavailable);
      expect(await bench.engine.uids()).toEqual([plan.uid]);
      await proxy.close();
      await openProxy('engine.sock');
    }
    await engine.removeGroup(plan.uid);
    expect(await bench.engine.uids()).toEqual([]);
  });

  it('reports all groups after reconnecting, because changes may have been missed', async () => {
    const plan = groupPlan();
    await deploy(engine, plan);
    const told: string[] = [];
    const watching = await engine.watch((uid) => told.push(uid));
    try {
      proxy.cut();
      await eventually(async () => told.includes(plan.uid));
    } finally {
      watching.close();
    }
  });

  it('reports a container that was removed from outside', async () => {
    const plan = groupPlan();
    const [target] = await deploy(engine, plan);
    const told: string[] = [];
    const watching = await engine.watch((uid) => told.push(uid));
    try {
      await bench.engine.removeContainer(target!.engineId);
      await eventually(async () => told.includes(plan.uid));
    } finally {
      watching.close();
    }
  });

  it('is looked for where the settings say, and nowhere else', async () => {
    const { jar } = await testJar();
    const find = (engineName: 'auto' | 'docker', settings: EngineSettings): Promise<string | undefined> =>
      findEngine(engineContext({ ...jar, config: { ...jar.config, engine: engineName } }, { settings }));
    expect(await find('docker', { socket: proxy.path })).toBe(proxy.path);
    expect(await find('auto', { socket: `unix://${proxy.path}` })).toBe(`unix://${proxy.path}`);
    const nowhere = join(folder, 'nothing.sock');
    expect(await find('auto', { socket: nowhere })).toBeUndefined();
    const problem = await find('docker', { socket: nowhere }).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(ConfigError);
    expect((problem as Error).message).toBe(
      `services.containers.socket names a container engine at ${nowhere}, but the socket does not exist`,
    );
    await expect(find('docker', { socket: 'ssh://somewhere' })).rejects.toThrow('neither a path');
    const plain = await startProxy(bench.socket, join(folder, 'other.sock'));
    await plain.close();
    await expect(find('docker', { socket: plain.path })).rejects.toThrow(ConfigError);
  });
});

describe('a container engine that takes its time to answer', () => {
  it('is waited for where the settings name it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cloudjar-slow-'));
    const socket = join(folder, 'slow.sock');
    // Longer than the timeout for default places, most of which have no engine.
    const server = createServer((_, response) => void setTimeout(() => response.end('OK'), 1500));
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    try {
      const { jar } = await testJar();
      const context = engineContext({ ...jar, config: { ...jar.config, engine: 'docker' } }, { settings: { socket } });
      expect(await findEngine(context)).toBe(socket);
    } finally {
      server.close();
      await rm(folder, { recursive: true });
    }
  });
});

describe('what a jar in memory has on a container engine', () => {
  it('is removed when the jar is closed, and what others have is not', async ({ skip }) => {
    const bench = await openBench({ skip });
    const other = await openTestJar();
    const others = await openDocker(engineContext(other.jar), bench.socket);
    try {
      const plan = groupPlan();
      await deploy(bench.engine, plan);
      const otherPlan = groupPlan();
      await deploy(others, otherPlan);
      expect([await bench.engine.uids(), await others.uids()]).toEqual([[plan.uid], [otherPlan.uid]]);
      await bench.engine.close();
      expect(await leftOf(bench.socket, plan.uid)).toBe(0);
      expect((await others.observe(otherPlan.uid)).containers).toMatchObject([{ phase: 'running' }]);
    } finally {
      await others.close();
      await other.running.close();
    }
  });

  it('does not keep the jar from closing when the engine is gone', async ({ skip }) => {
    const { socket, dispose } = await openBench({ skip });
    const folder = await mkdtemp(join(tmpdir(), 'cloudjar-proxy-'));
    const proxy = await startProxy(socket, join(folder, 'engine.sock'));
    const { jar } = await testJar();
    const engine = await openDocker(engineContext(jar), proxy.path);
    const plan = groupPlan();
    await deploy(engine, plan);
    await proxy.close();
    await engine.close();
    expect(await leftOf(socket, plan.uid)).toBe(2);
    await dispose();
    expect(await leftOf(socket, plan.uid)).toBe(0);
    await rm(folder, { recursive: true, force: true });
  });

  it('is removed by the next jar on the machine when its process was killed', async ({ skip }) => {
    const bench = await openBench({ skip });
    const living = groupPlan();
    await deploy(bench.engine, living);
    const child = spawn(process.execPath, [join(import.meta.dirname, 'left-by-a-killed-jar.ts'), bench.socket], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const uid = /made (\S+)/.exec(String((await once(child.stdout, 'data'))[0]))?.[1];
    expect(await leftOf(bench.socket, uid!)).toBe(3);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await bench.reopen();
    await eventually(async () => (await leftOf(bench.socket, uid!)) === 0);
    expect((await bench.engine.observe(living.uid)).containers).toMatchObject([{ phase: 'running' }]);
    await bench.dispose();
  });
});

/** Number of containers and volumes of a group, of any owner. */
async function leftOf(socket: string, uid: string): Promise<number> {
  const client = new EngineClient({ kind: 'unix', path: socket, name: socket });
  try {
    const query = { all: true, filters: filters({ label: [`cloudjar.group=${uid}`] }) };
    const containers = await client.json<unknown[]>('GET', '/containers/json', { query });
    const { Volumes } = await client.json<{ Volumes: unknown[] | null }>('GET', '/volumes', { query });
    return containers.length + (Volumes?.length ?? 0);
  } finally {
    client.close();
  }
}
