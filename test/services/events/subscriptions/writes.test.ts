import { expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { AT_GROUP, AT_SUBSCRIPTION, hook, http, makeGroup, OPTIONS, QUIET, queue } from './bench.ts';

onBothStores(
  'writes of event subscriptions',
  (bench) => {
    const api = () => http(bench);
    const propertiesOf = async (name: string) => (await api().get(name)).body.properties;

    it('what a GET shows can be put back, secrets and all', async () => {
      await makeGroup(bench);
      const { httpsUrl } = bench.jar.inbox('back');
      const deliveryAttributeMappings = [
        { name: 'X-Key', type: 'static', properties: { value: 'secret', isSecret: true } },
        { name: 'X-Team', type: 'Static', properties: { value: 'shop' } },
      ];
      await api().put('back', {
        ...hook(`${httpsUrl}?key=hidden`, { deliveryAttributeMappings, maxEventsPerBatch: 7 }),
        filter: {
          ...QUIET.filter,
          subjectEndsWith: '.jpg',
          advancedFilters: [{ operatorType: 'stringin', key: 'subject', values: ['a'] }],
        },
        labels: ['x'],
        expirationTimeUtc: '2999-01-01T00:00:00Z',
        eventDeliverySchema: 'eventgridschema',
        retryPolicy: { eventTimeToLiveInMinutes: 5 },
        nobodyKnowsThis: true,
      });
      await bench.jar.settled();
      const { body: shown } = await api().get('back');
      expect(shown.properties).toMatchObject({
        provisioningState: 'Succeeded',
        eventDeliverySchema: 'EventGridSchema',
      });
      expect(JSON.stringify(shown)).not.toMatch(/hidden|secret"/);
      const again = await bench.call('PUT', api().path('back'), { body: shown });
      expect(again.status).toBe(201);
      expect(again.body.properties.provisioningState).toBe('Updating');
      await bench.jar.settled();
      const { body: after } = await api().get('back');
      expect(after.properties).toEqual(shown.properties);
      expect((await api().act('back', 'getFullUrl')).body).toEqual({ endpointUrl: `${httpsUrl}?key=hidden` });
      expect((await api().act('back', 'getDeliveryAttributes')).body.value[0].properties.value).toBe('secret');
      const handshakes = (await bench.jar.inbox('back').requests()).filter(({ handshake }) => handshake !== null);
      expect(handshakes).toHaveLength(1);
      const moved = {
        ...shown.properties.destination,
        properties: { ...shown.properties.destination.properties, endpointBaseUrl: `${httpsUrl}/2` },
      };
      expect((await api().put('back', { destination: moved })).status).toBe(400);
    });

    it('a PUT replaces all, a PATCH what it names, flat or nested; null gives the default back', async () => {
      await api().put(
        'parts',
        queue({ labels: ['a'], retryPolicy: { maxDeliveryAttempts: 3 }, filter: { subjectBeginsWith: '/a' } }),
      );
      await bench.jar.settled();
      await api().patch('parts', { properties: { labels: ['b'] } });
      await bench.jar.settled();
      expect(await propertiesOf('parts')).toMatchObject({
        labels: ['b'],
        retryPolicy: { maxDeliveryAttempts: 3 },
        filter: { subjectBeginsWith: '/a' },
      });
      await api().patch('parts', { retryPolicy: null, filter: { subjectEndsWith: '/z' } });
      await bench.jar.settled();
      expect(await propertiesOf('parts')).toMatchObject({
        labels: ['b'],
        retryPolicy: { maxDeliveryAttempts: 30 },
        filter: { subjectBeginsWith: '', subjectEndsWith: '/z' },
      });
      await api().put('parts', {});
      await bench.jar.settled();
      const empty = await propertiesOf('parts');
      expect(empty).toMatchObject({ provisioningState: 'Succeeded', labels: null, filter: { subjectEndsWith: '' } });
      expect(empty.destination).toBeUndefined();
      const wrong = await api().patch('parts', { retryPolicy: { maxDeliveryAttempts: 99 } });
      expect([wrong.status, wrong.body.error.target]).toEqual([400, 'retryPolicy.maxDeliveryAttempts']);
      const missing = await api().patch('missing', { labels: [] });
      expect([missing.status, missing.body.error.code]).toEqual([404, 'ResourceNotFound']);
    });

    it('names compare without regard to case, and keep that of the first write; each caller sees its prefix', async () => {
      await api().put('Mixed-Case', queue());
      await http(bench, AT_GROUP.replace('resourceGroups/shop', 'RESOURCEGROUPS/SHOP')).put(
        'MIXED-CASE',
        queue({ labels: ['a'] }),
      );
      await bench.jar.settled();
      const { body } = await http(bench, AT_GROUP, 'vendor').get('mixed-case');
      expect(body).toMatchObject({
        id: `${AT_GROUP}/providers/Vendor.EventGrid/eventSubscriptions/Mixed-Case`,
        name: 'Mixed-Case',
        type: 'Vendor.EventGrid/eventSubscriptions',
        properties: {
          labels: ['a'],
          destination: { properties: { resourceId: expect.stringContaining('Vendor.Storage') } },
        },
      });
      expect((await api().get('mixed-case')).body.properties.destination.properties.resourceId).toContain(
        'Microsoft.Storage',
      );
    });

    it('a scope may end with a slash', async () => {
      expect((await http(bench, `${AT_SUBSCRIPTION}/`).put('slashed', queue(QUIET))).status).toBe(201);
      await bench.jar.settled();
      const { body } = await http(bench, AT_SUBSCRIPTION).get('slashed');
      expect(body.id).toBe(`${AT_SUBSCRIPTION}/providers/Microsoft.EventGrid/eventSubscriptions/slashed`);
      await http(bench, AT_SUBSCRIPTION).remove('slashed');
    });

    it('every destination is kept as it was given, with its defaults', async () => {
      const id = (tail: string) => `${AT_GROUP}/providers/Microsoft.${tail}`;
      const mapping = { name: 'X-A', type: 'Static', properties: { value: 'a', isSecret: false } };
      const batches = { maxEventsPerBatch: 1, preferredBatchSizeInKilobytes: 64 };
      const cases: [string, object, object][] = [
        ['AzureFunction', { resourceId: id('Web/sites/s/functions/f'), deliveryAttributeMappings: [mapping] }, batches],
        ['EventHub', { resourceId: id('EventHub/namespaces/n/eventhubs/h'), deliveryAttributeMappings: [mapping] }, {}],
        ['HybridConnection', { resourceId: id('Relay/namespaces/n/hybridConnections/h') }, {}],
        ['ServiceBusQueue', { resourceId: id('ServiceBus/namespaces/n/queues/q') }, {}],
        ['ServiceBusTopic', { resourceId: id('ServiceBus/namespaces/n/topics/t') }, {}],
        ['StorageQueue', { resourceId: id('Storage/storageAccounts/a'), queueName: 'abc' }, {}],
        ['MonitorAlert', { severity: 'Sev2', description: 'd', actionGroups: [id('Insights/actionGroups/g')] }, {}],
        ['NamespaceTopic', { resourceId: id('EventGrid/namespaces/n/topics/t') }, {}],
      ];
      for (const [endpointType, properties, defaults] of cases) {
        await api().put('kinds', { destination: { endpointType: endpointType.toUpperCase(), properties }, ...QUIET });
        await bench.jar.settled();
        const { provisioningState, destination } = await propertiesOf('kinds');
        expect([provisioningState, destination]).toEqual([
          'Succeeded',
          { endpointType, properties: { ...properties, ...defaults } },
        ]);
      }
    });
  },
  OPTIONS,
);
