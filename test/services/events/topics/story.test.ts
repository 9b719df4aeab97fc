import { EventGridManagementClient } from '@azure/arm-eventgrid';
import { ResourceManagementClient } from '@azure/arm-resources';
import { expect, it } from 'vitest';
import { onBothStores, SUBSCRIPTION } from '../../../support/jars.ts';

/**
 * A user who sets up topics and domains for other publishers, with the official client: only endpoint, credential and authority are set.
 */
onBothStores('a team makes topics and domains', (bench) => {
  const credential = {
    getToken: async () => ({ token: await bench.jar.token(), expiresOnTimestamp: Date.now() + 3_600_000 }),
  };
  const client = (apiVersion?: string) =>
    new EventGridManagementClient(credential, SUBSCRIPTION, {
      endpoint: bench.jar.httpsUrl,
      ...(apiVersion !== undefined && { apiVersion }),
    });
  const all = async <T>(list: AsyncIterable<T>): Promise<T[]> => Array.fromAsync(list);
  const polling = { updateIntervalInMs: 20 };
  const provider = `/subscriptions/${SUBSCRIPTION}/resourceGroups/team/providers/Microsoft.EventGrid`;

  it.each([undefined, '2025-02-15'])(
    'creates a topic and waits until it is complete, api-version %s',
    async (version) => {
      const resources = new ResourceManagementClient(credential, SUBSCRIPTION, { endpoint: bench.jar.httpsUrl });
      await resources.resourceGroups.createOrUpdate('team', { location: 'westus' });
      const name = version === undefined ? 'orders' : 'orders-new';
      const topic = { location: 'West Europe', tags: { team: 'shop' }, identity: { type: 'SystemAssigned' } };
      const made = await client(version).topics.beginCreateOrUpdateAndWait('team', name, topic, polling);
      expect(made).toMatchObject({
        id: `${provider}/topics/${name}`,
        name,
        type: 'Microsoft.EventGrid/topics',
        location: 'westeurope',
        tags: { team: 'shop' },
        provisioningState: 'Succeeded',
        endpoint: `${bench.jar.httpsUrl}/events/westeurope/${name}/api/events`,
        inputSchema: 'EventGridSchema',
        publicNetworkAccess: 'Enabled',
        disableLocalAuth: false,
        dataResidencyBoundary: 'WithinGeopair',
        identity: { type: 'SystemAssigned', principalId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
        systemData: { createdBy: expect.any(String), createdByType: 'User', createdAt: bench.jar.clock.now() },
      });
      expect(made.metricResourceId).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it('finds it again, and reads errors the way the client library does', async () => {
    expect((await client().topics.get('TEAM', 'Orders')).name).toBe('orders');
    expect((await all(client().topics.listBySubscription())).map(({ name }) => name)).toEqual(['orders', 'orders-new']);
    const filtered = client().topics.listByResourceGroup('team', { filter: "contains(name,'new')" });
    expect((await all(filtered)).map(({ name }) => name)).toEqual(['orders-new']);
    await expect(client().topics.get('team', 'absent')).rejects.toMatchObject({
      statusCode: 404,
      code: 'ResourceNotFound',
    });
  });

  it('changes a part of it', async () => {
    const rules = [{ ipMask: '10.0.0.0/8', action: 'Allow' }];
    const update = { tags: { team: 'store' }, inboundIpRules: rules, disableLocalAuth: true };
    await client().topics.beginUpdateAndWait('team', 'orders', update, polling);
    expect(await client().topics.get('team', 'orders')).toMatchObject({
      tags: { team: 'store' },
      inboundIpRules: rules,
      disableLocalAuth: true,
      provisioningState: 'Succeeded',
      identity: { type: 'SystemAssigned' },
    });
  });

  it('lists its keys, and replaces one at a time', async () => {
    const before = await client().topics.listSharedAccessKeys('team', 'orders');
    expect(Buffer.from(before.key1 ?? '', 'base64')).toHaveLength(32);
    expect(before.key2).not.toBe(before.key1);
    const after = await client().topics.beginRegenerateKeyAndWait('team', 'orders', { keyName: 'key1' }, polling);
    expect(after.key1).not.toBe(before.key1);
    expect(after.key2).toBe(before.key2);
    const { key1, key2 } = await client().topics.listSharedAccessKeys('team', 'orders');
    expect({ key1, key2 }).toEqual({ key1: after.key1, key2: after.key2 });
  });

  it('accepts events in a custom schema', async () => {
    const inputSchemaMapping = {
      inputSchemaMappingType: 'Json' as const,
      id: { sourceField: 'number' },
      eventType: { sourceField: 'what', defaultValue: 'shop.order' },
      dataVersion: { defaultValue: '1.0' },
    };
    const topic = { location: 'westeurope', inputSchema: 'CustomEventSchema', inputSchemaMapping };
    const made = await client().topics.beginCreateOrUpdateAndWait('team', 'mapped', topic, polling);
    expect(made).toMatchObject({ inputSchema: 'CustomEventSchema', inputSchemaMapping });
  });

  it('makes a domain with topics in it', async () => {
    const { domains, domainTopics } = client();
    const made = await domains.beginCreateOrUpdateAndWait('team', 'tenants', { location: 'westeurope' }, polling);
    expect(made).toMatchObject({
      id: `${provider}/domains/tenants`,
      provisioningState: 'Succeeded',
      endpoint: `${bench.jar.httpsUrl}/events/westeurope/tenants/api/events`,
      autoCreateTopicWithFirstSubscription: true,
      autoDeleteTopicWithLastSubscription: true,
    });
    for (const name of ['one', 'two', 'three'])
      expect(await domainTopics.beginCreateOrUpdateAndWait('team', 'tenants', name, polling)).toMatchObject({
        id: `${provider}/domains/tenants/topics/${name}`,
        type: 'Microsoft.EventGrid/domains/topics',
        provisioningState: 'Succeeded',
      });
    const pages = [];
    for await (const page of domainTopics.listByDomain('team', 'tenants', { top: 2 }).byPage())
      pages.push(page.map(({ name }) => name));
    expect(pages).toEqual([['one', 'three'], ['two']]);
    await domains.beginUpdateAndWait('team', 'tenants', { autoDeleteTopicWithLastSubscription: false }, polling);
    expect(await domains.get('team', 'tenants')).toMatchObject({ autoDeleteTopicWithLastSubscription: false });
    const keys = await domains.listSharedAccessKeys('team', 'tenants');
    const changed = await domains.regenerateKey('team', 'tenants', { keyName: 'key2' });
    expect([changed.key1 === keys.key1, changed.key2 === keys.key2]).toEqual([true, false]);
    expect((await all(domains.listBySubscription())).map(({ name }) => name)).toEqual(['tenants']);
    expect((await all(domains.listByResourceGroup('team'))).map(({ name }) => name)).toEqual(['tenants']);
  });

  it('lists the topic types', async () => {
    const { topicTypes, topics } = client();
    const types = await all(topicTypes.list());
    expect(types.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'Microsoft.Resources.Subscriptions',
        'Microsoft.Resources.ResourceGroups',
        'Microsoft.EventGrid.Topics',
        'Microsoft.EventGrid.Domains',
        'Microsoft.Storage.StorageAccounts',
      ]),
    );
    const groups = await topicTypes.get('Microsoft.Resources.ResourceGroups');
    expect(groups).toMatchObject({ resourceRegionType: 'GlobalResource' });
    const events = await all(topicTypes.listEventTypes('Microsoft.Resources.Subscriptions'));
    expect(events).toHaveLength(9);
    expect(events[0]).toMatchObject({ name: 'Microsoft.Resources.ResourceWriteSuccess', isInDefaultSet: true });
    expect(await all(topics.listEventTypes('team', 'Microsoft.EventGrid', 'topics', 'orders'))).toEqual([]);
    const operations = (await all(client().operations.list())).map(({ name }) => name);
    expect(operations).toContain('Microsoft.EventGrid/topics/regenerateKey/action');
    expect(new Set(operations).size).toBe(operations.length);
  });

  it('deletes all of it again', async () => {
    await client().domainTopics.beginDeleteAndWait('team', 'tenants', 'one', polling);
    await client().domainTopics.beginDeleteAndWait('team', 'tenants', 'one', polling);
    await expect(client().domainTopics.get('team', 'tenants', 'one')).rejects.toMatchObject({ statusCode: 404 });
    await client().domains.beginDeleteAndWait('team', 'tenants', polling);
    await expect(client().domainTopics.get('team', 'tenants', 'two')).rejects.toMatchObject({ statusCode: 404 });
    for (const name of ['orders', 'orders-new', 'mapped'])
      await client().topics.beginDeleteAndWait('team', name, polling);
    await client().topics.beginDeleteAndWait('team', 'orders', polling);
    expect(await all(client().topics.listBySubscription())).toEqual([]);
  });
});
