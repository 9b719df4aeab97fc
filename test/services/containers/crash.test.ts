import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, type TestContext, test } from 'vitest';
import { type CliProcess, spawnCli } from '../../cli/cli.ts';
import { SUBSCRIPTION } from '../../support/jars.ts';
import { BUSYBOX, startPodman } from '../../support/podman.ts';
import { container, groupBody, groupPath } from './small-groups.ts';

const SOAK = process.env.CLOUDJAR_SOAK === '1';
const KILLS = SOAK ? 40 : 3;
/** About the time that a group takes to start, so that kills hit every stage of it. */
const LIFE_MS = 900;
/** Each poll is a request to the jar or to Podman, and costs both processor time. */
const POLL_MS = 250;
const PATIENCE_MS = 120_000;

interface EngineContainer {
  readonly Id: string;
  readonly State: string;
  readonly Labels: Record<string, string>;
}

/** A jar that is restarted repeatedly on one folder, with its own engine. */
class Jar {
  readonly folder = mkdtempSync(join(tmpdir(), 'cloudjar-crash-'));
  readonly socket: string;
  #process: CliProcess | undefined;
  #url = '';
  #token = '';

  constructor(socket: string) {
    this.socket = socket;
    const settings = { services: { containers: { socket, stopGraceSeconds: 0 } } };
    writeFileSync(join(this.folder, 'cloudjar.config.json'), JSON.stringify(settings));
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  async start(): Promise<void> {
    const args = ['start', '--port', '0', '--https-port', '0', '--data', 'data', '--engine', 'docker'];
    this.#process = spawnCli(args, { cwd: this.folder });
    this.#url = (await this.#process.printed(/ready on (\S+)/))[1] ?? '';
    const key = readFileSync(join(this.folder, 'data/admin.key'), 'utf8').trim();
    const tokens = await fetch(`${this.#url}/_jar/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{"ttl":"30d"}',
    });
    this.#token = ((await tokens.json()) as { access_token: string }).access_token;
  }

  async kill(): Promise<void> {
    this.#process?.kill('SIGKILL');
    await this.#process?.result;
  }

  /** Undefined if the jar was killed before it answered. */
  // biome-ignore lint/suspicious/noExplicitAny: the test looks into answers of every shape
  async call(method: string, path: string, body?: unknown): Promise<{ status: number; body: any } | undefined> {
    try {
      const response = await fetch(this.#url + path, {
        method,
        headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
    } catch {
      return undefined;
    }
  }

  async groups(): Promise<string[]> {
    const list = await this.call('GET', groupPath('').replace('/?', '?'));
    return list?.body.value.map(({ name }: { name: string }) => name);
  }

  engine<T>(path: string): Promise<T> {
    return new Promise((resolve, reject) => {
      const call = request({ socketPath: this.socket, path }, async (response) => {
        const chunks = await response.toArray();
        resolve(JSON.parse(Buffer.concat(chunks).toString()) as T);
      });
      call.once('error', reject);
      call.end();
    });
  }

  containers(): Promise<EngineContainer[]> {
    return this.engine<EngineContainer[]>('/v1.41/containers/json?all=true');
  }

  async census(): Promise<Record<'groups' | 'containers' | 'distinct' | 'running', number>> {
    const all = await this.containers();
    const names = all.map(({ Labels }) => `${Labels['cloudjar.group']}/${Labels['cloudjar.container']}`);
    return {
      groups: new Set(all.map(({ Labels }) => Labels['cloudjar.group'])).size,
      containers: all.length,
      distinct: new Set(names).size,
      running: all.filter(({ State }) => State === 'running').length,
    };
  }

  async volumes(): Promise<unknown[]> {
    return (await this.engine<{ Volumes: unknown[] | null }>('/v1.41/volumes')).Volumes ?? [];
  }
}

async function openJar(context: TestContext): Promise<Jar> {
  const podman = await startPodman().catch((error: Error) => context.skip(error.message));
  onTestFinished(() => podman.stop());
  const jar = new Jar(podman.socket);
  await jar.start();
  const group = `/subscriptions/${SUBSCRIPTION}/resourcegroups/shop?api-version=2021-04-01`;
  expect((await jar.call('PUT', group, { location: 'eastus' }))?.status).toBe(201);
  return jar;
}

async function eventually(what: string, check: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(POLL_MS)) if (await check()) return;
  throw new Error(`not in time: ${what}`);
}

const BODY = groupBody(
  ['one', 'two'].map((name) =>
    container(name, BUSYBOX, {
      command: ['sleep', '100000'],
      volumeMounts: [{ name: 'scratch', mountPath: '/scratch' }],
    }),
  ),
  { volumes: [{ name: 'scratch', emptyDir: {} }] },
);

describe(`a jar that is killed ${KILLS} times while it starts and removes groups`, () => {
  test('finds its containers again, neither loses nor doubles one, and leaves nothing behind', {
    timeout: 600_000,
  }, async (context) => {
    const jar = await openJar(context);
    const acknowledged: string[] = [];
    for (let life = 0; life < KILLS; life++) {
      const name = `group-${life}`;
      const put = jar.call('PUT', groupPath(name), BODY);
      // The first request is always answered, however slow the machine is.
      if (life === 0) await put;
      await sleep(Math.random() * LIFE_MS);
      await jar.kill();
      if ((await put)?.status === 201) acknowledged.push(name);
      await jar.start();
    }
    expect(acknowledged).toContain('group-0');
    // A kill between the commit and the answer leaves a group that was not acknowledged. It must run like the others.
    const kept = await jar.groups();
    expect(kept).toEqual(expect.arrayContaining(acknowledged));
    for (const name of kept) {
      await eventually(`${name} runs`, async () => {
        const { instanceView, provisioningState } = (await jar.call('GET', groupPath(name)))?.body.properties ?? {};
        return instanceView?.state === 'Running' && provisioningState === 'Succeeded';
      });
    }
    const expected = kept.length * 3;
    // Calls of a killed jar may still be running in the engine.
    await expect
      .poll(() => jar.census(), { timeout: PATIENCE_MS, interval: 250 })
      .toEqual({ groups: kept.length, containers: expected, distinct: expected, running: expected });

    for (const name of kept) {
      const gone = jar.call('DELETE', groupPath(name));
      await sleep(Math.random() * (LIFE_MS / 3));
      await jar.kill();
      await gone;
      await jar.start();
      await eventually(`${name} is deleted`, async () => {
        const status = (await jar.call('DELETE', groupPath(name)))?.status ?? 0;
        return status === 200 || status === 204;
      });
    }
    await eventually(
      'nothing is left',
      async () => (await jar.containers()).length + (await jar.volumes()).length === 0,
    );
  });

  test('brings back a container that ended while the jar was away', async (context) => {
    const jar = await openJar(context);
    await jar.call('PUT', groupPath('web'), BODY);
    const view = async () => (await jar.call('GET', groupPath('web')))?.body.properties.containers[0].properties;
    await eventually('it runs', async () => (await view())?.instanceView?.currentState?.state === 'Running');
    await jar.kill();
    const [one] = (await jar.containers()).filter(({ Labels }) => Labels['cloudjar.container'] === 'one');
    await new Promise((resolve) => {
      const path = `/v1.41/containers/${one?.Id}/kill?signal=KILL`;
      request({ socketPath: jar.socket, path, method: 'POST' }, resolve).end();
    });
    await jar.start();
    await eventually('it is back', async () => {
      const { instanceView } = (await view()) ?? {};
      return instanceView?.restartCount === 1 && instanceView.currentState.state === 'Running';
    });
    expect((await view()).instanceView.previousState).toMatchObject({ state: 'Terminated', exitCode: 137 });
    expect((await jar.containers()).length).toBe(3);
  });
});
