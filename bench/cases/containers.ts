import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUSYBOX, startPodman } from '../../test/support/podman.ts';
import type { Case } from '../lib/case.ts';
import { type JarProcess, startJarProcess } from '../lib/contenders.ts';
import { GROUP_BODY, groupAddresses } from '../lib/documents.ts';
import { PlainEngine } from '../lib/plain-engine.ts';
import { takeTurns, timed } from '../lib/rounds.ts';

const POLL_MS = 5;
const PORT = 8080;
const COMMAND = ['sleep', '1000'];
const MEMORY_GB = 1;
const CPU = 1;
/** Far from the addresses that the jar assigns. */
const ADDRESS = '127.1.2.3';
/** The image that the jar adds to the engine with its first group. */
const INFRASTRUCTURE = 'cloudjar/pause:1';

const OF_JARS = `/containers/json?all=true&filters=${encodeURIComponent('{"label":["cloudjar.jar"]}')}`;

export const containers: Case = {
  name: 'containers',
  summary:
    'From the PUT of a container group with a Public address until its container is seen running, against the same two containers (one for the network, one for the process) by the API of the engine, Podman.',
  async run({ quick, folder }) {
    const podman = await startPodman();
    try {
      const jarFolder = join(folder, 'jar');
      mkdirSync(jarFolder, { recursive: true });
      const settings = { services: { containers: { socket: podman.socket } } };
      writeFileSync(join(jarFolder, 'cloudjar.config.json'), JSON.stringify(settings));
      const jar = await startJarProcess(jarFolder, ['--engine', 'docker']);
      const engine = new PlainEngine(podman.socket);
      try {
        const throughJar = await groupRunner(jar, engine);
        const figures = await takeTurns(
          quick ? 3 : 21,
          { jar: throughJar, engine: () => runPlainly(engine) },
          { warmUps: 2 },
        );
        return [
          {
            title: 'to a running container',
            unit: 'ms',
            baseline: { name: "the engine's API", values: figures.engine },
            subject: { name: 'PUT of a container group', values: figures.jar },
            target: { atMost: 1.3 },
          },
        ];
      } finally {
        engine.close();
        await jar.stop();
      }
    } finally {
      await podman.stop();
    }
  },
};

/** Returns a function that creates a group, measures the time until it runs, and removes the group. */
async function groupRunner(jar: JarProcess, engine: PlainEngine): Promise<() => Promise<number>> {
  const groups = await groupAddresses(jar);
  const headers = { authorization: `Bearer ${groups.token}`, 'content-type': 'application/json' };
  const call = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const answer = await fetch(jar.url + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return (text === '' ? {} : JSON.parse(text)) as Answer;
  };
  await call('PUT', groups.of('bench'), GROUP_BODY);
  let number = 0;
  return async () => {
    const provider = 'providers/Vendor.ContainerInstance/containerGroups';
    const path = `/subscriptions/${groups.subscriptionId}/resourceGroups/bench/${provider}/group-${++number}?api-version=2023-05-01`;
    const took = await timed(async () => {
      await call('PUT', path, groupBody());
      while ((await call('GET', path)).properties?.instanceView?.state !== 'Running') await pause();
    });
    await call('DELETE', path);
    // Waits for cleanup after the answer, so that it does not slow the next measurement.
    while (((await engine.call('GET', OF_JARS)) as unknown[]).length > 0) await pause();
    return took;
  };
}

interface Answer {
  readonly properties?: { readonly instanceView?: { readonly state?: string } };
}

function groupBody(): object {
  const ports = [{ port: PORT, protocol: 'TCP' }];
  const resources = { requests: { cpu: CPU, memoryInGB: MEMORY_GB } };
  return {
    location: 'westus',
    properties: {
      osType: 'Linux',
      containers: [{ name: 'main', properties: { image: BUSYBOX, command: COMMAND, ports, resources } }],
      ipAddress: { type: 'Public', ports },
    },
  };
}

async function runPlainly(engine: PlainEngine): Promise<number> {
  const memory = MEMORY_GB * 2 ** 30;
  const port = `${PORT}/tcp`;
  const took = await timed(async () => {
    await engine.call('POST', '/containers/create?name=network', {
      Image: INFRASTRUCTURE,
      Entrypoint: ['/pause'],
      ExposedPorts: { [port]: {} },
      HostConfig: { PortBindings: { [port]: [{ HostIp: ADDRESS, HostPort: String(PORT) }] } },
    });
    await engine.call('POST', '/containers/network/start');
    await engine.call('POST', '/containers/create?name=main', {
      Image: BUSYBOX,
      Entrypoint: COMMAND,
      Cmd: [],
      HostConfig: { NetworkMode: 'container:network', Memory: memory, MemorySwap: memory, NanoCpus: CPU * 1e9 },
    });
    await engine.call('POST', '/containers/main/start');
  });
  for (const name of ['main', 'network']) await engine.call('DELETE', `/containers/${name}?force=true`);
  return took;
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, POLL_MS));
