import { setTimeout as sleep } from 'node:timers/promises';
import { ContainerInstanceManagementClient } from '@azure/arm-containerinstance';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startJar, type TestJar } from '../../../src/testing/index.ts';
import { SUBSCRIPTION, trust } from '../../support/jars.ts';
import { BUSYBOX } from '../../support/podman.ts';
import { usePodman } from '../../support/use-podman.ts';

const POLL_MS = 50;
const PATIENCE_MS = 30_000;
const RESOURCES = { requests: { cpu: 1, memoryInGB: 1 } };
const GROUP = 'shop';

describe('container groups on a real engine, through the official client', () => {
  let jar: TestJar;
  let client: ContainerInstanceManagementClient;

  beforeEach(async (context) => {
    if (jar) return;
    const socket = await usePodman(context);
    jar = await startJar({
      engine: 'docker',
      clock: 'shifted',
      namespace: ['Microsoft'],
      settings: { containers: { socket, stopGraceSeconds: 0 } },
    });
    trust(jar);
    const credential = {
      getToken: async () => ({ token: await jar.token(), expiresOnTimestamp: Date.now() + 3_600_000 }),
    };
    client = new ContainerInstanceManagementClient(credential, SUBSCRIPTION, { endpoint: jar.httpsUrl });
    await fetch(`${jar.url}/subscriptions/${SUBSCRIPTION}/resourcegroups/${GROUP}?api-version=2021-04-01`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${await jar.token()}`, 'content-type': 'application/json' },
      body: '{"location":"eastus"}',
    });
  }, 120_000);
  afterAll(() => jar?.close());

  type Group = Parameters<ContainerInstanceManagementClient['containerGroups']['beginCreateOrUpdateAndWait']>[2];
  const sh = (script: string): string[] => ['sh', '-c', script];
  const app = (name: string, script: string, more: Partial<Group['containers'][number]> = {}) => ({
    name,
    image: BUSYBOX,
    command: sh(script),
    resources: RESOURCES,
    ...more,
  });
  const create = (name: string, group: Omit<Group, 'osType' | 'location'>) =>
    client.containerGroups.beginCreateOrUpdateAndWait(
      GROUP,
      name,
      { location: 'eastus', osType: 'Linux', ...group },
      { updateIntervalInMs: 50 },
    );
  const get = (name: string) => client.containerGroups.get(GROUP, name);
  const logsOf = async (name: string, container: string): Promise<string> =>
    (await client.containers.listLogs(GROUP, name, container)).content ?? '';
  const eventually = async (what: string, check: () => Promise<boolean>): Promise<void> => {
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(POLL_MS)) if (await check()) return;
    throw new Error(`not in time: ${what}`);
  };

  test('two containers talk over loopback and share a volume, after their init containers ran in order', async () => {
    const mounts = [{ name: 'shared', mountPath: '/shared' }];
    const note = (word: string) => ({
      name: word,
      image: BUSYBOX,
      command: sh(`sleep 0.2; echo ${word} >> /shared/order`),
      volumeMounts: mounts,
    });
    const group = await create('pair', {
      initContainers: [note('first'), note('second')],
      volumes: [{ name: 'shared', emptyDir: {} }],
      containers: [
        app('server', 'httpd -f -p 8080 -h /shared', { volumeMounts: mounts }),
        app('asker', 'until wget -qO- http://127.0.0.1:8080/order; do sleep 0.1; done; sleep 1000'),
      ],
    });
    expect(group.provisioningState).toBe('Succeeded');
    await eventually('the asker has its answer', async () => (await logsOf('pair', 'asker')).includes('second'));
    expect(await logsOf('pair', 'asker')).toContain('first\nsecond\n');
  });

  test('a container comes back by its policy, and how it ended is told within a second', async () => {
    await create('restarts', { restartPolicy: 'OnFailure', containers: [app('job', 'sleep 0.5; exit 7')] });
    await eventually('it came back', async () => {
      const view = (await get('restarts')).containers[0]?.instanceView;
      return view?.restartCount === 1 && view.previousState?.exitCode === 7;
    });
    await create('ends', { restartPolicy: 'Never', containers: [app('job', 'echo done; exit 3')] });
    await eventually('it ended', async () => (await get('ends')).instanceView?.state === 'Failed');
    expect((await get('ends')).containers[0]?.instanceView?.currentState).toMatchObject({
      state: 'Terminated',
      exitCode: 3,
      detailStatus: 'Error',
    });
    expect(await logsOf('ends', 'job')).toBe('done\n');
  });

  test('a liveness probe kills, and the policy brings the container back', async () => {
    await create('sick', {
      containers: [
        app('app', 'touch /well; sleep 0.5; rm /well; sleep 1000', {
          livenessProbe: { exec: { command: ['test', '-e', '/well'] }, periodSeconds: 1, failureThreshold: 1 },
        }),
      ],
    });
    await eventually('it was killed', async () => {
      const view = (await get('sick')).containers[0]?.instanceView;
      return (view?.restartCount ?? 0) > 0;
    });
    const names = (await get('sick')).containers[0]?.instanceView?.events?.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['Unhealthy', 'Killing']));
  });

  test('a process can be run in a container over its web socket', async () => {
    await create('inside', {
      containers: [app('app', 'sleep 1000', { environmentVariables: [{ name: 'WHO', secureValue: 'secret-one' }] })],
    });
    const { webSocketUri = '', password = '' } = await client.containers.executeCommand(GROUP, 'inside', 'app', {
      command: '/bin/sh',
      terminalSize: { rows: 12, cols: 80 },
    });
    const socket = new WebSocket(webSocketUri, { ca: jar.ca });
    let said = '';
    socket.on('message', (data) => {
      said += data.toString();
    });
    const closed = new Promise<number>((resolve) => socket.once('close', resolve));
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(password);
    socket.send('echo I am $WHO\n');
    await eventually('it answers', async () => said.includes('I am secret-one'));
    socket.send('exit\n');
    expect(await closed).toBe(1000);
  });

  test('a group with a public address answers there, one with a private address does not', async () => {
    const ports = [{ port: 8080, protocol: 'TCP' }];
    const serve = app('web', 'echo hello > /tmp/index.html; httpd -f -p 8080 -h /tmp', { ports });
    const shown = await create('public', {
      containers: [serve],
      ipAddress: { type: 'Public', ports, dnsNameLabel: 'hello-shop' },
    });
    expect(shown.ipAddress).toMatchObject({ ip: expect.any(String), fqdn: expect.stringMatching(/^hello-shop\./) });
    await eventually('it serves', async () => {
      const answer = await fetch(`http://${shown.ipAddress?.ip}:8080/`).catch(() => undefined);
      return (await answer?.text()) === 'hello\n';
    });
  });

  test('an update replaces, a stop ends, a start begins anew, and a deletion leaves nothing', async () => {
    await create('life', { containers: [app('app', 'echo one; sleep 1000')] });
    await create('life', { containers: [app('app', 'echo two; sleep 1000')] });
    await eventually('the second runs', async () => (await logsOf('life', 'app')) === 'two\n');
    await client.containerGroups.beginRestartAndWait(GROUP, 'life', { updateIntervalInMs: 50 });
    await client.containerGroups.stop(GROUP, 'life');
    expect((await get('life')).instanceView?.state).toBe('Stopped');
    expect(await logsOf('life', 'app')).toBe('two\n');
    await client.containerGroups.beginStartAndWait(GROUP, 'life', { updateIntervalInMs: 50 });
    expect((await get('life')).instanceView?.state).toBe('Running');
    const last = await client.containerGroups.beginDeleteAndWait(GROUP, 'life');
    expect(last.instanceView?.state).toBe('Running');
    await expect(get('life')).rejects.toMatchObject({ code: 'ResourceNotFound' });
  });
});
