import { beforeEach, expect, test } from 'vitest';
import type { Change } from '../../../src/kernel/store/types.ts';
import { readChanges } from '../../support/changes.ts';
import { onBothStores, type Reply, withJar } from '../../support/jars.ts';
import { container, groupBody, groupPath, makeResourceGroup, putGroup } from './small-groups.ts';

interface Named {
  readonly name: string;
  readonly count: number;
}

const ACTIONS = ['/start', '/stop', '/restart'] as const;

onBothStores('from one state of a container group to the next', (bench) => {
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
  const post = (name: string, action: string): Promise<Reply> => bench.call('POST', groupPath(name, action));
  const statusOf = async ({ headers }: Reply) =>
    (await bench.call('GET', headers.get('azure-asyncoperation') ?? '')).body;
  const job = (image: string) => groupBody([container('job', image)], { restartPolicy: 'Never' });

  test('a pull that takes its time is told once', async () => {
    await putGroup(bench, 'slow', groupBody([container('app', 'simulated/slow-pull:30s')]));
    await bench.jar.clock.advance('10s');
    await bench.jar.clock.advance('20s');
    const counts = (await viewOf('slow')).events.map(({ name, count }: Named) => [name, count]);
    expect(counts).toEqual([
      ['Pulling', 1],
      ['Pulled', 1],
      ['Started', 1],
    ]);
  });

  test('an init container that fails for good ends the deployment, and is named as the reason', async () => {
    const initContainers = [
      { name: 'first', properties: { image: 'simulated/exit:0' } },
      { name: 'second', properties: { image: 'simulated/exit:4' } },
      { name: 'third', properties: { image: 'simulated/exit:0' } },
    ];
    const body = groupBody([container('app', 'nginx')], { restartPolicy: 'Never', initContainers });
    const put = await bench.call('PUT', groupPath('init'), { body });
    await bench.jar.settled();
    expect(await statesOf('init')).toEqual(['Failed', 'Failed']);
    expect(await statusOf(put)).toMatchObject({
      status: 'Failed',
      error: {
        code: 'ContainerGroupDeploymentFailed',
        message: "The container group could not be deployed. The init container 'second' ended with exit code 4.",
      },
    });
    expect((await post('init', '/start')).status).toBe(202);
    await bench.jar.settled();
    expect(await statesOf('init')).toEqual(['Failed', 'Failed']);
  });

  test('one that failed because its image came late has succeeded after all', async () => {
    await putGroup(bench, 'late', groupBody([container('app', 'simulated/flaky-pull:12')]));
    await bench.jar.clock.advance('30m');
    expect(await statesOf('late')).toEqual(['Failed', 'Created']);
    await bench.jar.clock.advance('1h');
    expect(await statesOf('late')).toEqual(['Succeeded', 'Running']);
  });

  test('with OnFailure some may have ended while others come back', async () => {
    const containers = [
      container('well', 'simulated/exit:0'),
      container('in-the-end', 'simulated/flaky:2'),
      container('never', 'simulated/exit:3-after-5s'),
    ];
    await putGroup(bench, 'mixed', groupBody(containers, { restartPolicy: 'OnFailure' }));
    await bench.jar.clock.advance('1h');
    expect(await statesOf('mixed')).toEqual(['Succeeded', 'Running']);
    const views = (await get('mixed')).properties.containers.map(
      (it: { properties: { instanceView: unknown } }) => it.properties.instanceView,
    );
    expect(views).toMatchObject([
      { restartCount: 0, currentState: { state: 'Terminated', exitCode: 0 } },
      { restartCount: 2, currentState: { state: 'Running' }, previousState: { state: 'Terminated', exitCode: 1 } },
      { restartCount: expect.any(Number), previousState: { state: 'Terminated', exitCode: 3 } },
    ]);
  });

  test('one that has ended can be started and restarted, and while that is under way it is not down', async () => {
    await putGroup(bench, 'job', job('simulated/exit:0-after-10s'));
    await bench.jar.clock.advance('10s');
    expect(await statesOf('job')).toEqual(['Succeeded', 'Succeeded']);
    expect((await post('job', '/stop')).status).toBe(204);
    for (const [action, status] of [
      ['/start', 202],
      ['/restart', 204],
    ] as const) {
      const [acted, ...others] = await Promise.all([post('job', action), post('job', '/stop'), post('job', '/stop')]);
      expect(acted.status).toBe(status);
      expect(others.map((it) => [204, 409].includes(it.status))).toEqual([true, true]);
      await bench.jar.settled();
      expect(await statesOf('job')).toEqual(['Succeeded', expect.toBeOneOf(['Running', 'Stopped'])]);
      await bench.jar.clock.advance('10s');
      expect((await statesOf('job'))[1]).toBeOneOf(['Succeeded', 'Stopped']);
    }
  });

  test('one whose change waits for its image runs already, and can be stopped', async () => {
    await putGroup(bench, 'web', groupBody([container('web', 'nginx')]));
    const put = await bench.call('PUT', groupPath('web'), { body: groupBody([container('web', 'simulated/missing')]) });
    await bench.jar.settled();
    expect(await statesOf('web')).toEqual(['Updating', 'Running']);
    expect((await post('web', '/start')).status).toBe(204);
    expect((await statusOf(put)).status).toBe('Updating');
    expect((await post('web', '/stop')).status).toBe(204);
    expect(await statesOf('web')).toEqual(['Succeeded', 'Stopped']);
    expect((await statusOf(put)).error.code).toBe('OperationPreempted');
  });

  test('of many actions at once each is done or refused, and told exactly once', async () => {
    await putGroup(bench, 'web', groupBody([container('web', 'nginx')]));
    const begun: string[] = [];
    for (let round = 0; round < 5; round++) {
      const replies = await Promise.all(
        [...ACTIONS, ...ACTIONS].map(async (action) => [action, await post('web', action)] as const),
      );
      for (const [action, { status, headers, body }] of replies) {
        expect(status === 409 ? body.error.code : status).toBeOneOf([202, 204, 'ContainerGroupTransitioning']);
        if (headers.has('location') || headers.has('azure-asyncoperation')) begun.push(action);
      }
      await bench.jar.settled();
      const [provisioningState, state] = await statesOf('web');
      expect([provisioningState, ['Running', 'Stopped'].includes(state)]).toEqual(['Succeeded', true]);
    }
    await bench.call('DELETE', groupPath('web'));
    const about = (changes: readonly Change[]): Change[] =>
      changes.filter(({ subject, source }) => source === 'management' && /containerGroups\/web/.test(subject));
    const changes = about(await readChanges(bench.jar, (all) => about(all).some(({ kind }) => kind === 'delete')));
    const succeeded = changes
      .filter(({ kind, outcome }) => kind === 'action' && outcome === 'Succeeded')
      .map(({ data }) => /\/(\w+)\/action$/.exec((data as { operationName: string }).operationName)?.[1] ?? '')
      .filter((action) => action !== 'stop');
    expect(succeeded.sort()).toEqual(begun.map((action) => action.slice(1)).sort());
  });

  test('a long time of probes passes at once, and what they find is found in time', async () => {
    const readinessProbe = { exec: { command: ['cat', '/etc/hostname'] }, periodSeconds: 1 };
    const livenessProbe = { httpGet: { port: 80 }, periodSeconds: 1, failureThreshold: 1 };
    await putGroup(bench, 'web', groupBody([container('web', 'nginx', { readinessProbe, livenessProbe })]));
    const { fired } = await bench.jar.clock.advance('300d');
    expect(fired).toBeLessThan(2000);
    expect(await viewOf('web')).toMatchObject({ restartCount: 0, currentState: { state: 'Running' } });
    await putGroup(bench, 'ill', groupBody([container('web', 'simulated/unhealthy:36h', { livenessProbe })]));
    await bench.jar.clock.advance(36 * 3_600_000 - 1);
    expect(await viewOf('ill')).toMatchObject({ restartCount: 0 });
    await bench.jar.clock.advance('1s');
    expect(await viewOf('ill')).toMatchObject({ restartCount: 1, previousState: { state: 'Terminated' } });
  });

  test('a probe by a command sees what the process makes of its files', async () => {
    const command = ['sh', '-c', 'touch /tmp/healthy; sleep 3600; rm /tmp/healthy; sleep 3600'];
    const livenessProbe = { exec: { command: ['cat', '/tmp/healthy'] }, initialDelaySeconds: 5, periodSeconds: 5 };
    await putGroup(bench, 'ill', groupBody([container('app', 'busybox', { command, livenessProbe })]));
    await bench.jar.clock.advance('3609s');
    expect(await viewOf('ill')).toMatchObject({ restartCount: 0 });
    await bench.jar.clock.advance('1s');
    const { restartCount, events } = await viewOf('ill');
    const failed = events.find(({ name }: Named) => name === 'Unhealthy');
    expect([restartCount, failed.count]).toEqual([1, 3]);
  });
});

/** A thousand probes run before any is skipped, on either store. */
withJar((bench) => {
  test('a probe that fails for long is counted, though not made every time', async () => {
    const readinessProbe = { httpGet: { port: 81 }, periodSeconds: 1 };
    const body = groupBody([container('web', 'nginx', { ports: [{ port: 80 }], readinessProbe })]);
    await makeResourceGroup(bench);
    await putGroup(bench, 'never', body);
    const get = async () => (await bench.call('GET', groupPath('never'))).body.properties;
    const failed = async (): Promise<number> => {
      const { events } = (await get()).containers[0].properties.instanceView;
      return events.find(({ name }: Named) => name === 'Unhealthy').count;
    };
    await bench.jar.clock.advance('59s');
    const { provisioningState, instanceView } = await get();
    expect([await failed(), provisioningState, instanceView.state]).toEqual([60, 'Unhealthy', 'Running']);
    const { fired } = await bench.jar.clock.advance('30d');
    expect(fired).toBeLessThan(1200);
    const expected = 30 * 24 * 3600 + 60;
    expect(await failed()).toBeLessThanOrEqual(expected);
    expect(await failed()).toBeGreaterThan(expected * 0.9);
  });
});
