import { expect, it } from 'vitest';
import { evidenceOf } from '../../../src/services/events/management-events.ts';
import { scopesOf } from '../../../src/services/events/management-scopes.ts';
import { OTHER_SUBSCRIPTION, onBothStores, SUBSCRIPTION } from '../../support/jars.ts';
import { container, groupBody } from '../containers/small-groups.ts';
import { GROUP, makeTopic, subscribe, VERSION, webHook } from './delivering/grid.ts';

const CONTAINERS = `${GROUP}/providers/Vendor.ContainerInstance/containerGroups`;
const CONTAINER_VERSION = 'api-version=2023-05-01';

interface GridEvent {
  readonly id: string;
  readonly eventType: string;
  readonly subject: string;
  readonly topic: string;
  readonly data: { readonly operationName: string; readonly status: string };
}

onBothStores('subscriptions to what happens in the jar', (bench) => {
  const eventsAt = async (inbox: string): Promise<GridEvent[]> => {
    await bench.jar.settled();
    const requests = await bench.jar.inbox(inbox).requests();
    return requests.filter(({ handshake }) => !handshake).flatMap((request) => request.json());
  };
  const kinds = (events: readonly GridEvent[]) =>
    events.map(
      ({ eventType, subject }) => `${eventType.replace('Vendor.Resources.Resource', '')} ${subject.split('/').at(-1)}`,
    );
  const web = `${CONTAINERS}/web`;

  it('get successes, at the subscription, the group and the resource itself', async () => {
    await bench.call('PUT', `${GROUP}?api-version=2021-04-01`, { body: { location: 'westus' } });
    await bench.call('PUT', `${web}?${CONTAINER_VERSION}`, {
      body: groupBody([container('one', 'busybox', { command: ['sleep', '9999'] })]),
    });
    await bench.jar.settled();
    for (const [name, scope] of [
      ['whole', `/subscriptions/${SUBSCRIPTION}`],
      ['group', GROUP],
      ['resource', web],
    ] as const) {
      await subscribe(bench, scope, name, {
        destination: webHook(bench.jar.inbox(name).httpsUrl),
        filter: { subjectEndsWith: '/web' },
      });
    }
    await bench.call('POST', `${web}/restart?${CONTAINER_VERSION}`);
    for (const name of ['whole', 'group', 'resource']) {
      expect(kinds(await eventsAt(name)), name).toEqual(['ActionSuccess web']);
    }
    const [first] = await eventsAt('whole');
    expect(first).toMatchObject({ topic: `/subscriptions/${SUBSCRIPTION}`, subject: web });
    expect(first?.data).toMatchObject({
      operationName: 'Vendor.ContainerInstance/containerGroups/restart/action',
      resourceProvider: 'Vendor.ContainerInstance',
      resourceUri: web,
      status: 'Succeeded',
      subscriptionId: SUBSCRIPTION,
      authorization: {
        scope: web,
        action: 'Vendor.ContainerInstance/containerGroups/restart/action',
        evidence: { role: 'Owner', principalType: 'User' },
      },
      httpRequest: { method: 'POST', url: expect.stringContaining('/restart'), clientIpAddress: expect.any(String) },
      claims: { tid: expect.any(String) },
    });
    expect((await eventsAt('resource'))[0]?.topic).toBe(web);
  });

  it('get failures, deletions, and cancelled operations', async () => {
    for (const name of ['whole', 'group', 'resource']) await bench.jar.inbox(name).clear();
    await bench.call('PUT', `${web}?${CONTAINER_VERSION}`, { body: { location: 'westus', properties: {} } });
    expect(kinds(await eventsAt('group'))).toEqual(['WriteFailure web']);

    // A deployment that never completes, deleted meanwhile.
    await bench.call('DELETE', `${web}?${CONTAINER_VERSION}`);
    expect(kinds(await eventsAt('group'))).toEqual(['WriteFailure web', 'DeleteSuccess web']);
    await bench.call('PUT', `${web}?${CONTAINER_VERSION}`, {
      body: groupBody([container('one', 'simulated/missing')]),
    });
    await bench.jar.settled();
    await bench.call('DELETE', `${web}?${CONTAINER_VERSION}`);
    expect(kinds(await eventsAt('group'))).toContain('WriteCancel web');
    const gone = await bench.call('GET', `${web}/providers/Vendor.EventGrid/eventSubscriptions/resource?${VERSION}`);
    expect(gone.status).toBe(404);
  });

  it('get none at topics and domains, which deliver only published events', async () => {
    const domain = `${GROUP}/providers/Vendor.EventGrid/domains/tenants`;
    const { id: topic } = await makeTopic(bench);
    await bench.call('PUT', `${domain}?${VERSION}`, { body: { location: 'westus' } });
    await bench.call('PUT', `${domain}/topics/one?${VERSION}`);
    await subscribe(bench, GROUP, 'keys', {
      destination: webHook(bench.jar.inbox('keys').httpsUrl),
      filter: { includedEventTypes: ['Vendor.Resources.ResourceActionSuccess'] },
    });
    for (const scope of [topic, domain, `${domain}/topics/one`]) {
      await subscribe(bench, scope, 'published', { destination: webHook(bench.jar.inbox('published').httpsUrl) });
    }
    for (const scope of [topic, domain]) await bench.call('POST', `${scope}/listKeys?${VERSION}`);
    // Each is a message of its own; concurrent messages can arrive in either order.
    expect(kinds(await eventsAt('keys')).sort()).toEqual(['ActionSuccess orders', 'ActionSuccess tenants']);
    expect(await eventsAt('published')).toEqual([]);
  });

  it('get each event once, and nothing of other tenants or of reads', async () => {
    const token = await bench.jar.token({ user: 'other' });
    const other = `/subscriptions/${OTHER_SUBSCRIPTION}/resourceGroups/theirs`;
    await bench.jar.inbox('all').clear();
    await subscribe(bench, `/subscriptions/${SUBSCRIPTION}`, 'all', {
      destination: webHook(bench.jar.inbox('all').httpsUrl),
      filter: {
        includedEventTypes: ['Vendor.Resources.ResourceWriteSuccess'],
        subjectBeginsWith: '/subscriptions',
        subjectEndsWith: '-many',
      },
    });
    await bench.call('PUT', `${other}-many?api-version=2021-04-01`, { body: { location: 'westus' }, token });
    const names = Array.from({ length: 30 }, (_, i) => `${GROUP}${i}-many`);
    const put = (name: string) => bench.call('PUT', `${name}?api-version=2021-04-01`, { body: { location: 'westus' } });
    const statuses = (await Promise.all(names.map(put))).map(({ status }) => status);
    expect(statuses).toEqual(names.map(() => 201));
    await bench.call('GET', `${names[0]}?api-version=2021-04-01`);
    const events = await eventsAt('all');
    expect(events.map(({ subject }) => subject).sort()).toEqual([...names].sort());
    expect(new Set(events.map(({ id }) => id)).size).toBe(names.length);
  });
});

onBothStores('a subscription that never came into force', (bench) => {
  it('goes with its group all the same', async () => {
    await bench.call('PUT', `${GROUP}?api-version=2021-04-01`, { body: { location: 'westus' } });
    const path = `${GROUP}/providers/Vendor.EventGrid/eventSubscriptions/failed?${VERSION}`;
    // No server listens there.
    await bench.call('PUT', path, { body: { properties: { destination: webHook('https://127.0.0.1:1/hook') } } });
    await bench.jar.clock.advance('1m');
    expect((await bench.call('GET', path)).body.properties.provisioningState).toBe('Failed');
    await bench.call('DELETE', `${GROUP}?api-version=2021-04-01`);
    await bench.jar.settled();
    await bench.call('PUT', `${GROUP}?api-version=2021-04-01`, { body: { location: 'westus' } });
    expect((await bench.call('GET', path)).status).toBe(404);
  });
});

it.each([
  [{ scope: '/', role: 'Owner' as const }, 'Owner', '/'],
  [{ scope: '/subscriptions/s/resourceGroups/DEMO', role: 'Contributor' as const }, 'Contributor', undefined],
  // A group whose name only begins with the same letters does not cover this one.
  [{ scope: '/subscriptions/s/resourceGroups/de', role: 'Owner' as const }, 'Reader', '/subscriptions/s'],
])('whoever is a reader of the subscription and has %j acts by the role %s', (assignment, role, scope) => {
  const assignments = [{ scope: '/subscriptions/s', role: 'Reader' as const }, assignment];
  const caller = { objectId: 'a-b', kind: 'user' } as never;
  const evidence = evidenceOf({ caller }, '/subscriptions/s/resourceGroups/demo', { assignments } as never, []);
  expect(evidence).toMatchObject({ role, roleAssignmentScope: scope ?? assignment.scope, principalId: 'ab' });
});

it('whoever has a role at a management group above acts by that role', () => {
  const scope = '/providers/Microsoft.Management/managementGroups/Team';
  const assignments = [{ scope, role: 'Contributor' as const }];
  const caller = { objectId: 'a-b', kind: 'user' } as never;
  const above = ['/providers/Vendor.Management/managementGroups/team', '/subscriptions/s'];
  const evidence = evidenceOf(
    { caller },
    '/subscriptions/s/resourceGroups/g',
    { assignments } as never,
    ['Microsoft'],
    above,
  );
  expect(evidence).toMatchObject({ role: 'Contributor', roleAssignmentScope: scope });
});

it.each([
  ['/subscriptions/s', ['/subscriptions/s']],
  ['/subscriptions/s/resourceGroups/g', ['/subscriptions/s', '/subscriptions/s/resourceGroups/g']],
  ['/subscriptions/s/providers/N.P/register', ['/subscriptions/s']],
  [
    '/subscriptions/s/resourceGroups/g/providers/N.P/t/n/restart',
    ['/subscriptions/s', '/subscriptions/s/resourceGroups/g', '/subscriptions/s/resourceGroups/g/providers/N.P/t/n'],
  ],
  [
    '/subscriptions/s/providers/N.P/t/n/c/m/providers/N.E/e/x',
    [
      '/subscriptions/s',
      '/subscriptions/s/providers/N.P/t/n',
      '/subscriptions/s/providers/N.P/t/n/c/m',
      '/subscriptions/s/providers/N.P/t/n/c/m/providers/N.E/e/x',
    ],
  ],
  [
    '/providers/Vendor.Management/managementGroups/m/providers/Vendor.EventGrid/eventSubscriptions/x/getFullUrl',
    [
      '/providers/Vendor.Management/managementGroups/m',
      '/providers/Vendor.Management/managementGroups/m/providers/Vendor.EventGrid/eventSubscriptions/x',
    ],
  ],
  ['/providers/N.P/t', []],
  ['/providers/Vendor.Management/getEntities', []],
  ['', []],
])('the scopes of %s', (path, scopes) => {
  expect(scopesOf(path)).toEqual(scopes);
});
