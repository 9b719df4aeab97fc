import { EventGridManagementClient } from '@azure/arm-eventgrid';
import { expect, it } from 'vitest';
import { onBothStores, SUBSCRIPTION } from '../../support/jars.ts';
import { Grid, VERSION } from './topics/grid.ts';

const GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/systems`;
const STORE = `${GROUP}/providers/Vendor.Storage/storageAccounts/store`;
const PREVIEW = 'api-version=2021-10-15-preview';

onBothStores('system topics', (bench) => {
  const grid = new Grid(bench, 'systems');
  const control = (method: string, path: string, body?: object) =>
    bench.call(method, `/_jar/events/${path}`, { token: bench.jar.adminKey, ...(body && { body }) });
  const foreign = (foreignScopes: boolean | null) => control('PATCH', 'settings', { foreignScopes });
  const of = (source: string, topicType: string, rest: object = {}) => ({
    location: 'global',
    ...rest,
    properties: { source, topicType },
  });
  const queue = (name: string) => ({
    destination: { endpointType: 'StorageQueue', properties: { resourceId: STORE, queueName: name } },
  });
  const queued = async (name: string) => {
    await bench.jar.settled();
    const { body } = await control('GET', 'queues');
    const found = body.value.find((each: { name: string }) => each.name === name);
    if (!found) return [];
    const messages = (await control('GET', `queues/${found.id}/messages`)).body.value;
    return messages.map(({ body: event }: { body: { eventType: string } }) => event);
  };

  it('are created at once without an identity, and after the answer with one', async () => {
    const made = await grid.put(`systemTopics/of-group?${PREVIEW}`, of(GROUP, 'vendor.resources.RESOURCEGROUPS'));
    expect(made.status).toBe(200);
    expect(made.body).toEqual({
      id: `${GROUP}/providers/Vendor.EventGrid/systemTopics/of-group`,
      name: 'of-group',
      type: 'Vendor.EventGrid/systemTopics',
      location: 'global',
      tags: null,
      systemData: null,
      properties: {
        provisioningState: 'Succeeded',
        source: GROUP,
        topicType: 'vendor.resources.RESOURCEGROUPS',
        metricResourceId: expect.any(String),
      },
    });
    expect((await grid.get(`systemTopics/of-group?${PREVIEW}`)).body).toEqual(made.body);
    const tagged = await grid.patch('systemTopics/of-group', { tags: { a: 'b' } });
    expect([tagged.status, tagged.body.tags]).toEqual([200, { a: 'b' }]);
    const identified = await grid.patch('systemTopics/of-group', { identity: { type: 'SystemAssigned' } });
    expect(identified).toMatchObject({
      status: 201,
      body: { identity: { principalId: expect.any(String) }, properties: { provisioningState: 'Updating' } },
    });
    const address = identified.headers.get('azure-asyncoperation') ?? '';
    expect(address).toContain('/Vendor.EventGrid/operationsStatus/');
    await bench.jar.settled();
    expect((await bench.call('GET', address)).body).toMatchObject({ id: address, status: 'Succeeded' });
    expect((await grid.get('systemTopics')).body.value.map(({ name }: { name: string }) => name)).toEqual(['of-group']);
  });

  it.each([
    ['a source that has one', of(GROUP, 'Vendor.Resources.ResourceGroups'), 'properties.source'],
    ['a topic type that there is not', of(GROUP, 'Vendor.Nothing'), 'properties.topicType'],
    ['a source of another type', of(GROUP, 'Vendor.Resources.Subscriptions'), 'properties.source'],
    [
      'another place than that of the source',
      { ...of(`/subscriptions/${SUBSCRIPTION}`, 'Vendor.Resources.Subscriptions'), location: 'westus' },
      'location',
    ],
    [
      'no source',
      { location: 'global', properties: { topicType: 'Vendor.Resources.ResourceGroups' } },
      'properties.source',
    ],
    [
      'a source elsewhere',
      of('/subscriptions/10000000-0000-4000-8000-0000000000f2', 'Vendor.Resources.Subscriptions'),
      'properties.source',
    ],
  ])('are refused with %s', async (_title, body, target) => {
    expect(await grid.put('systemTopics/refused', body)).toMatchObject({
      status: 400,
      body: { error: { code: 'InvalidRequest', target } },
    });
  });

  it('are named by their source', async () => {
    const at = (scope: string) =>
      bench.call('GET', `${scope}/providers/Vendor.EventGrid/extensionTopics/default?${PREVIEW}`);
    expect((await at(GROUP)).body).toEqual({
      id: `${GROUP}/providers/Vendor.EventGrid/extensionTopics/default`,
      name: 'default',
      type: 'Vendor.EventGrid/extensionTopics',
      properties: {
        description: expect.any(String),
        systemTopic: `${GROUP}/providers/Vendor.EventGrid/systemTopics/of-group`,
      },
    });
    expect((await at(STORE)).body.error.code).toBe('ResourceNotFound');
  });

  it('are one of each topic type for a source, and get the events of that type', async () => {
    const source = `/subscriptions/${SUBSCRIPTION}`;
    const types = ['Resources.Subscriptions', 'PolicyInsights.PolicyStates'];
    for (const [index, type] of types.entries()) {
      const path = `systemTopics/typed-${index}`;
      expect((await grid.put(path, of(source, `Vendor.${type}`))).status).toBe(200);
      expect((await grid.put(`systemTopics/second-${index}`, of(source, `Vendor.${type}`))).status).toBe(400);
      await grid.put(`${path}/eventSubscriptions/typed`, { properties: queue(`typed-${index}`) });
    }
    await bench.jar.settled();
    const event = { eventType: 'Vendor.PolicyInsights.PolicyStateCreated', subject: '/policy' };
    const sent = await control('POST', 'inject', { source, events: [event] });
    expect(sent.body.events).toMatchObject([{ matched: 1, refused: 0 }]);
    expect((await queued('typed-1')).map(({ subject }: { subject: string }) => subject)).toEqual(['/policy']);
    expect((await queued('typed-0')).map(({ subject }: { subject: string }) => subject)).not.toContain('/policy');
    expect((await grid.delete('systemTopics/typed-1')).status).toBe(202);
    expect((await grid.put('systemTopics/second-1', of(source, `Vendor.${types[1]}`))).status).toBe(200);
    for (const name of ['typed-0', 'second-1']) await grid.delete(`systemTopics/${name}`);
  });

  it('have event subscriptions below them, which get the events of the source beside those at its scope', async () => {
    const below = 'systemTopics/of-group/eventSubscriptions/below';
    const made = await grid.put(`${below}?${PREVIEW}`, { properties: queue('below') });
    expect(made).toMatchObject({
      status: 201,
      body: {
        type: 'Vendor.EventGrid/systemTopics/eventSubscriptions',
        properties: { topic: `${GROUP}/providers/Vendor.EventGrid/systemTopics/of-group`, labels: null },
      },
    });
    expect(made.body.properties.filter.includedEventTypes).toHaveLength(9);
    await bench.jar.settled();
    await grid.put('topics/noticed');
    await bench.jar.settled();
    const subjects = (await queued('below')).map(({ subject }: { subject: string }) => subject);
    expect(subjects).toContain(`${GROUP}/providers/Vendor.EventGrid/topics/noticed`);
    expect((await queued('below'))[0].topic).toBe(GROUP);
    expect((await grid.get('systemTopics/of-group/eventSubscriptions')).body.value).toHaveLength(1);
    expect((await grid.patch(below, { labels: ['a'] })).status).toBe(201);
    expect((await grid.call('POST', `${below}/getDeliveryAttributes`)).body).toEqual({ value: [] });
    expect((await grid.call('POST', `${below}/getFullUrl`)).status).toBe(400);
    await bench.jar.settled();
    expect((await grid.delete(below)).status).toBe(202);
  });

  it('are accepted for resources that the jar does not implement if the settings allow it, but not for misspelt types', async () => {
    const put = (name: string, source: string) =>
      grid.put(`systemTopics/${name}`, of(source, 'Vendor.Storage.StorageAccounts', { location: 'westeurope' }));
    const refused = await put('of-store', STORE);
    expect(refused).toMatchObject({ status: 404, body: { error: { code: 'ParentResourceNotFound' } } });
    expect(refused.body.error.message).toContain('foreignScopes');
    expect((await foreign(true)).status).toBe(200);
    expect(await put('of-store', STORE)).toMatchObject({ status: 200, body: { location: 'westeurope' } });
    const absent = `${GROUP}/providers/Vendor.EventGrid/topics/absent/providers/Vendor.EventGrid/eventSubscriptions/x`;
    expect((await bench.call('PUT', `${absent}?${VERSION}`, { body: { properties: {} } })).status).toBe(404);
    expect((await foreign(null)).status).toBe(200);
    expect((await control('PATCH', 'settings', { foreignScopes: 1 })).body.error.code).toBe('BadSetting');
  });

  it('get injected events of their source, as do subscriptions at the source itself', async () => {
    await foreign(true);
    const made = await grid.put('systemTopics/of-store/eventSubscriptions/blobs', { properties: queue('blobs') });
    const types = ['Vendor.Storage.BlobCreated', 'Vendor.Storage.BlobDeleted'];
    expect(made.body.properties.filter.includedEventTypes).toEqual(types);
    const at = `${STORE}/providers/Vendor.EventGrid/eventSubscriptions/renamed?${VERSION}`;
    const filter = { includedEventTypes: ['Microsoft.Storage.BlobRenamed'] };
    expect((await bench.call('PUT', at, { body: { properties: { ...queue('renamed'), filter } } })).status).toBe(201);
    await bench.jar.settled();
    const injected = await control('POST', 'inject', {
      source: STORE.toUpperCase().replace('VENDOR', 'Microsoft'),
      events: [
        {
          eventType: 'Microsoft.Storage.BlobCreated',
          subject: '/blobServices/default/containers/a/blobs/b',
          data: { api: 'PutBlob' },
        },
        { specversion: '1.0', id: 'mine', type: 'Vendor.Storage.BlobRenamed', time: '2030-01-01T00:00:00Z', data: {} },
      ],
    });
    expect(injected).toMatchObject({
      status: 200,
      body: {
        matched: 2,
        events: [
          { type: 'Vendor.Storage.BlobCreated', matched: 1, refused: 1 },
          { id: 'mine', matched: 1, refused: 1 },
        ],
      },
    });
    expect(await queued('blobs')).toMatchObject([
      { eventType: 'Vendor.Storage.BlobCreated', data: { api: 'PutBlob' }, metadataVersion: '1', dataVersion: '' },
    ]);
    expect(await queued('renamed')).toMatchObject([{ id: 'mine', eventType: 'Vendor.Storage.BlobRenamed' }]);
  });

  it.each([
    [{ source: STORE, events: [] }, 400, 'BadRequest'],
    [{ source: STORE, events: [{ subject: '/a' }] }, 400, 'InvalidEvent'],
    [{ source: STORE, events: [{ type: 'Vendor.Storage.Nothing' }] }, 400, 'InvalidEvent'],
    [{ source: STORE, events: [{ type: 'Vendor.Storage.BlobCreated', time: 'now' }] }, 400, 'InvalidEvent'],
    [{ source: '/subscriptions/none', events: [{ type: 'A' }] }, 404, 'NoSuchSource'],
    [{ source: `${GROUP}/providers/Vendor.EventGrid/topics/noticed`, events: [{ type: 'A' }] }, 400, 'NotASource'],
  ])('get nothing injected of %j', async (body, status, code) => {
    const refused = await control('POST', 'inject', body);
    expect(refused.status).toBe(status);
    if (code !== 'BadRequest') expect(refused.body.error.code).toBe(code);
  });

  it('are deleted with their subscriptions, and free their source for another one', async () => {
    const gone = await grid.delete('systemTopics/of-store');
    expect(gone.status).toBe(202);
    expect(gone.headers.get('azure-asyncoperation')).toContain('/locations/westeurope/operationsStatus/');
    expect((await grid.delete('systemTopics/of-store')).status).toBe(204);
    const again = of(STORE, 'Vendor.Storage.StorageAccounts', { location: 'westeurope' });
    expect((await grid.put('systemTopics/of-store-2', again)).status).toBe(200);
    expect((await grid.get('systemTopics/of-store-2/eventSubscriptions')).body.value).toEqual([]);
  });

  it('are made, changed and deleted by the official client, with their event subscriptions', async () => {
    const credential = {
      getToken: async () => ({ token: await bench.jar.token(), expiresOnTimestamp: Number.MAX_SAFE_INTEGER }),
    };
    const { systemTopics, systemTopicEventSubscriptions: below } = new EventGridManagementClient(
      credential,
      SUBSCRIPTION,
      { endpoint: bench.jar.httpsUrl },
    );
    const polling = { updateIntervalInMs: 20 };
    const group = 'Microsoft.Resources.Subscriptions';
    const source = `/subscriptions/${SUBSCRIPTION}`;
    const body = { location: 'global', source, topicType: group, identity: { type: 'SystemAssigned' } };
    const made = await systemTopics.beginCreateOrUpdateAndWait('systems', 'by-client', body, polling);
    expect(made).toMatchObject({
      provisioningState: 'Succeeded',
      topicType: group,
      systemData: { createdByType: 'User' },
    });
    const destination = { endpointType: 'StorageQueue', resourceId: STORE, queueName: 'by-client' } as const;
    const one = ['systems', 'by-client', 'queue'] as const;
    const subscribed = await below.beginCreateOrUpdateAndWait(...one, { destination }, polling);
    expect(subscribed.filter?.includedEventTypes).toHaveLength(9);
    expect(await Array.fromAsync(below.listBySystemTopic('systems', 'by-client'))).toHaveLength(1);
    expect((await below.beginUpdateAndWait(...one, { labels: ['a'] }, polling)).labels).toEqual(['a']);
    await below.beginDeleteAndWait(...one, polling);
    await systemTopics.beginDeleteAndWait('systems', 'by-client', polling);
    await expect(systemTopics.get('systems', 'by-client')).rejects.toMatchObject({ statusCode: 404 });
  });

  it('are invisible to other tenants', async () => {
    const token = await bench.jar.token({ user: 'other' });
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect((await grid.call(method, 'systemTopics/of-group', { token })).status).toBe(401);
  });
});
