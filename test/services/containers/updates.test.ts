import { expect, it } from 'vitest';
import { readChanges } from '../../support/changes.ts';
import { OTHER_SUBSCRIPTION, onBothStores, type Reply, SUBSCRIPTION } from '../../support/jars.ts';
import { put } from './full-group.ts';
import { aContainer, aGroup, type Body, Groups, groupRoot, VERSION } from './groups.ts';

const public80 = (): Body =>
  aGroup(
    {
      containers: [aContainer('web', { ports: [{ port: 80 }] })],
      ipAddress: { type: 'Public', ports: [{ port: 80 }] },
    },
    { location: 'westus2' },
  );

/** Properties that a running group keeps, and the target of the error. */
const FIXED: readonly [path: string, value: unknown, target?: string][] = [
  ['properties.osType', 'Windows'],
  ['properties.restartPolicy', 'Never'],
  ['properties.sku', 'Dedicated'],
  ['properties.ipAddress', undefined],
  ['properties.ipAddress.type', 'Private', 'properties.ipAddress'],
  ['properties.ipAddress.dnsNameLabel', 'label-1', 'properties.ipAddress'],
  ['properties.dnsConfig', { nameServers: ['1.1.1.1'] }],
  ['properties.subnetIds', [{ id: subnet('a') }]],
  ['zones', ['2']],
  ['properties.containers[0].properties.resources.requests.cpu', 2],
  ['properties.containers[0].properties.resources.requests.memoryInGB', 2],
  [
    'properties.containers[0].properties.resources.requests.gpu',
    { count: 1, sku: 'V100' },
    'properties.containers[0].properties.resources.requests.gpu',
  ],
  ['properties.containers[1]', aContainer('second'), 'properties.containers'],
];

function subnet(name: string): string {
  return `/subscriptions/${SUBSCRIPTION}/resourceGroups/n/providers/Vendor.Network/virtualNetworks/v/subnets/${name}`;
}

onBothStores('a group that is there already', (bench) => {
  const groups = new Groups(bench, 'updates');
  const action = (name: string, what: string) =>
    bench.call('POST', `${groupRoot('updates')}/${name}/${what}?${VERSION}`);

  it('is changed by another PUT, in place', async () => {
    const before = await groups.create('app', public80());
    expect(before.properties.ipAddress.ip).toEqual(expect.any(String));
    const changed = put(public80(), 'properties.containers[0].properties.image', 'nginx:2');
    const answer = await groups.put('app', changed);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('azure-asyncoperation')).toContain('api-version=2018-06-01');
    expect(answer.body.properties.provisioningState).toBe('Updating');
    expect(answer.body.properties.ipAddress.ip).toBe(before.properties.ipAddress.ip);
    const after = await groups.settled('app');
    expect(after.properties).toMatchObject({
      provisioningState: 'Succeeded',
      instanceView: { state: 'Running' },
      ipAddress: { ip: before.properties.ipAddress.ip },
      containers: [{ properties: { image: 'nginx:2' } }],
    });
    const status = await bench.call('GET', answer.headers.get('azure-asyncoperation') ?? '');
    expect(status.body.status).toBe('Succeeded');
  });

  it.each(FIXED)('keeps its %s for as long as it runs', async (path, value, target = path) => {
    if ((await groups.get('fixed')).status === 404) await groups.create('fixed', public80());
    const refused = await groups.put('fixed', put(public80(), path, value));
    expect(refused.body.error).toMatchObject({ code: 'InvalidContainerGroupUpdate', target });
    expect(refused.status).toBe(400);
  });

  it('stays in its region', async () => {
    const refused = await groups.put('fixed', { ...public80(), location: 'eastus' });
    expect(refused.status).toBe(409);
    expect(refused.body.error.code).toBe('InvalidResourceLocation');
    const { location: _left, ...without } = public80();
    expect((await groups.put('fixed', without)).status).toBe(200);
    await bench.jar.settled();
  });

  it('is refused while it is being changed', async () => {
    await groups.put('busy', aGroup({ containers: [aContainer('web', { image: 'simulated/slow-pull:10m' })] }));
    await bench.jar.settled();
    for (const refused of [await groups.put('busy', aGroup()), await groups.delete('busy')]) {
      expect(refused.status).toBe(409);
      expect(refused.body.error.code).toBe('ContainerGroupTransitioning');
    }
    expect((await groups.call('PATCH', 'busy', { body: { tags: { x: 'y' } } })).status).toBe(200);
    await bench.jar.clock.advance('11m');
    expect((await groups.delete('busy')).status).toBe(200);
  });

  it('can be deployed anew with anything once it was stopped', async () => {
    await groups.create('stopped', public80());
    expect((await action('stopped', 'stop')).status).toBe(204);
    expect((await groups.get('stopped')).body.properties.instanceView.state).toBe('Stopped');
    const containers = [aContainer('other', { resources: { requests: { cpu: 2, memoryInGB: 4 } } })];
    const answer = await groups.put('stopped', {
      ...public80(),
      properties: { osType: 'Windows', restartPolicy: 'Never', containers },
    });
    expect(answer.status).toBe(200);
    expect(answer.body.properties.provisioningState).toBe('Pending');
    const after = await groups.settled('stopped');
    expect(after.properties).toMatchObject({ osType: 'Windows', restartPolicy: 'Never' });
    expect(after.properties).not.toHaveProperty('ipAddress');
  });

  it('can be deployed anew with anything once it has ended', async () => {
    const containers = [aContainer('job', { image: 'simulated/exit:0' })];
    const ended = await groups.create('ended', aGroup({ restartPolicy: 'Never', containers }));
    expect(ended.properties.instanceView.state).toBe('Succeeded');
    expect(ended.properties.containers[0].properties.instanceView.currentState).toMatchObject({
      state: 'Terminated',
      exitCode: 0,
      detailStatus: 'Completed',
      startTime: expect.stringMatching(/Z$/),
      finishTime: expect.stringMatching(/Z$/),
    });
    expect((await groups.put('ended', aGroup({ restartPolicy: 'Always' }))).status).toBe(200);
    expect((await groups.settled('ended')).properties.instanceView.state).toBe('Running');
  });

  it('has its tags replaced by PATCH, and nothing else', async () => {
    await groups.create('tagged', aGroup({}, { tags: { a: '1', b: '2' } }));
    const patch = { tags: { c: '3' }, location: 'eastus', properties: { osType: 'Windows' } };
    const patched = await groups.call('PATCH', 'tagged', { body: patch });
    expect(patched.status).toBe(200);
    expect(patched.body).toMatchObject({ location: 'westus', properties: { osType: 'Linux' } });
    expect(patched.body.tags).toEqual({ c: '3' });
    expect(patched.body.properties.instanceView.state).toBe('Running');
    expect((await groups.call('PATCH', 'absent', { body: patch })).status).toBe(404);
  });

  it('is deleted with its last state as the answer, once', async () => {
    await groups.create('gone', aGroup());
    const deleted = await groups.delete('gone');
    expect(deleted.status).toBe(200);
    expect(deleted.body).toMatchObject({
      name: 'gone',
      properties: {
        provisioningState: 'Succeeded',
        instanceView: { state: 'Running' },
        containers: [{ properties: { instanceView: { currentState: { state: 'Running' } } } }],
      },
    });
    expect(deleted.headers.get('x-ms-ratelimit-remaining-subscription-resource-requests-pt5m')).toMatch(/^\d+$/);
    const again = await groups.delete('gone');
    expect({ status: again.status, text: again.text }).toEqual({ status: 204, text: '' });
    expect((await groups.get('gone')).body.error.code).toBe('ContainerGroupNotFound');
    // A new group of that name has nothing of the old one.
    expect((await groups.put('gone', aGroup())).status).toBe(201);
  });

  it('is created by one of many who ask at once', async () => {
    const slow = { containers: [aContainer('web', { image: 'simulated/slow-pull:20m' })] };
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, i) => groups.put('raced', aGroup(slow, { tags: { by: `${i}` } }))),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    const winner = replies.find(({ status }) => status === 201);
    expect((await groups.settled('raced')).tags).toEqual(winner?.body.tags);
  });

  it('gives up a deployment that waits for its next try when something else is asked for', async () => {
    const broken = aGroup({ containers: [aContainer('web', { image: 'simulated/missing' })] });
    const status = async (answer: Reply): Promise<Body> =>
      (await bench.call('GET', answer.headers.get('azure-asyncoperation') ?? '')).body;
    const first = await groups.put('mistyped', broken);
    await bench.jar.settled();
    expect(await status(first)).toMatchObject({ status: 'Creating', properties: { events: expect.any(Array) } });
    expect((await groups.get('mistyped')).body.properties).toMatchObject({
      provisioningState: 'Creating',
      containers: [{ properties: { instanceView: { currentState: { state: 'Waiting' } } } }],
    });
    const second = await groups.put('mistyped', aGroup());
    expect(second.status).toBe(200);
    await bench.jar.settled();
    expect(await status(first)).toMatchObject({ status: 'Canceled', error: { code: 'OperationPreempted' } });
    expect((await status(second)).status).toBe('Succeeded');

    const third = await groups.put('doomed', broken);
    await bench.jar.settled();
    expect((await groups.delete('doomed')).status).toBe(200);
    expect((await status(third)).status).toBe('Canceled');
  });

  it('goes with its resource group, whatever is under way', async () => {
    const going = new Groups(bench, 'going');
    const slow = { containers: [aContainer('web', { image: 'simulated/slow-pull:30m' })] };
    const made = await going.put('slow', aGroup(slow));
    await going.put('quick', aGroup());
    await bench.call('DELETE', `/subscriptions/${SUBSCRIPTION}/resourceGroups/going?api-version=2021-04-01`);
    await bench.jar.settled();
    expect((await going.get('slow')).body.error.code).toBe('ResourceGroupNotFound');
    const status = await bench.call('GET', made.headers.get('azure-asyncoperation') ?? '');
    expect(status.body.status).toBe('Canceled');
    const again = new Groups(bench, 'going');
    expect((await again.call('GET', '')).body.value).toEqual([]);
  });

  it('is not there for the tenant of somebody else', async () => {
    const token = await bench.jar.token({ user: 'other' });
    const paths = [`${groupRoot('updates')}/app?${VERSION}`, `${groupRoot('updates')}?${VERSION}`];
    for (const path of paths) {
      const refused = await bench.call('GET', path, { token });
      expect({ status: refused.status, code: refused.body.error.code }).toEqual({
        status: 401,
        code: 'InvalidAuthenticationTokenTenant',
      });
    }
    const refused = await bench.call('PUT', paths[0] as string, { token, body: aGroup() });
    expect(refused.status).toBe(401);
    const own = `/subscriptions/${OTHER_SUBSCRIPTION}/providers/Vendor.ContainerInstance/containerGroups?${VERSION}`;
    expect((await bench.call('GET', own, { token })).body.value).toEqual([]);
  });

  it('has its writes on record when they are done, by whom they were asked for', async () => {
    await bench.jar.reset();
    const fresh = new Groups(bench, 'records');
    await fresh.create('seen', aGroup());
    await fresh.delete('seen');
    const subject = `${groupRoot('records')}/seen`;
    const isEnd = (all: readonly { kind: string; subject: string }[]): boolean =>
      all.some((it) => it.kind === 'delete' && it.subject === subject);
    const records = (await readChanges(bench.jar, isEnd)).filter(
      (it) => it.source === 'management' && it.subject === subject,
    );
    expect(records.map(({ kind, outcome }) => `${kind} ${outcome}`)).toEqual(['write Succeeded', 'delete Succeeded']);
    expect(records[0]?.data).toMatchObject({
      operationName: 'Vendor.ContainerInstance/containerGroups/write',
      caller: { name: 'admin@vendor.example' },
      httpRequest: { method: 'PUT' },
    });
  });
});
