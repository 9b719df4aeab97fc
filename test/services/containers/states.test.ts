import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Change } from '../../../src/kernel/store/types.ts';
import { GROUP_STATES, PROVISIONING_STATES } from '../../../src/services/containers/runtime/states.ts';
import { readChanges } from '../../support/changes.ts';
import { onBothStores } from '../../support/jars.ts';
import { container, groupBody, groupPath, makeResourceGroup, putGroup } from './small-groups.ts';

interface Named {
  readonly name: string;
  readonly count: number;
}

onBothStores('the life of a container group', (bench) => {
  beforeEach(async () => {
    await bench.jar.reset();
    await makeResourceGroup(bench);
  });

  const get = async (name: string) => (await bench.call('GET', groupPath(name))).body;
  const statesOf = async (name: string): Promise<[string, string]> => {
    const { properties } = await get(name);
    return [properties.provisioningState, properties.instanceView.state];
  };
  const viewOf = async (name: string) => (await get(name)).properties.containers[0].properties.instanceView;
  const namesOf = (events: Named[]): string[] => events.map(({ name }) => name);

  test('it is accepted as pending, and runs as soon as its work is done', async () => {
    const put = await bench.call('PUT', groupPath('web'), { body: groupBody([container('web', 'nginx')]) });
    expect(put.status).toBe(201);
    expect(put.body.properties).toMatchObject({
      provisioningState: 'Pending',
      instanceView: { events: [], state: 'Pending' },
    });
    const polled = put.headers.get('azure-asyncoperation') ?? '';
    await bench.jar.settled();
    expect(await statesOf('web')).toEqual(['Succeeded', 'Running']);
    expect((await bench.call('GET', polled)).body).toMatchObject({ status: 'Succeeded', id: put.body.id });
    const view = await viewOf('web');
    expect(view).toMatchObject({ restartCount: 0, currentState: { state: 'Running', detailStatus: '' } });
    expect(namesOf(view.events)).toEqual(['Pulling', 'Pulled', 'Started']);
  });

  test('it ends well or badly by its restart policy', async () => {
    const job = (code: number) => [container('job', `simulated/exit:${code}`), container('also', 'simulated/exit:0')];
    await putGroup(bench, 'good', groupBody(job(0), { restartPolicy: 'Never' }));
    await putGroup(bench, 'bad', groupBody(job(3), { restartPolicy: 'Never' }));
    await putGroup(bench, 'again', groupBody(job(0), { restartPolicy: 'OnFailure' }));
    expect(await statesOf('good')).toEqual(['Succeeded', 'Succeeded']);
    expect(await statesOf('bad')).toEqual(['Succeeded', 'Failed']);
    expect(await statesOf('again')).toEqual(['Succeeded', 'Succeeded']);
    expect((await viewOf('bad')).currentState).toMatchObject({
      state: 'Terminated',
      exitCode: 3,
      detailStatus: 'Error',
      startTime: expect.any(String),
      finishTime: expect.any(String),
    });
    expect((await viewOf('good')).currentState).toMatchObject({ exitCode: 0, detailStatus: 'Completed' });
  });

  test('it comes back after a crash, with growing pauses by the clock', async () => {
    await putGroup(bench, 'crash', groupBody([container('app', 'simulated/crash')]));
    await bench.jar.clock.advance('1s');
    expect(await viewOf('crash')).toMatchObject({ restartCount: 1, previousState: { exitCode: 1 } });
    await bench.jar.clock.advance('1s');
    expect(await viewOf('crash')).toMatchObject({
      currentState: { state: 'Waiting', detailStatus: expect.stringContaining('CrashLoopBackOff') },
    });
    expect(await statesOf('crash')).toEqual(['Succeeded', 'Running']);
    await bench.jar.clock.advance('1h');
    const { restartCount, events } = await viewOf('crash');
    expect(restartCount).toBeGreaterThan(10);
    expect(events.find(({ name }: Named) => name === 'BackOff').count).toBeGreaterThan(8);
  });

  test('it runs init containers in order, and is created until they are done', async () => {
    const init = (name: string) => ({ name, properties: { image: 'busybox', command: ['sleep', '10'] } });
    const body = groupBody([container('app', 'nginx')], { initContainers: [init('first'), init('second')] });
    await putGroup(bench, 'init', body);
    expect(await statesOf('init')).toEqual(['Creating', 'Created']);
    await bench.jar.clock.advance('10s');
    const { initContainers } = (await get('init')).properties;
    type Init = { properties: { instanceView: { currentState: { state: string } } } };
    const states = initContainers.map((it: Init) => it.properties.instanceView.currentState.state);
    expect(states).toEqual(['Terminated', 'Running']);
    await bench.jar.clock.advance('10s');
    expect(await statesOf('init')).toEqual(['Succeeded', 'Running']);
  });

  test('it fails after half an hour without its image, goes on trying, and can be deleted meanwhile', async () => {
    const body = groupBody([container('app', 'simulated/missing')]);
    const put = await bench.call('PUT', groupPath('none'), { body });
    const polled = put.headers.get('azure-asyncoperation') ?? '';
    await bench.jar.settled();
    expect(await statesOf('none')).toEqual(['Creating', 'Created']);
    expect(namesOf((await viewOf('none')).events)).toContain('Failed');
    await bench.jar.clock.advance('30m');
    expect(await statesOf('none')).toEqual(['Failed', 'Created']);
    const { status, error } = (await bench.call('GET', polled)).body;
    expect([status, error.code, error.message]).toEqual([
      'Failed',
      'ContainerGroupDeploymentFailed',
      expect.stringContaining('simulated/missing'),
    ]);
    const before = (await viewOf('none')).events[0].count;
    await bench.jar.clock.advance('10m');
    expect((await viewOf('none')).events[0].count).toBeGreaterThan(before);
    expect((await bench.call('DELETE', groupPath('none'))).status).toBe(200);
  });

  test('it stops at once and starts as new', async () => {
    await putGroup(bench, 'web', groupBody([container('web', 'nginx')]));
    expect((await bench.call('POST', groupPath('web', '/start'))).status).toBe(204);
    expect((await bench.call('POST', groupPath('web', '/stop'))).status).toBe(204);
    expect(await statesOf('web')).toEqual(['Succeeded', 'Stopped']);
    expect(await viewOf('web')).toMatchObject({
      currentState: {
        state: 'Terminated',
        detailStatus: expect.stringMatching(/client/),
        finishTime: expect.any(String),
      },
      previousState: { state: 'Running' },
    });
    expect((await bench.call('POST', groupPath('web', '/stop'))).status).toBe(204);
    const start = await bench.call('POST', groupPath('web', '/start'));
    expect(start.status).toBe(202);
    await bench.jar.settled();
    expect((await bench.call('GET', start.headers.get('location') ?? '')).status).toBe(200);
    expect(await statesOf('web')).toEqual(['Succeeded', 'Running']);
  });

  test('it restarts in place, which is not counted', async () => {
    await putGroup(bench, 'web', groupBody([container('web', 'nginx')]));
    const restart = await bench.call('POST', groupPath('web', '/restart'));
    expect(restart.status).toBe(204);
    await bench.jar.settled();
    const polled = await bench.call('GET', restart.headers.get('azure-asyncoperation') ?? '');
    expect(polled.body.status).toBe('Succeeded');
    const { restartCount, events } = await viewOf('web');
    expect(restartCount).toBe(0);
    const counts = Object.fromEntries(events.map(({ name, count }: Named) => [name, count]));
    expect(counts).toMatchObject({ Killing: 1, Started: 2 });
  });

  test('it is unhealthy while a container is not ready', async () => {
    const readinessProbe = { exec: { command: ['true'] }, periodSeconds: 5, failureThreshold: 2 };
    await putGroup(bench, 'slow', groupBody([container('app', 'simulated/not-ready:30s', { readinessProbe })]));
    await bench.jar.clock.advance('10s');
    expect(await statesOf('slow')).toEqual(['Unhealthy', 'Running']);
    expect(namesOf((await viewOf('slow')).events)).toContain('Unhealthy');
    await bench.jar.clock.advance('30s');
    expect(await statesOf('slow')).toEqual(['Succeeded', 'Running']);
  });

  test('its writes, actions, states and deletion are told, each at its end', async () => {
    await putGroup(bench, 'web', groupBody([container('web', 'nginx')]));
    await bench.call('POST', groupPath('web', '/restart'));
    await bench.jar.settled();
    await bench.call('DELETE', groupPath('web'));
    await bench.jar.settled();
    const about = (changes: readonly Change[]): Change[] =>
      changes.filter(({ subject }) => /containerGroups\/web/.test(subject));
    const changes = about(await readChanges(bench.jar, (all) => about(all).some(({ kind }) => kind === 'delete')));
    type Data = { operationName?: string; to?: { provisioningState: string; state: string } };
    const told = changes.map(({ kind, data }) => {
      const { operationName, to } = data as Data;
      return operationName ?? `${kind} ${to?.provisioningState} ${to?.state}`;
    });
    expect(told).toEqual([
      'state Creating Pending',
      'Vendor.ContainerInstance/containerGroups/write',
      'state Succeeded Running',
      'Vendor.ContainerInstance/containerGroups/restart/action',
      'state Succeeded Running',
      'Vendor.ContainerInstance/containerGroups/delete',
    ]);
  });

  test('other changes are refused while a change is in progress', async () => {
    await putGroup(bench, 'slow', groupBody([container('app', 'simulated/slow-pull:30s')]));
    expect(await statesOf('slow')).toEqual(['Creating', 'Created']);
    for (const [method, action] of [
      ['POST', '/restart'],
      ['POST', '/stop'],
      ['DELETE', ''],
    ] as const) {
      const reply = await bench.call(method, groupPath('slow', action));
      expect([reply.status, reply.body.error.code]).toEqual([409, 'ContainerGroupTransitioning']);
    }
    expect((await bench.call('POST', groupPath('slow', '/start'))).status).toBe(204);
    await bench.jar.clock.advance('30s');
    expect(await statesOf('slow')).toEqual(['Succeeded', 'Running']);
  });
});

describe('the documentation', () => {
  test('describes every state as in the code', () => {
    const page = readFileSync(new URL('../../../docs/services/containers.md', import.meta.url), 'utf8');
    for (const [state, meaning] of [PROVISIONING_STATES, GROUP_STATES].flatMap((table) => Object.entries(table))) {
      expect(page).toContain(`| \`${state}\` | ${meaning} |`);
    }
  });
});
