import { expect, it } from 'vitest';
import { onBothStores, SUBSCRIPTION } from '../../support/jars.ts';
import { Grid } from './topics/grid.ts';

/** Members of answers, as recorded from the real service. */

const PREVIEW = 'api-version=2021-10-15-preview';
const STABLE = 'api-version=2025-02-15';
const NO_IDENTITY = { type: 'None', principalId: null, tenantId: null, userAssignedIdentities: null };

onBothStores('what answers of the event service show', (bench) => {
  const grid = new Grid(bench, 'answers');
  const at = (path: string, version = PREVIEW) => `${path}${path.includes('?') ? '&' : '?'}${version}`;
  const subscription = (name: string) => `topics/shown/providers/Vendor.EventGrid/eventSubscriptions/${name}`;

  it('a PUT of a topic shows what was sent, a GET what the service has filled in', async () => {
    const body = { location: 'westus', sku: { name: 'Basic' }, kind: 'Azure', identity: NO_IDENTITY, properties: {} };
    const made = await grid.put(at('topics/shown'), { ...body, properties: { inputSchema: 'EventGridSchema' } });
    expect(made.status).toBe(201);
    expect(made.headers.get('x-ms-ratelimit-remaining-subscription-resource-requests')).toMatch(/^\d+$/);
    const { id, name, type } = made.body;
    const same = {
      id,
      name,
      type,
      location: 'westus',
      tags: null,
      systemData: null,
      sku: { name: 'Basic' },
      kind: 'Azure',
    };
    expect(made.body).toEqual({
      ...same,
      identity: NO_IDENTITY,
      properties: { provisioningState: 'Creating', endpoint: null, inputSchema: 'EventGridSchema' },
    });
    await bench.jar.settled();
    const { body: read } = await grid.get(at('topics/shown'));
    expect(read).toEqual({
      ...same,
      identity: NO_IDENTITY,
      properties: {
        provisioningState: 'Succeeded',
        endpoint: expect.stringMatching(/^https:/),
        inputSchema: 'EventGridSchema',
        publicNetworkAccess: 'Enabled',
        disableLocalAuth: false,
        dataResidencyBoundary: 'WithinGeopair',
        metricResourceId: expect.any(String),
      },
    });
    expect((await grid.get(at('topics/shown', STABLE))).body.systemData).toMatchObject({ createdByType: 'User' });
    const again = await grid.put(at('topics/shown', STABLE), { location: 'westus' });
    expect(again.body).toMatchObject({
      systemData: null,
      properties: { provisioningState: 'Updating', endpoint: null },
    });
    const patched = await grid.call('PATCH', at('topics/shown'), { body: { tags: { a: 'b' } } });
    expect(patched).toMatchObject({
      status: 201,
      body: { tags: { a: 'b' }, properties: { provisioningState: 'Updating', endpoint: read.properties.endpoint } },
    });
  });

  it('members are in the order of the real service', async () => {
    const body = { location: 'westus', sku: { name: 'Basic' }, kind: 'Azure', identity: NO_IDENTITY, properties: {} };
    await grid.put(at('topics/ordered'), { ...body, tags: { a: 'b' } });
    await bench.jar.settled();
    const { body: topic } = await grid.get(at('topics/ordered'));
    const envelope = ['systemData', 'location', 'tags', 'id', 'name', 'type'];
    expect(Object.keys(topic)).toEqual(['properties', 'sku', 'identity', 'kind', ...envelope]);
    expect(Object.keys(topic.properties).slice(0, 4)).toEqual([
      'provisioningState',
      'endpoint',
      'inputSchema',
      'metricResourceId',
    ]);
    const path = subscription('ordered').replace('shown', 'ordered');
    const advancedFilters = [
      { operatorType: 'NumberIn', key: 'data.a', values: [1] },
      { operatorType: 'BoolEquals', key: 'data.b', value: true },
    ];
    const endpointUrl = bench.jar.inbox('ordered').httpsUrl;
    const destination = { endpointType: 'WebHook', properties: { endpointUrl } };
    await grid.put(at(path), { properties: { destination, filter: { advancedFilters } } });
    await bench.jar.settled();
    const { body: read } = await grid.get(at(path));
    expect(Object.keys(read)).toEqual(['properties', 'systemData', 'id', 'name', 'type']);
    const { properties } = read;
    expect(Object.keys(properties)).toEqual([
      'topic',
      'provisioningState',
      'destination',
      'filter',
      'labels',
      'eventDeliverySchema',
      'retryPolicy',
    ]);
    expect(Object.keys(properties.destination)).toEqual(['properties', 'endpointType']);
    expect(Object.keys(properties.destination.properties)).toEqual([
      'endpointUrl',
      'endpointBaseUrl',
      'maxEventsPerBatch',
      'preferredBatchSizeInKilobytes',
    ]);
    expect(properties.filter.advancedFilters.map(Object.keys)).toEqual([
      ['values', 'operatorType', 'key'],
      ['value', 'operatorType', 'key'],
    ]);
  });

  it('keeps what publishers say of their events, and how a topic is kept, in the versions that have it', async () => {
    const newest = 'api-version=2025-07-15-preview';
    const eventTypeInfo = { kind: 'Inline', inlineEventTypes: { Order: { description: 'an order' } } };
    const platformCapabilities = { confidentialCompute: { mode: 'Enabled' } };
    const properties = { eventTypeInfo, platformCapabilities };
    await grid.put(at('topics/described', newest), { location: 'westus', properties });
    await bench.jar.settled();
    expect((await grid.get(at('topics/described', newest))).body.properties).toMatchObject(properties);
    const stable = (await grid.get(at('topics/described', STABLE))).body.properties;
    expect([stable.eventTypeInfo, stable.platformCapabilities]).toEqual([eventTypeInfo, undefined]);
    expect((await grid.get(at('topics/described'))).body.properties.eventTypeInfo).toBeUndefined();
  });

  it('user-assigned identities have their ids from the first GET on', async () => {
    const one = `/subscriptions/${SUBSCRIPTION}/resourceGroups/answers/providers/Vendor.ManagedIdentity/userAssignedIdentities/one`;
    const identity = { type: 'UserAssigned', userAssignedIdentities: { [one]: {} } };
    for (const path of ['topics/identified', 'domains/identified-2']) {
      const made = await grid.put(at(path), { location: 'westus', identity });
      const shown = { type: 'UserAssigned', principalId: null, tenantId: null };
      expect(made.body.identity).toEqual({
        ...shown,
        userAssignedIdentities: { [one]: { principalId: null, clientId: null } },
      });
      await bench.jar.settled();
      expect((await grid.get(at(path))).body.identity).toEqual({
        ...shown,
        userAssignedIdentities: { [one]: { principalId: expect.any(String), clientId: expect.any(String) } },
      });
    }
  });

  it('the status of an operation is its address, its name and its state', async () => {
    const made = await grid.put(at('topics/polled'), { location: 'westus' });
    await bench.jar.settled();
    const address = made.headers.get('azure-asyncoperation') ?? '';
    const { body } = await bench.call('GET', address);
    expect(body).toEqual({ id: address, name: expect.stringMatching(/^[0-9a-f-]{36}$/), status: 'Succeeded' });
  });

  it.each(['topics/leaving', 'domains/leaving-2'])(
    'the DELETE of %s is 202 with both addresses, then 204',
    async (path) => {
      await grid.create(path);
      const gone = await grid.delete(path);
      expect([gone.status, gone.text]).toEqual([202, '']);
      expect(gone.headers.get('location')).toContain('/operationResults/');
      expect((await bench.call('GET', gone.headers.get('azure-asyncoperation') ?? '')).body.status).toBe('Succeeded');
      expect((await bench.call('GET', gone.headers.get('location') ?? '')).status).toBe(200);
      expect((await grid.delete(path)).status).toBe(204);
    },
  );

  it('a PUT of an event subscription shows what was sent, and secrets once; a GET the defaults', async () => {
    const attribute = (value: string) => ({ name: 'X-Key', type: 'Static', properties: { isSecret: true, value } });
    const endpointUrl = `${bench.jar.inbox('answers').httpsUrl}?key=hidden`;
    const properties = {
      destination: {
        endpointType: 'WebHook',
        properties: { endpointUrl, deliveryAttributeMappings: [attribute('s3')] },
      },
      filter: { isSubjectCaseSensitive: false },
    };
    const made = await grid.put(at(subscription('first')), { properties });
    const endpointBaseUrl = endpointUrl.replace('?key=hidden', '');
    expect(made.body.systemData).toBeNull();
    expect(made.body.properties).toEqual({
      topic: expect.stringContaining('/providers/vendor.eventgrid/topics/shown'),
      provisioningState: 'Creating',
      destination: {
        endpointType: 'WebHook',
        properties: { endpointUrl: null, endpointBaseUrl, deliveryAttributeMappings: [attribute('s3')] },
      },
      filter: {},
      labels: null,
    });
    await bench.jar.settled();
    const { body } = await grid.get(at(subscription('first')));
    expect(body.systemData).toBeNull();
    const shown = {
      endpointUrl: null,
      endpointBaseUrl,
      maxEventsPerBatch: 1,
      preferredBatchSizeInKilobytes: 64,
      deliveryAttributeMappings: [attribute('Hidden')],
    };
    expect(body.properties).toMatchObject({
      provisioningState: 'Succeeded',
      destination: { endpointType: 'WebHook', properties: shown },
      filter: { subjectBeginsWith: '', subjectEndsWith: '' },
      labels: null,
      eventDeliverySchema: 'EventGridSchema',
    });
    expect(body.properties.filter).not.toHaveProperty('includedEventTypes');
    const destination = {
      endpointType: 'WebHook',
      properties: { ...shown, endpointUrl: undefined, endpointBaseUrl: undefined },
    };
    const patched = await grid.call('PATCH', at(subscription('first')), { body: { destination, labels: ['a'] } });
    expect(patched.body.properties).toMatchObject({ destination: { properties: shown }, labels: ['a'] });
    const full = await grid.call('POST', at(`${subscription('first')}/getFullUrl`));
    expect(full.body).toEqual({ endpointUrl });
    const { body: attributes } = await grid.call('POST', at(`${subscription('first')}/getDeliveryAttributes`));
    expect(attributes.value).toEqual([attribute('s3')]);
  });

  it('a second PUT without eventDeliverySchema keeps the one that was set', async () => {
    await grid.put(subscription('kept'), { properties: { eventDeliverySchema: 'CloudEventSchemaV1_0' } });
    await grid.put(subscription('kept'), { properties: { labels: [] } });
    const { body } = await grid.get(subscription('kept'));
    expect(body.properties).toMatchObject({ eventDeliverySchema: 'CloudEventSchemaV1_0', labels: [] });
  });

  it('a subscription at a group without event types includes the default set, in the words of its writer', async () => {
    const group = `/subscriptions/${SUBSCRIPTION}/resourceGroups/answers/providers/Microsoft.EventGrid`;
    const path = `${group}/eventSubscriptions/all?${STABLE}`;
    const made = await bench.call('PUT', path, { body: { properties: {} } });
    const included = made.body.properties.filter.includedEventTypes;
    expect(included).toHaveLength(9);
    expect(included[0]).toBe('Microsoft.Resources.ResourceWriteSuccess');
    expect((await bench.call('GET', path)).body.properties.filter.includedEventTypes).toEqual(included);
  });
});
