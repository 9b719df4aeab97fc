import { EventGridManagementClient } from '@azure/arm-eventgrid';
import { expect, it } from 'vitest';
import { OTHER_SUBSCRIPTION, onBothStores, SUBSCRIPTION } from '../../support/jars.ts';
import { bodyOf, GROUPS, group, idOf, makeGroups, namesIn, TENANT } from './groups.ts';

const VERSION = 'api-version=2025-02-15';
const EVENTS = 'providers/Vendor.EventGrid';

interface GridEvent {
  readonly eventType: string;
  readonly subject: string;
  readonly topic: string;
  readonly data: { readonly operationName: string; readonly subscriptionId?: string; readonly tenantId: string };
}

onBothStores('event subscriptions at management groups', (bench) => {
  const at = (scope: string, name: string, below = '') =>
    `${idOf(scope)}/${EVENTS}/eventSubscriptions/${name}${below}?${VERSION}`;
  const bodyFor = (inbox: string, filter: object = {}) => ({
    properties: {
      destination: { endpointType: 'WebHook', properties: { endpointUrl: `${bench.jar.inbox(inbox).httpsUrl}?key=1` } },
      filter,
    },
  });
  const subscribe = async (scope: string, name: string, filter: object = {}, token?: string) => {
    const body = bodyFor(name, filter);
    const made = await bench.call('PUT', at(scope, name), { body, ...(token !== undefined && { token }) });
    expect(made.status, made.text).toBe(201);
    await bench.jar.settled();
    return made;
  };
  const eventsAt = async (inbox: string): Promise<GridEvent[]> => {
    await bench.jar.settled();
    const requests = await bench.jar.inbox(inbox).requests();
    return requests.filter(({ handshake }) => !handshake).flatMap((request) => request.json());
  };
  const kinds = (events: readonly GridEvent[]) =>
    events
      .map(
        ({ eventType, subject }) =>
          `${eventType.replace('Vendor.Resources.Resource', '')} ${subject.split('/').at(-1)}`,
      )
      .sort();
  const resourceGroup = (name: string, subscription = SUBSCRIPTION) =>
    `/subscriptions/${subscription}/resourceGroups/${name}?api-version=2021-04-01`;

  it('are made, read, changed, listed and deleted as at other scopes', async () => {
    await makeGroups(bench, { Firm: undefined, Unit: 'Firm' });
    const made = await subscribe('firm', 'whole', { subjectEndsWith: '-shelf' });
    expect(made.body).toMatchObject({
      id: `${idOf('Firm')}/${EVENTS}/eventSubscriptions/whole`,
      type: 'Vendor.EventGrid/eventSubscriptions',
      properties: { topic: '/providers/vendor.management/managementgroups/Firm', provisioningState: 'Creating' },
    });
    const poll = made.headers.get('azure-asyncoperation') ?? '';
    expect(new URL(poll).pathname).toMatch(/^\/providers\/Vendor\.EventGrid\/locations\/global\/operationsStatus\//);
    expect((await bench.call('GET', poll)).body.status).toBe('Succeeded');
    expect((await bench.call('GET', at('FIRM', 'WHOLE'))).body.properties.provisioningState).toBe('Succeeded');
    const { body: url } = await bench.call('POST', at('Firm', 'whole', '/getFullUrl'));
    expect(url.endpointUrl).toBe(`${bench.jar.inbox('whole').httpsUrl}?key=1`);
    expect((await bench.call('POST', at('Firm', 'whole', '/getDeliveryAttributes'))).body).toEqual({ value: [] });
    const patched = await bench.call('PATCH', at('Firm', 'whole'), { body: { labels: ['audit'] } });
    expect(patched.status).toBe(201);
    await bench.jar.settled();
    await subscribe('firm', 'short-lived');
    const list = `${idOf('firm')}/${EVENTS}/eventSubscriptions?${VERSION}`;
    expect(namesIn(await bench.call('GET', list))).toEqual(['short-lived', 'whole']);
    const inSubscription = `/subscriptions/${SUBSCRIPTION}/${EVENTS}/eventSubscriptions?${VERSION}`;
    expect(namesIn(await bench.call('GET', inSubscription))).toEqual([]);
    const removed = await bench.call('DELETE', at('firm', 'short-lived'));
    expect(removed.status).toBe(202);
    for (const header of ['azure-asyncoperation', 'location'])
      expect((await bench.call('GET', removed.headers.get(header) ?? '')).status).toBe(200);
    expect((await bench.call('DELETE', at('firm', 'short-lived'))).status).toBe(204);
    expect((await bench.call('GET', at('firm', 'short-lived'))).body.error.code).toBe('ResourceNotFound');
  });

  it('get the events of subscriptions below their group, and no others', async () => {
    await bench.call('PUT', resourceGroup('early-shelf'), { body: { location: 'westus' } });
    expect(await eventsAt('whole')).toEqual([]);
    await bench.call('PUT', group('unit', `/subscriptions/${SUBSCRIPTION}`));
    await subscribe(TENANT, 'root', { subjectEndsWith: '-shelf' });
    await subscribe('unit', 'unit', { subjectEndsWith: '-shelf' });
    await bench.call('PUT', resourceGroup('late-shelf'), { body: { location: 'westus' } });
    for (const [inbox, topic] of [
      ['root', TENANT],
      ['whole', 'Firm'],
      ['unit', 'Unit'],
    ] as const) {
      const [event, ...more] = await eventsAt(inbox);
      expect(more).toEqual([]);
      expect(event, inbox).toMatchObject({
        eventType: 'Vendor.Resources.ResourceWriteSuccess',
        topic: idOf(topic),
        subject: resourceGroup('late-shelf').split('?')[0],
        data: { subscriptionId: SUBSCRIPTION, tenantId: TENANT },
      });
    }
  });

  it('get what happens to groups: writes, deletions and failures', async () => {
    await subscribe('Firm', 'tree', { subjectBeginsWith: GROUPS, subjectEndsWith: '-branch' });
    await makeGroups(bench, { 'a-branch': 'Unit', 'b-branch': undefined });
    await bench.call('PATCH', group('a-branch'), { body: { displayName: 'A' } });
    await bench.call('PATCH', group('a-branch'), { body: { parentGroupId: idOf('nowhere') } });
    await bench.call('DELETE', group('a-branch'));
    expect(kinds(await eventsAt('tree'))).toEqual([
      'DeleteSuccess a-branch',
      'WriteFailure a-branch',
      'WriteSuccess a-branch',
      'WriteSuccess a-branch',
    ]);
    const [event] = await eventsAt('tree');
    expect(event?.data).not.toHaveProperty('subscriptionId');
    expect(event).toMatchObject({
      topic: idOf('Firm'),
      data: { tenantId: TENANT, operationName: 'Vendor.Management/managementGroups/write' },
    });
  });

  it('say why an event did not arrive', async () => {
    const control = (path: string, body?: unknown) =>
      bench.call(body === undefined ? 'GET' : 'POST', `/_jar/events/${path}`, {
        token: bench.jar.adminKey,
        ...(body !== undefined && { body }),
      });
    const { body } = await control('explain', {
      topic: idOf('unit'),
      eventType: 'Vendor.Resources.ResourceWriteSuccess',
      subject: '/elsewhere',
    });
    expect(body.subscriptions).toMatchObject([{ matches: false, reason: expect.stringContaining('subject') }]);
  });

  it("are a tenant's own, whatever the names of groups", async () => {
    const token = await bench.jar.token({ user: 'other' });
    const theirs = (method: string, path: string, body?: unknown) =>
      bench.call(method, path, { token, ...(body !== undefined && { body }) });
    for (const [method, path] of [
      ['GET', at('Firm', 'whole')],
      ['DELETE', at('Firm', 'whole')],
      ['POST', at('Firm', 'whole', '/getFullUrl')],
      ['GET', `${idOf('Firm')}/${EVENTS}/eventSubscriptions?${VERSION}`],
      ['GET', `${idOf('Firm')}/${EVENTS}/eventTypes?${VERSION}`],
    ] as const)
      expect((await theirs(method, path)).status, path).toBe(403);
    expect((await theirs('PUT', at('Firm', 'whole'), bodyFor('spy'))).status).toBe(403);
    // A group of another tenant with the same name is a different group.
    await makeGroups(bench, { Firm: undefined }, { token });
    expect((await theirs('GET', at('Firm', 'whole'))).status).toBe(404);
    const made = await theirs('PUT', at('Firm', 'whole'), bodyFor('spy', { subjectEndsWith: '-shelf' }));
    expect(made.status, made.text).toBe(201);
    await bench.jar.settled();
    const poll = made.headers.get('azure-asyncoperation') ?? '';
    expect((await theirs('GET', poll)).status).toBe(200);
    expect((await bench.call('GET', poll)).status).toBe(404);
    await bench.call('PUT', resourceGroup('our-shelf'), { body: { location: 'westus' } });
    await theirs('PUT', resourceGroup('their-shelf', OTHER_SUBSCRIPTION), { location: 'westus' });
    expect(await eventsAt('spy')).toEqual([]);
    expect(kinds(await eventsAt('whole'))).toEqual(['WriteSuccess late-shelf', 'WriteSuccess our-shelf']);
    expect((await theirs('DELETE', group('Firm'))).status).toBe(202);
    await bench.jar.settled();
    expect((await bench.call('GET', at('Firm', 'whole'))).status).toBe(200);
  });

  it('need a group that exists', async () => {
    for (const method of ['GET', 'DELETE'] as const) {
      const { status, body } = await bench.call(method, at('nowhere', 'some'));
      expect([status, body.error.code]).toEqual([404, 'ParentResourceNotFound']);
    }
    const put = await bench.call('PUT', at('nowhere', 'some'), { body: bodyFor('none') });
    expect([put.status, put.body.error.code]).toEqual([404, 'ParentResourceNotFound']);
    const below = await bench.call('GET', `${idOf('Firm')}/things/x/${EVENTS}/eventSubscriptions/some?${VERSION}`);
    expect([below.status, below.body.error.code]).toEqual([400, 'InvalidRequest']);
  });

  it('go with their group, and do not come back with its name', async () => {
    await makeGroups(bench, { brief: undefined });
    await subscribe('brief', 'brief');
    await bench.call('DELETE', group('brief'));
    await bench.jar.settled();
    await makeGroups(bench, { brief: undefined });
    expect((await bench.call('GET', at('brief', 'brief'))).body.error.code).toBe('ResourceNotFound');
  });

  it('have a topic type', async () => {
    const types = await bench.call('GET', `/${EVENTS}/topicTypes/Vendor.Management.ManagementGroups?${VERSION}`);
    expect(types.body.properties).toMatchObject({
      resourceRegionType: 'GlobalResource',
      supportedScopesForSource: ['ManagementGroup'],
    });
    const eventTypes = await bench.call('GET', `${idOf('Firm')}/${EVENTS}/eventTypes?${VERSION}`);
    expect(namesIn(eventTypes)).toContain('Vendor.Resources.ResourceWriteSuccess');
  });

  it('are made with the official client, for any scope', async () => {
    const credential = {
      getToken: async () => ({ token: await bench.jar.token(), expiresOnTimestamp: Date.now() + 3_600_000 }),
    };
    const { eventSubscriptions } = new EventGridManagementClient(credential, SUBSCRIPTION, {
      endpoint: bench.jar.httpsUrl,
    });
    const scope = '/providers/Microsoft.Management/managementGroups/firm';
    const polling = { updateIntervalInMs: 20 };
    const destination = { endpointType: 'WebHook' as const, endpointUrl: bench.jar.inbox('client').httpsUrl };
    await eventSubscriptions.beginCreateOrUpdateAndWait(scope, 'client', { destination }, polling);
    const updated = await eventSubscriptions.beginUpdateAndWait(scope, 'client', { labels: ['one'] }, polling);
    expect(updated.labels).toEqual(['one']);
    expect((await eventSubscriptions.getFullUrl(scope, 'client')).endpointUrl).toBe(destination.endpointUrl);
    await eventSubscriptions.beginDeleteAndWait(scope, 'client', polling);
    await expect(eventSubscriptions.get(scope, 'client')).rejects.toMatchObject({ statusCode: 404 });
  });

  it('are recorded like other writes, those of groups too', async () => {
    const { body } = await bench.call('PUT', group('recorded'), { body: bodyOf('nowhere') });
    expect(body.error.code).toBe('NotFound');
    await subscribe('firm', 'failures', { includedEventTypes: ['Vendor.Resources.ResourceWriteFailure'] });
    await bench.call('PUT', group('unit'), { body: bodyOf('nowhere') });
    expect(kinds(await eventsAt('failures'))).toEqual(['WriteFailure unit']);
  });
});
