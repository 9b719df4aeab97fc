import { EventGridManagementClient } from '@azure/arm-eventgrid';
import { ResourceManagementClient } from '@azure/arm-resources';
import { AzureKeyCredential, EventGridPublisherClient } from '@azure/eventgrid';
import { expect, it } from 'vitest';
import { onBothStores, SUBSCRIPTION } from '../../../support/jars.ts';

/** A partner and its customer, with the official clients: only endpoint, credential and authority are set. */
onBothStores(
  'a partner sends its events to a customer',
  (bench) => {
    const credential = {
      getToken: async () => ({ token: await bench.jar.token(), expiresOnTimestamp: Date.now() + 3_600_000 }),
    };
    const client = () => new EventGridManagementClient(credential, SUBSCRIPTION, { endpoint: bench.jar.httpsUrl });
    const polling = { updateIntervalInMs: 20 };
    const registrationId = `/subscriptions/${SUBSCRIPTION}/resourceGroups/partner/providers/Microsoft.EventGrid/partnerRegistrations/contoso`;
    const topicId = `/subscriptions/${SUBSCRIPTION}/resourceGroups/customer/providers/Microsoft.EventGrid/partnerTopics/orders`;
    const publisher = async () => {
      const { endpoint = '' } = await client().partnerNamespaces.get('partner', 'contoso');
      const { key1 = '' } = await client().partnerNamespaces.listSharedAccessKeys('partner', 'contoso');
      return new EventGridPublisherClient(endpoint, 'CloudEvent', new AzureKeyCredential(key1));
    };
    const order = (id: string) => ({ id, type: 'Contoso.Order', source: '/contoso/orders', data: { id } });

    it('registers the partner, and makes its namespace', async () => {
      const groups = new ResourceManagementClient(credential, SUBSCRIPTION, { endpoint: bench.jar.httpsUrl });
      for (const name of ['partner', 'customer'])
        await groups.resourceGroups.createOrUpdate(name, { location: 'westus' });
      const registration = await client().partnerRegistrations.beginCreateOrUpdateAndWait(
        'partner',
        'contoso',
        { location: 'global' },
        polling,
      );
      expect(registration).toMatchObject({ id: registrationId, location: 'global', provisioningState: 'Succeeded' });
      expect(registration.partnerRegistrationImmutableId).toMatch(/^[0-9a-f-]{36}$/);
      const namespace = await client().partnerNamespaces.beginCreateOrUpdateAndWait(
        'partner',
        'contoso',
        { location: 'westus', partnerRegistrationFullyQualifiedId: registrationId },
        polling,
      );
      expect(namespace).toMatchObject({
        provisioningState: 'Succeeded',
        partnerRegistrationFullyQualifiedId: registrationId,
        partnerTopicRoutingMode: 'SourceEventAttribute',
        publicNetworkAccess: 'Enabled',
        disableLocalAuth: false,
      });
      expect(namespace.endpoint).toBe(`${bench.jar.httpsUrl}/events/westus/contoso/api/events`);
    });

    it('is authorized by the customer, and makes a channel', async () => {
      const { partnerRegistrationImmutableId = '' } = await client().partnerRegistrations.get('partner', 'contoso');
      const configuration = await client().partnerConfigurations.beginCreateOrUpdateAndWait(
        'customer',
        { partnerAuthorization: { authorizedPartnersList: [{ partnerRegistrationImmutableId }] } },
        polling,
      );
      expect(configuration).toMatchObject({
        name: 'default',
        location: 'global',
        partnerAuthorization: { defaultMaximumExpirationTimeInDays: 7 },
      });
      const channel = await client().channels.createOrUpdate('partner', 'contoso', 'orders', {
        channelType: 'PartnerTopic',
        partnerTopicInfo: {
          azureSubscriptionId: SUBSCRIPTION,
          resourceGroupName: 'customer',
          name: 'orders',
          source: '/contoso/orders',
        },
      });
      expect(channel).toMatchObject({ readinessState: 'NeverActivated', provisioningState: 'Succeeded' });
      expect(channel.messageForActivation).toMatch(/'orders' for the source '\/contoso\/orders' at 20/);
      const topic = await client().partnerTopics.get('customer', 'orders');
      expect(topic).toMatchObject({
        id: topicId,
        location: 'westus',
        source: '/contoso/orders',
        activationState: 'NeverActivated',
        partnerRegistrationImmutableId,
        messageForActivation: channel.messageForActivation,
      });
      expect(topic.expirationTimeIfNotActivatedUtc).toEqual(channel.expirationTimeIfNotActivatedUtc);
    });

    it('cannot publish before the customer activates the partner topic', async () => {
      await expect((await publisher()).send([order('0')])).rejects.toMatchObject({
        statusCode: 403,
        code: 'PartnerTopicNotActivated',
      });
      const topic = await client().partnerTopics.activate('customer', 'orders');
      expect(topic.activationState).toBe('Activated');
      expect(topic.expirationTimeIfNotActivatedUtc).toBeUndefined();
      expect(topic.messageForActivation).toBeUndefined();
      expect((await client().channels.get('partner', 'contoso', 'orders')).readinessState).toBe('Activated');
    });

    it('has its events delivered to the customer', async () => {
      const subscription = await client().partnerTopicEventSubscriptions.beginCreateOrUpdateAndWait(
        'customer',
        'orders',
        'mine',
        { destination: { endpointType: 'WebHook', endpointUrl: `${bench.jar.inbox('mine').httpsUrl}?key=hidden` } },
        polling,
      );
      expect(subscription).toMatchObject({ name: 'mine', eventDeliverySchema: 'CloudEventSchemaV1_0' });
      await (await publisher()).send([order('1'), order('2')]);
      await bench.jar.settled();
      const requests = await bench.jar.inbox('mine').requests();
      const events = requests.flatMap(({ handshake, json }) => (handshake ? [] : [json()]));
      expect(events.map(({ id }) => id).sort()).toEqual(['1', '2']);
      expect(events[0]).toMatchObject({ specversion: '1.0', source: '/contoso/orders', type: 'Contoso.Order' });
      const full = await client().partnerTopicEventSubscriptions.getFullUrl('customer', 'orders', 'mine');
      expect(full.endpointUrl).toBe(`${bench.jar.inbox('mine').httpsUrl}?key=hidden`);
      const names: (string | undefined)[] = [];
      for await (const { name } of client().partnerTopicEventSubscriptions.listByPartnerTopic('customer', 'orders'))
        names.push(name);
      expect(names).toEqual(['mine']);
    });

    it('is stopped by a deactivation, and resumed by an activation', async () => {
      expect((await client().partnerTopics.deactivate('customer', 'orders')).activationState).toBe('Deactivated');
      await expect((await publisher()).send([order('3')])).rejects.toMatchObject({ statusCode: 403 });
      await client().partnerTopics.activate('customer', 'orders');
      await (await publisher()).send([order('4')]);
    });

    it('is deleted step by step, from the customer to the registration', async () => {
      const of = client();
      await of.partnerTopicEventSubscriptions.beginDeleteAndWait('customer', 'orders', 'mine', polling);
      await of.partnerTopics.beginDeleteAndWait('customer', 'orders', polling);
      expect((await of.channels.get('partner', 'contoso', 'orders')).provisioningState).toBe(
        'IdleDueToMirroredPartnerTopicDeletion',
      );
      await expect((await publisher()).send([order('5')])).rejects.toMatchObject({ statusCode: 403 });
      await of.partnerConfigurations.beginDeleteAndWait('customer', polling);
      await of.channels.beginDeleteAndWait('partner', 'contoso', 'orders', polling);
      await of.partnerNamespaces.beginDeleteAndWait('partner', 'contoso', polling);
      await of.partnerRegistrations.beginDeleteAndWait('partner', 'contoso', polling);
      await expect(of.partnerRegistrations.get('partner', 'contoso')).rejects.toMatchObject({ statusCode: 404 });
    });
  },
  { namespace: ['Microsoft'] },
);
