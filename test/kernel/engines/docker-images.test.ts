import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { openDocker } from '../../../src/kernel/engines/docker/index.ts';
import type { RegistryLogin } from '../../../src/kernel/engines/plan.ts';
import { type ContainerEngine, EngineUnavailable, ImageProblem } from '../../../src/kernel/engines/types.ts';
import { BUSYBOX, registryHost } from '../../support/podman.ts';
import type { EngineBench } from './contract.ts';
import { closeJarAfterwards, HALT, openBench, testJar } from './docker-bench.ts';
import { engineContext } from './jar.ts';
import { type Registry, startRegistry } from './registry.ts';
import { startProxy } from './socket-proxy.ts';

const HOST = registryHost(inject('runPid'));
const IMAGE = `${HOST}/team/app`;

closeJarAfterwards();

describe('images on a container engine', () => {
  let bench: EngineBench & { readonly socket: string };
  let engine: ContainerEngine;
  let registry: Registry;

  beforeEach(async ({ skip }) => {
    bench = await openBench({ skip });
    engine = bench.engine;
    const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
    registry = await startRegistry(HOST, 'reader:right', { content: String(performance.now()), architecture });
  });
  afterEach(async () => {
    await registry?.close();
    await bench?.dispose();
  });

  const login = (password: string, server = HOST): RegistryLogin => ({ server, username: 'reader', password });

  it('are pulled from a registry with the password for that registry', async () => {
    const logins = [login('wrong', 'registry.example'), login('right')];
    expect(await engine.ensureImage(`${IMAGE}@${registry.digest}`, logins, HALT)).toBe('pulled');
    expect(registry.served).toContain(`/v2/team/app/manifests/${registry.digest}`);
    expect(await engine.ensureImage(`${IMAGE}@${registry.digest}`, [], HALT)).toBe('present');
    expect(await engine.ensureImage(`${IMAGE}:1`, logins, HALT)).toBe('pulled');
    expect((await engine.cachedImages()).map(({ image }) => image)).toContain(`${IMAGE}:1`);
    expect(await engine.ensureImage(`${IMAGE}:1`, [], HALT)).toBe('present');
  });

  it('cannot be pulled without the password, or if they do not exist', async () => {
    for (const [image, logins] of [
      [`${IMAGE}:unread`, []],
      [`${IMAGE}:unread`, [login('wrong')]],
      [`${IMAGE}:unread`, [login('right', 'registry.example')]],
      [`${IMAGE}:no-such-version`, [login('right')]],
      [`${HOST}/nothing`, [login('right')]],
    ] as const) {
      await expect(engine.ensureImage(image, logins, HALT), image).rejects.toThrow(ImageProblem);
    }
    expect(registry.served).toEqual([]);
  });

  it('are no longer pulled when work must stop', async () => {
    void registry.stall();
    const halt = new AbortController();
    const pulling = engine.ensureImage(`${IMAGE}:slow`, [login('right')], halt.signal);
    const outcome = pulling.catch((error: unknown) => error);
    halt.abort();
    expect(await outcome).toBe(halt.signal.reason);
  });

  // The engine may or may not have begun its response when it contacts the registry.
  it.each(['once it has begun', 'before the engine answers'])(
    'whose pull breaks off with the engine, %s, are not to blame for it',
    async (when) => {
      const folder = await mkdtemp(join(tmpdir(), 'cloudjar-proxy-'));
      const proxy = await startProxy(bench.socket, join(folder, 'engine.sock'));
      const { jar } = await testJar();
      const distant = await openDocker(engineContext(jar, { lifetime: 'jar' }), proxy.path);
      try {
        const waiting = registry.stall();
        if (when === 'before the engine answers') proxy.silenceAt(/ \/v[\d.]+\/images\/create\?/);
        const outcome = distant.ensureImage(`${IMAGE}:slow`, [login('right')], HALT).catch((error: unknown) => error);
        const early = outcome.then((ending) =>
          Promise.reject(new Error('the pull has ended early', { cause: ending })),
        );
        await Promise.race([waiting, early]);
        // An engine that drops connections but keeps listening would be called again, and would go on waiting for the registry.
        await proxy.close();
        expect(await outcome).toBeInstanceOf(EngineUnavailable);
      } finally {
        await distant.close();
        await proxy.close();
        await rm(folder, { recursive: true, force: true });
      }
    },
  );

  it('have names that make sense', async () => {
    for (const image of ['UPPER/case', 'a b', '../../info', `${BUSYBOX}?x=y`, '-v']) {
      await expect(engine.ensureImage(image, [], HALT), image).rejects.toThrow(ImageProblem);
    }
  });
});
