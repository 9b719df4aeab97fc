import { setTimeout as sleep } from 'node:timers/promises';
import { ContainerInstanceManagementClient } from '@azure/arm-containerinstance';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { EngineClient, filters } from '../../../src/kernel/engines/docker/client.ts';
import { isGone } from '../../../src/kernel/engines/docker/sandbox.ts';
import { startJar, type TestJar } from '../../../src/testing/index.ts';
import { SUBSCRIPTION } from '../../support/jars.ts';
import { BUSYBOX } from '../../support/podman.ts';
import { trust } from '../../support/trust.ts';
import { usePodman } from '../../support/use-podman.ts';
import { SocketClient } from '../../support/web-socket.ts';

const POLL_MS = 50;
const PATIENCE_MS = 120_000;
const RESOURCES = { requests: { cpu: 1, memoryInGB: 1 } };
const GROUP = 'shop';

interface Listed {
  readonly Id: string;
}

interface Inspected {
  readonly Config: { readonly Hostname: string; readonly Labels: Readonly<Record<string, string>> };
}

describe('container groups on a real engine, through the official client', () => {
  let jar: TestJar;
  let client: ContainerInstanceManagementClient;
  /** For inspecting and changing containers without the jar. */
  let engine: EngineClient;

  beforeEach(async (context) => {
    if (jar) return;
    const socket = await usePodman(context);
    engine = new EngineClient({ kind: 'unix', path: socket, name: socket });
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
  });
  afterAll(async () => {
    engine?.close();
    await jar?.close();
  });

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
  const uidOf = async (name: string): Promise<string> => {
    const query = { all: true, filters: filters({ label: ['cloudjar.role=sandbox'] }) };
    const list = await engine.json<Listed[]>('GET', '/containers/json', { query });
    // Groups of earlier tests may be removed at the same time.
    const inspect = (id: string): Promise<Inspected | undefined> =>
      engine.json<Inspected>('GET', `/containers/${id}/json`).catch((error: unknown) => {
        if (isGone(error)) return undefined;
        throw error;
      });
    const own = await Promise.all(list.map(({ Id }) => inspect(Id)));
    const found = own.find((it) => it?.Config.Hostname === name);
    return found?.Config.Labels['cloudjar.group'] ?? '';
  };
  /** Ids of the containers; without a container name, of the one that holds the network. */
  const containersOf = async (name: string, container: string | undefined): Promise<string[]> => {
    const label = [
      `cloudjar.group=${await uidOf(name)}`,
      container ? `cloudjar.container=${container}` : 'cloudjar.role=sandbox',
    ];
    const query = { all: true, filters: filters({ label }) };
    return (await engine.json<Listed[]>('GET', '/containers/json', { query })).map(({ Id }) => Id);
  };
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

  test('the pairs of a config map are files in the container, and go as they are replaced', async () => {
    const put = async (keyValuePairs: Record<string, string>): Promise<void> => {
      const script = 'cd /mnt/configmap/main; for key in *; do echo "$key=$(cat $key)"; done; echo end; sleep 1000';
      const properties = { image: BUSYBOX, command: sh(script), resources: RESOURCES, configMap: { keyValuePairs } };
      const path = `/subscriptions/${SUBSCRIPTION}/resourceGroups/${GROUP}/providers/Microsoft.ContainerInstance/containerGroups/mapped`;
      const answer = await fetch(`${jar.url}${path}?api-version=2024-05-01-preview`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${await jar.token()}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          location: 'eastus',
          properties: { osType: 'Linux', containers: [{ name: 'main', properties }] },
        }),
      });
      expect(answer.ok).toBe(true);
      await eventually('the group runs', async () => (await get('mapped')).provisioningState === 'Succeeded');
    };
    const lines = async (): Promise<string[]> => (await logsOf('mapped', 'main')).split('\n');
    await put({ color: 'blue & "green"', 'app.name': 'ü' });
    await eventually('the files are read', async () => (await lines()).includes('end'));
    expect((await lines()).slice(0, 3)).toEqual(['app.name=ü', 'color=blue & "green"', 'end']);
    await put({ color: 'red' });
    await eventually('the new file is read', async () => (await lines()).join() === 'color=red,end,');
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
    const closed = new Promise<string>((resolve) => {
      socket.once('close', (code, reason) => resolve(`${code} ${reason}`));
    });
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(password);
    socket.send('echo I am $WHO\n');
    await eventually('it answers', async () => said.includes('I am secret-one'));
    socket.send('exit 3\n');
    expect(await closed).toBe('1000 exit code 3');
  });

  test('an attached client gets the output of a container from then on, and its exit code', async () => {
    const script = 'while [ ! -e /end ]; do echo tick; sleep 0.1; done; echo last words >&2; exit 4';
    await create('heard', { restartPolicy: 'Never', containers: [app('app', script)] });
    const attached = await Promise.all(
      [1, 2].map(async () => {
        const { webSocketUri = '', password = '' } = await client.containers.attach(GROUP, 'heard', 'app');
        return new SocketClient(webSocketUri, { ca: jar.ca, headers: { authorization: password } });
      }),
    );
    for (const each of attached) await each.told('tick\n');
    attached[1]?.socket.terminate();
    const [id] = await containersOf('heard', 'app');
    const exec = { Cmd: ['touch', '/end'] };
    const { Id } = await engine.json<{ Id: string }>('POST', `/containers/${id}/exec`, { body: exec });
    await engine.text('POST', `/exec/${Id}/start`, { body: { Detach: true } });
    await attached[0]?.told(/tick\nlast words\n$/);
    expect(await attached[0]?.end()).toEqual({ code: 1000, reason: 'exit code 4' });
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
    const subnet = `/subscriptions/${SUBSCRIPTION}/resourceGroups/${GROUP}/providers/Microsoft.Network/virtualNetworks/v/subnets/s`;
    const hidden = await create('private', {
      containers: [serve],
      ipAddress: { type: 'Private', ports },
      subnetIds: [{ id: subnet }],
    });
    const [sandbox] = await engine.json<{ Ports: { PublicPort?: number }[] | null }[]>('GET', '/containers/json', {
      query: { filters: filters({ name: [`cloudjar.${await uidOf('private')}$`] }) },
    });
    expect(hidden.ipAddress?.ip).toMatch(/^10\./);
    expect((sandbox?.Ports ?? []).filter(({ PublicPort }) => PublicPort !== undefined)).toEqual([]);
  });

  test('changes to its containers by others show in the group, and are repaired', async () => {
    await create('attacked', { containers: [app('one', 'sleep 1000'), app('two', 'sleep 1000')] });
    const views = async () => (await get('attacked')).containers.map(({ instanceView }) => instanceView);
    const [one] = await containersOf('attacked', 'one');
    await engine.text('POST', `/containers/${one}/kill`, { query: { signal: 'KILL' } });
    await eventually('the one that was killed is back', async () => {
      const [view] = await views();
      return view?.restartCount === 1 && view.currentState?.state === 'Running';
    });
    expect((await views())[0]?.previousState).toMatchObject({ state: 'Terminated', exitCode: 137 });
    const [two] = await containersOf('attacked', 'two');
    const [network] = await containersOf('attacked', undefined);
    await engine.text('POST', `/containers/${network}/kill`, { query: { signal: 'KILL' } });
    await eventually('all are back', async () => {
      const { instanceView, provisioningState, containers } = await get('attacked');
      return (
        provisioningState === 'Succeeded' &&
        instanceView?.events?.some(({ name }) => name === 'SandboxChanged') === true &&
        containers.every(({ instanceView }) => instanceView?.currentState?.state === 'Running')
      );
    });
    expect((await views()).map((view) => view?.restartCount)).toEqual([2, 1]);
    const now = await containersOf('attacked', 'two');
    expect([now.length, now.includes(two ?? '')]).toEqual([1, false]);
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
    await expect(get('life')).rejects.toMatchObject({ code: 'ContainerGroupNotFound' });
  });
});
