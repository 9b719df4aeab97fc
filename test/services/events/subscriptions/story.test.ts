import { expect, it } from 'vitest';
import { onBothStores, SUBSCRIPTION } from '../../../support/jars.ts';
import {
  AT_GROUP,
  AT_SUBSCRIPTION,
  AT_WIDGET,
  clientOf,
  makeGroup,
  makeWidget,
  OPTIONS,
  POLLING,
  storageQueue,
  webHook,
} from './bench.ts';

/** The lifecycle of event subscriptions, with the official client. */
onBothStores(
  'a team subscribes to what happens in its cloud',
  (bench) => {
    const subscriptions = () => clientOf(bench).eventSubscriptions;

    it('subscribes a web hook to a resource group, which agrees by sending the code back', async () => {
      await makeGroup(bench);
      await makeWidget(bench);
      const inbox = bench.jar.inbox('hooks');
      const made = await subscriptions().beginCreateOrUpdateAndWait(
        AT_GROUP,
        'to-hook',
        {
          ...webHook(`${inbox.httpsUrl}?key=hidden`),
          labels: ['shop'],
          filter: {
            subjectBeginsWith: '/subscriptions',
            includedEventTypes: ['Microsoft.Resources.ResourceWriteSuccess'],
          },
        },
        POLLING,
      );
      expect(made).toMatchObject({
        id: `${AT_GROUP}/providers/Microsoft.EventGrid/eventSubscriptions/to-hook`,
        name: 'to-hook',
        type: 'Microsoft.EventGrid/eventSubscriptions',
        topic: AT_GROUP,
        provisioningState: 'Succeeded',
        labels: ['shop'],
        eventDeliverySchema: 'EventGridSchema',
        retryPolicy: { maxDeliveryAttempts: 30, eventTimeToLiveInMinutes: 1440 },
        filter: { subjectBeginsWith: '/subscriptions', subjectEndsWith: '' },
        destination: {
          endpointType: 'WebHook',
          endpointUrl: null,
          endpointBaseUrl: inbox.httpsUrl,
          maxEventsPerBatch: 1,
          preferredBatchSizeInKilobytes: 64,
        },
        systemData: { createdByType: 'User' },
      });
      const [asked] = await inbox.requests();
      expect(asked?.handshake).toMatchObject({ kind: 'validationCode', answered: true });
      expect(asked?.headers).toMatchObject({
        'aeg-event-type': 'SubscriptionValidation',
        'aeg-subscription-name': 'TO-HOOK',
        'aeg-delivery-count': '0',
      });
      expect(asked?.json()).toEqual([
        {
          id: expect.any(String),
          topic: AT_GROUP,
          subject: '',
          data: {
            validationCode: expect.stringMatching(/^[0-9A-F-]{36}$/),
            validationUrl: expect.stringMatching(
              /^https:\/\/localhost:\d+\/eventsubscriptions\/to-hook\/validate\?id=.+&t=.+&apiVersion=2025-02-15&token=.+$/,
            ),
          },
          eventType: 'Microsoft.EventGrid.SubscriptionValidationEvent',
          eventTime: bench.jar.clock.now().toISOString(),
          metadataVersion: '1',
          dataVersion: '2',
        },
      ]);
    });

    it('gets the whole address only by asking for it', async () => {
      const { httpsUrl } = bench.jar.inbox('hooks');
      expect(await subscriptions().getFullUrl(AT_GROUP, 'to-hook')).toEqual({ endpointUrl: `${httpsUrl}?key=hidden` });
    });

    it('changes a part of it and keeps the rest', async () => {
      const changed = await subscriptions().beginUpdateAndWait(
        AT_GROUP,
        'to-hook',
        { labels: ['shop', 'east'], retryPolicy: { maxDeliveryAttempts: 5 } },
        POLLING,
      );
      expect(changed).toMatchObject({
        provisioningState: 'Succeeded',
        labels: ['shop', 'east'],
        retryPolicy: { maxDeliveryAttempts: 5, eventTimeToLiveInMinutes: 1440 },
        filter: { subjectBeginsWith: '/subscriptions' },
        destination: { endpointType: 'WebHook' },
      });
      const asked = (await bench.jar.inbox('hooks').requests()).filter(({ handshake }) => handshake !== null);
      expect(asked).toHaveLength(1);
    });

    it('keeps secret delivery attributes to itself', async () => {
      const { destination } = webHook(bench.jar.inbox('hooks').httpsUrl);
      const made = await subscriptions().beginCreateOrUpdateAndWait(
        AT_SUBSCRIPTION,
        'with-attributes',
        {
          destination: {
            ...destination,
            deliveryAttributeMappings: [
              { name: 'X-Team', type: 'Static', value: 'shop', isSecret: false },
              { name: 'Authorization', type: 'Static', value: 'very-hidden', isSecret: true },
              { name: 'X-Subject', type: 'Dynamic', sourceField: 'subject' },
            ],
          } as typeof destination,
        },
        POLLING,
      );
      const shown = JSON.stringify(made);
      expect(shown).toContain('X-Team');
      expect(shown).not.toContain('very-hidden');
      const { value } = await subscriptions().getDeliveryAttributes(AT_SUBSCRIPTION, 'with-attributes');
      expect(value).toEqual([
        { name: 'X-Team', type: 'Static', value: 'shop', isSecret: false },
        { name: 'Authorization', type: 'Static', value: 'very-hidden', isSecret: true },
        { name: 'X-Subject', type: 'Dynamic', sourceField: 'subject' },
      ]);
    });

    it('subscribes queues to the subscription and to a resource', async () => {
      const global = await subscriptions().beginCreateOrUpdateAndWait(
        AT_SUBSCRIPTION,
        'to-queue',
        storageQueue(),
        POLLING,
      );
      expect(global).toMatchObject({
        topic: `/subscriptions/${SUBSCRIPTION}`,
        provisioningState: 'Succeeded',
        destination: { endpointType: 'StorageQueue', queueName: 'orders' },
      });
      const atWidget = await subscriptions().beginCreateOrUpdateAndWait(AT_WIDGET, 'gears', storageQueue(), POLLING);
      expect(atWidget.topic).toBe(AT_WIDGET.replace('Microsoft.Test', 'microsoft.test'));
    });

    it('lists them in every way there is', async () => {
      const names = async (list: AsyncIterable<{ name?: string }>) =>
        (await Array.fromAsync(list)).map(({ name }) => name).sort();
      const client = subscriptions();
      const atSubscription = ['to-queue', 'with-attributes'];
      expect(await names(client.listGlobalBySubscription())).toEqual(['to-hook', ...atSubscription]);
      expect(await names(client.listGlobalByResourceGroup('shop'))).toEqual(['to-hook']);
      expect(await names(client.listRegionalBySubscription('East US'))).toEqual(['gears']);
      expect(await names(client.listRegionalByResourceGroup('shop', 'eastus'))).toEqual(['gears']);
      expect(await names(client.listRegionalBySubscription('westus'))).toEqual([]);
      const ofGroups = 'Microsoft.Resources.ResourceGroups';
      expect(await names(client.listGlobalBySubscriptionForTopicType(ofGroups))).toEqual(['to-hook']);
      expect(await names(client.listGlobalByResourceGroupForTopicType('shop', ofGroups))).toEqual(['to-hook']);
      const ofWidgets = 'microsoft.test.widgets';
      expect(await names(client.listRegionalBySubscriptionForTopicType('eastus', ofWidgets))).toEqual(['gears']);
      expect(await names(client.listRegionalByResourceGroupForTopicType('shop', 'eastus', ofWidgets))).toEqual([
        'gears',
      ]);
      expect(await names(client.listRegionalBySubscriptionForTopicType('eastus', ofGroups))).toEqual([]);
      expect(await names(client.listByResource('shop', 'Microsoft.Test', 'widgets', 'gear'))).toEqual(['gears']);
      expect(await names(client.listGlobalBySubscription({ filter: "contains(name, 'QUEUE')" }))).toEqual(['to-queue']);
      expect(await names(client.listGlobalBySubscription({ filter: "not (name eq 'to-hook')" }))).toEqual(
        atSubscription,
      );
      const pages = client.listGlobalBySubscription({ top: 1 }).byPage();
      expect((await Array.fromAsync(pages)).map((page) => page.length)).toEqual([1, 1, 1]);
    });

    it('reads errors the way the client library does', async () => {
      await expect(subscriptions().get(AT_GROUP, 'absent')).rejects.toMatchObject({
        statusCode: 404,
        code: 'ResourceNotFound',
      });
      const nowhere = `${AT_GROUP}/providers/Microsoft.Test/widgets/absent`;
      await expect(subscriptions().beginCreateOrUpdate(nowhere, 'some', storageQueue())).rejects.toMatchObject({
        statusCode: 404,
        code: 'ParentResourceNotFound',
      });
      const expired = { ...storageQueue(), expirationTimeUtc: new Date(0) };
      await expect(subscriptions().beginCreateOrUpdate(AT_GROUP, 'some', expired)).rejects.toMatchObject({
        statusCode: 400,
        code: 'InvalidRequest',
        details: { body: { error: { details: [{ target: 'properties.expirationTimeUtc' }] } } },
      });
    });

    it('deletes them, and tells the endpoint so', async () => {
      const inbox = bench.jar.inbox('hooks');
      await subscriptions().beginDeleteAndWait(AT_GROUP, 'to-hook', POLLING);
      await expect(subscriptions().get(AT_GROUP, 'to-hook')).rejects.toMatchObject({ statusCode: 404 });
      const told = await inbox.next(({ headers }) => headers['aeg-event-type'] === 'SubscriptionDeletion');
      expect(told.query).toEqual({ key: 'hidden' });
      expect(told.json()).toMatchObject([
        {
          eventType: 'Microsoft.EventGrid.SubscriptionDeletedEvent',
          topic: AT_GROUP,
          data: { eventSubscriptionId: `${AT_GROUP}/providers/Microsoft.EventGrid/eventSubscriptions/to-hook` },
        },
      ]);
      // It does not exist any more, which counts as success.
      await subscriptions().beginDeleteAndWait(AT_GROUP, 'to-hook', POLLING);
    });
  },
  OPTIONS,
);
