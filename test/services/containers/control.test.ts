import { expect, it } from 'vitest';
import { type Bench, onBothStores, SUBSCRIPTION } from '../../support/jars.ts';
import { container, groupBody, groupPath, makeResourceGroup, putGroup } from './small-groups.ts';

const PATH = '/_jar/containers/groups';

onBothStores('container groups in the control API', (bench: Bench) => {
  const control = (path: string) => bench.call('GET', PATH + path, { token: bench.jar.adminKey });
  const names = async (query: string): Promise<string[]> => {
    const { status, body } = await control(`?${query}`);
    expect([status, body.error]).toEqual([200, undefined]);
    return body.value.map(({ name }: { name: string }) => name);
  };

  it('lists the groups of the jar by their states and restarts', async () => {
    await makeResourceGroup(bench);
    await putGroup(bench, 'calm', groupBody([container('main', 'busybox')]));
    await putGroup(
      bench,
      'crashes',
      groupBody([container('main', 'simulated/crash'), container('other', 'busybox', { ports: [{ port: 80 }] })], {
        ipAddress: { type: 'Public', ports: [{ port: 80 }], dnsNameLabel: 'crashing' },
      }),
    );
    await bench.jar.clock.advance('2m');
    expect(await names('')).toEqual(['calm', 'crashes']);
    expect(await names('$filter=restarts gt 2')).toEqual(['crashes']);
    expect(await names("$filter=images/any(i: i eq 'busybox') and state eq 'Running'&$orderby=name desc")).toEqual([
      'crashes',
      'calm',
    ]);
    expect(await names("$filter=contains(name,'alm')")).toEqual(['calm']);
    expect(await names('$filter=trouble ne null')).toEqual(['crashes']);
    const { body } = await control("?$filter=name eq 'crashes'");
    expect(body.value).toEqual([
      expect.objectContaining({
        subscriptionId: SUBSCRIPTION,
        resourceGroup: 'shop',
        location: 'eastus',
        state: 'Running',
        provisioningState: 'Succeeded',
        trouble: 'CrashLoopBackOff',
        ip: expect.stringMatching(/^198\.1[89]\./),
        fqdn: expect.stringContaining('crashing'),
        images: ['simulated/crash', 'busybox'],
        containers: 2,
      }),
    ]);
    expect((await control('?$filter=colour eq 1')).body.error.code).toBe('InvalidQuery');
    expect((await bench.call('GET', PATH)).status).toBe(403);
  });

  it('shows probes, events and the states before of one group', async () => {
    const probe = { exec: { command: ['cat', '/ready'] }, periodSeconds: 5 };
    const initContainers = [{ name: 'first', properties: { image: 'busybox', command: ['true'] } }];
    await putGroup(
      bench,
      'probed',
      groupBody([container('main', 'simulated/exit:3-after-20s', { readinessProbe: probe })], { initContainers }),
    );
    await bench.jar.clock.advance('30s');
    const { body } = await control(`/${SUBSCRIPTION}/SHOP/Probed`);
    expect(body).toMatchObject({ name: 'probed', wanted: 'Running', restarts: 1 });
    const [first, main] = body.containerStates;
    expect(first).toMatchObject({ name: 'first', isInit: true, current: { state: 'Terminated', exitCode: 0 } });
    expect(main).toMatchObject({
      run: 2,
      restarts: 1,
      current: { state: 'Running' },
      previous: { state: 'Terminated', exitCode: 3 },
      readiness: { passing: false },
    });
    expect(main.events.map(({ name }: { name: string }) => name)).toContain('Started');
    const states = body.history.filter((each: { container: string }) => each.container === 'main');
    expect(states.map(({ run, state, exitCode }: Record<string, unknown>) => [run, state, exitCode])).toEqual(
      expect.arrayContaining([
        [1, 'Running', undefined],
        [1, 'Terminated', 3],
        [2, 'Running', undefined],
      ]),
    );
    const times = body.history.map(({ at }: { at: string }) => at);
    expect(times).toEqual(times.toSorted());
  });

  it('keeps the newest 200 states, and none of a deleted group', async () => {
    const names = ['one', 'two', 'three', 'four', 'five'];
    await putGroup(bench, 'loops', groupBody(names.map((name) => container(name, 'simulated/crash'))));
    await bench.jar.clock.advance('1h');
    const { body } = await control(`/${SUBSCRIPTION}/shop/loops`);
    expect(body.history).toHaveLength(200);
    expect(body.history.at(-1).run).toBe(body.containerStates.at(-1).run);
    await bench.call('DELETE', groupPath('loops'));
    await bench.jar.settled();
    const gone = await control(`/${SUBSCRIPTION}/shop/loops`);
    expect([gone.status, gone.body.error.code]).toEqual([404, 'NoSuchContainerGroup']);
    await putGroup(bench, 'loops', groupBody([container('main', 'busybox')]));
    const again = (await control(`/${SUBSCRIPTION}/shop/loops`)).body.history;
    expect(again.length).toBeLessThan(5);
  });
});
