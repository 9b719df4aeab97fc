import { EventGridManagementClient } from '@azure/arm-eventgrid';
import { ResourceManagementClient } from '@azure/arm-resources';
import { AzureKeyCredential, EventGridPublisherClient } from '@azure/eventgrid';
import { type CloudEventV1, HTTP } from 'cloudevents';
import { expect, it } from 'vitest';
import { onBothStores, SUBSCRIPTION } from '../../support/jars.ts';

/** A user's whole path through events, with the official clients: only endpoint, credential and authority are set. */
onBothStores(
  'a shop tells others of its orders',
  (bench) => {
    const credential = {
      getToken: async () => ({ token: await bench.jar.token(), expiresOnTimestamp: Date.now() + 3_600_000 }),
    };
    const client = () =>
      new EventGridManagementClient(credential, SUBSCRIPTION, {
        endpoint: bench.jar.httpsUrl,
        apiVersion: '2025-02-15',
      } as object);
    const resources = () => new ResourceManagementClient(credential, SUBSCRIPTION, { endpoint: bench.jar.httpsUrl });
    const polling = { updateIntervalInMs: 20 };
    const topicId = `/subscriptions/${SUBSCRIPTION}/resourceGroups/shop/providers/Microsoft.EventGrid/topics/orders`;
    const control = (path: string, method = 'GET', body?: unknown) =>
      bench.call(method, `/_jar/${path}`, { token: bench.jar.adminKey, ...(body !== undefined && { body }) });
    const publisher = async () => {
      const { endpoint = '' } = await client().topics.get('shop', 'orders');
      const { key1 = '' } = await client().topics.listSharedAccessKeys('shop', 'orders');
      return new EventGridPublisherClient(endpoint, 'EventGrid', new AzureKeyCredential(key1));
    };
    const order = (id: string, color: string) => ({
      id,
      eventType: 'Shop.OrderPlaced',
      subject: `/orders/${id}`,
      dataVersion: '1.0',
      data: { order: Number(id), item: { color } },
    });

    it('creates a topic and a subscription whose endpoint agrees', async () => {
      await resources().resourceGroups.createOrUpdate('shop', { location: 'westus' });
      const topic = await client().topics.beginCreateOrUpdateAndWait('shop', 'orders', { location: 'westus' }, polling);
      expect(topic).toMatchObject({ id: topicId, provisioningState: 'Succeeded', inputSchema: 'EventGridSchema' });
      expect(topic.endpoint).toMatch(/^https:\/\/localhost:\d+\/.*\/api\/events$/);
      const made = await client().eventSubscriptions.beginCreateOrUpdateAndWait(
        topicId,
        'red-orders',
        {
          destination: {
            endpointType: 'WebHook',
            endpointUrl: `${bench.jar.inbox('red').httpsUrl}?key=hidden`,
            maxEventsPerBatch: 10,
          },
          filter: {
            subjectBeginsWith: '/orders',
            advancedFilters: [{ operatorType: 'StringIn', key: 'data.item.color', values: ['Red'] }],
          },
          deadLetterDestination: {
            endpointType: 'StorageBlob',
            resourceId: `/subscriptions/${SUBSCRIPTION}/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/store`,
            blobContainerName: 'undelivered',
          },
          labels: ['team-red'],
        },
        polling,
      );
      expect(made).toMatchObject({ name: 'red-orders', provisioningState: 'Succeeded', labels: ['team-red'] });
      expect(made.destination).toMatchObject({ endpointBaseUrl: bench.jar.inbox('red').httpsUrl });
      const { endpointUrl } = await client().eventSubscriptions.getFullUrl(topicId, 'red-orders');
      expect(endpointUrl).toBe(`${bench.jar.inbox('red').httpsUrl}?key=hidden`);
      const [handshake] = await bench.jar.inbox('red').requests();
      expect(handshake?.handshake).toMatchObject({ kind: 'validationCode', answered: true });
    });

    it('publishes, and the subscription gets the matching events', async () => {
      await (await publisher()).send([order('1', 'red'), order('2', 'green'), order('3', 'RED')]);
      await bench.jar.settled();
      const got = await bench.jar.inbox('red').next();
      expect(got.query).toEqual({ key: 'hidden' });
      expect(got.headers).toMatchObject({
        'aeg-event-type': 'Notification',
        'aeg-subscription-name': 'RED-ORDERS',
        'aeg-delivery-count': '0',
        'aeg-data-version': '1.0',
      });
      expect(got.json().map((event: { id: string }) => event.id)).toEqual(['1', '3']);
      expect(got.json()[0]).toEqual({
        ...order('1', 'red'),
        topic: topicId,
        eventTime: expect.any(String),
        metadataVersion: '1',
      });
    });

    it('says why an event did not arrive', async () => {
      const { body: list } = await control('events/traces?eventId=2');
      expect(list.value).toHaveLength(1);
      const { body: trace } = await control(`events/traces/${list.value[0].id}`);
      expect(trace).toMatchObject({ eventType: 'Shop.OrderPlaced', matched: [], refused: 1 });
      expect(trace.subscriptions[0]).toMatchObject({
        matches: false,
        reason: expect.stringContaining('data.item.color'),
      });
    });

    it('retries when the endpoint fails, and dead-letters what cannot be delivered', async () => {
      const inbox = bench.jar.inbox('red');
      await inbox.failTimes(1, 503);
      await (await publisher()).send([order('4', 'red')]);
      await bench.jar.settled();
      expect((await inbox.next()).answered.status).toBe(503);
      await bench.jar.clock.advance('40s');
      expect((await inbox.next()).headers['aeg-delivery-count']).toBe('1');

      await inbox.respond({ status: 400 });
      await (await publisher()).send([order('5', 'red')]);
      await bench.jar.clock.advance('6m');
      const { body: letters } = await control('deliveries?state=dead-lettered&service=events');
      expect(letters.value).toHaveLength(1);
      const { body: queues } = await control('events/queues');
      const { body: kept } = await control(`events/queues/${queues.value[0].id}/messages`);
      expect(kept.value[0].body).toMatchObject([
        {
          id: '5',
          deadLetterReason: 'UndeliverableDueToHttpBadRequest',
          deliveryAttempts: 1,
          lastDeliveryOutcome: 'BadRequest',
        },
      ]);

      await inbox.respond({});
      await inbox.clear();
      await control(`deliveries/${letters.value[0].id}/replay`, 'POST');
      await bench.jar.settled();
      expect((await inbox.next()).json()[0].id).toBe('5');
    });

    it('delivers CloudEvents that the CloudEvents library can read', async () => {
      const inbox = bench.jar.inbox('cloud');
      await client().eventSubscriptions.beginCreateOrUpdateAndWait(
        topicId,
        'cloud',
        {
          destination: { endpointType: 'WebHook', endpointUrl: inbox.httpsUrl },
          eventDeliverySchema: 'CloudEventSchemaV1_0',
        },
        polling,
      );
      await (await publisher()).send([order('6', 'blue')]);
      await bench.jar.settled();
      const got = await inbox.next();
      const event = HTTP.toEvent({
        headers: got.headers as Record<string, string>,
        body: got.body,
      }) as CloudEventV1<unknown>;
      expect(event).toMatchObject({
        id: '6',
        type: 'Shop.OrderPlaced',
        source: topicId,
        subject: '/orders/6',
        data: { order: 6 },
      });
    });

    it('gets the management events of its resource group', async () => {
      const inbox = bench.jar.inbox('ops');
      const scope = `/subscriptions/${SUBSCRIPTION}/resourceGroups/shop`;
      await client().eventSubscriptions.beginCreateOrUpdateAndWait(
        scope,
        'ops',
        {
          destination: { endpointType: 'WebHook', endpointUrl: inbox.httpsUrl },
          filter: { includedEventTypes: ['Microsoft.Resources.ResourceDeleteSuccess'] },
        },
        polling,
      );
      await client().topics.beginDeleteAndWait('shop', 'orders', polling);
      await bench.jar.settled();
      const [event] = (await inbox.next()).json();
      expect(event).toMatchObject({
        eventType: 'Microsoft.Resources.ResourceDeleteSuccess',
        topic: scope,
        subject: topicId,
        dataVersion: '2',
        data: {
          operationName: 'Microsoft.EventGrid/topics/delete',
          status: 'Succeeded',
          resourceUri: topicId,
          subscriptionId: SUBSCRIPTION,
        },
      });
      expect(event.data.authorization.evidence.role).toBe('Owner');
      await expect(client().eventSubscriptions.get(topicId, 'cloud')).rejects.toMatchObject({ statusCode: 404 });
    });

    it('leaves nothing behind when the group is deleted', async () => {
      await resources().resourceGroups.beginDeleteAndWait('shop', polling);
      await bench.jar.settled();
      const list = client().eventSubscriptions.listGlobalBySubscription();
      expect(await Array.fromAsync(list)).toEqual([]);
    });
  },
  { namespace: ['Microsoft'] },
);
