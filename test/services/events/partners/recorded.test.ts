import { expect, it } from 'vitest';
import { onBothStores, SUBSCRIPTION } from '../../../support/jars.ts';
import { event, idIn, OPTIONS, Partners } from './support.ts';

const UUID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);

/** Answers to clients of 2021-10-15-preview, member by member. */
onBothStores(
  'partner resources as they were recorded',
  (bench) => {
    const partners = new Partners(bench);
    const NAMESPACE = 'partner/partnerNamespaces/contoso';

    it('makes, changes and lists a registration at once', async () => {
      for (const name of ['partner', 'customer']) await partners.group(name);
      const path = 'partner/partnerRegistrations/contoso';
      const properties = {
        partnerName: 'Contoso',
        partnerResourceTypeName: 'Contoso.Orders',
        longDescription: 'All orders',
        setupUri: 'https://contoso.example/setup',
        authorizedAzureSubscriptionIds: [SUBSCRIPTION],
      };
      const made = await partners.call('PUT', path, { location: 'global', properties });
      expect(made.status).toBe(200);
      expect(made.body).toEqual({
        id: idIn('partner', 'partnerRegistrations/contoso'),
        name: 'contoso',
        type: 'Vendor.EventGrid/partnerRegistrations',
        location: 'global',
        tags: null,
        systemData: null,
        properties: {
          ...properties,
          visibilityState: 'Hidden',
          partnerRegistrationImmutableId: UUID,
          provisioningState: 'Succeeded',
        },
      });
      partners.id = made.body.properties.partnerRegistrationImmutableId;
      const changed = await partners.call('PATCH', path, { tags: { team: 'red' } });
      expect([changed.status, changed.body]).toEqual([200, { ...made.body, tags: { team: 'red' } }]);
      expect((await partners.call('GET', path)).body).toEqual(changed.body);
      expect((await partners.call('GET', 'partner/partnerRegistrations')).body).toEqual({ value: [changed.body] });
      const all = `/subscriptions/${SUBSCRIPTION}/providers/Vendor.EventGrid/partnerRegistrations`;
      const listed = await bench.call('GET', `${all}?api-version=2021-10-15-preview&$top=1`);
      expect(listed.body.value).toEqual([changed.body]);
      const stable = await partners.call('GET', path, undefined, '2022-06-15');
      expect(stable.body.properties).toEqual({
        partnerRegistrationImmutableId: partners.id,
        provisioningState: 'Succeeded',
      });
      expect(stable.body.systemData).toMatchObject({ createdByType: 'User' });
    });

    it('makes a namespace in two steps, and changes it', async () => {
      const partnerRegistrationFullyQualifiedId = idIn('partner', 'partnerRegistrations/contoso');
      const sent = { partnerRegistrationFullyQualifiedId, partnerTopicRoutingMode: 'ChannelNameHeader' };
      const made = await partners.call('PUT', NAMESPACE, { location: 'westus', properties: sent });
      expect(made.status).toBe(201);
      expect(made.headers.get('azure-asyncoperation')).toMatch(
        /\/locations\/westus\/operationsStatus\/[0-9A-F-]{36}\?/,
      );
      expect(made.body).toEqual({
        id: idIn('partner', 'partnerNamespaces/contoso'),
        name: 'contoso',
        type: 'Vendor.EventGrid/partnerNamespaces',
        location: 'westus',
        tags: null,
        systemData: null,
        properties: { ...sent, provisioningState: 'Creating', endpoint: null, disableLocalAuth: false },
      });
      await bench.jar.settled();
      const { properties } = (await partners.call('GET', NAMESPACE)).body;
      expect(properties).toEqual({
        ...sent,
        provisioningState: 'Succeeded',
        endpoint: expect.stringMatching(/^https:.*\/events\/westus\/contoso\/api\/events$/),
        publicNetworkAccess: 'Enabled',
        disableLocalAuth: false,
      });
      const changed = await partners.call('PATCH', NAMESPACE, {
        tags: { a: 'b' },
        properties: { inboundIpRules: [{ ipMask: '127.0.0.0/8', action: 'allow' }] },
      });
      expect([changed.status, changed.body.tags]).toEqual([201, { a: 'b' }]);
      expect(changed.body.properties).toEqual({
        ...properties,
        provisioningState: 'Updating',
        inboundIpRules: [{ ipMask: '127.0.0.0/8', action: 'Allow' }],
      });
      const before = await partners.call('POST', `${NAMESPACE}/listKeys`);
      const after = await partners.call('POST', `${NAMESPACE}/regenerateKey`, { keyName: 'key1' });
      expect([before.status, after.status, after.body.key2]).toEqual([200, 200, before.body.key2]);
      expect(after.body.key1).not.toBe(before.body.key1);
    });

    it('keeps a partner configuration, whose times come from its default', async () => {
      const path = 'customer/partnerConfigurations/default';
      const now = bench.jar.clock.now().getTime();
      const made = await partners.call('PUT', path, {
        location: 'global',
        properties: {
          partnerAuthorization: {
            defaultMaximumExpirationTimeInDays: 10,
            authorizedPartnersList: [{ partnerRegistrationImmutableId: partners.id }],
          },
        },
      });
      expect(made.status).toBe(200);
      expect(made.body).toMatchObject({ name: 'default', location: 'global', tags: null, systemData: null });
      expect(made.body.properties).toEqual({
        provisioningState: 'Succeeded',
        partnerAuthorization: {
          defaultMaximumExpirationTimeInDays: 10,
          authorizedPartnersList: [
            {
              partnerRegistrationImmutableId: partners.id,
              partnerName: null,
              authorizationExpirationTimeInUtc: TIME,
            },
          ],
        },
      });
      const [partner] = made.body.properties.partnerAuthorization.authorizedPartnersList;
      const days = (Date.parse(partner.authorizationExpirationTimeInUtc) - now) / 86_400_000;
      expect(days).toBeGreaterThanOrEqual(10);
      expect(days).toBeLessThan(10.1);
      const changed = await partners.call('PATCH', path, { properties: { defaultMaximumExpirationTimeInDays: 20 } });
      expect([changed.status, changed.body.properties.partnerAuthorization]).toEqual([
        200,
        { defaultMaximumExpirationTimeInDays: 20, authorizedPartnersList: [partner] },
      ]);
      const more = await partners.call('POST', `${path}/authorizePartner`, { partnerName: 'Fabrikam' });
      expect([more.status, more.body.properties.partnerAuthorization.authorizedPartnersList]).toEqual([
        200,
        [
          partner,
          { partnerRegistrationImmutableId: null, partnerName: 'Fabrikam', authorizationExpirationTimeInUtc: TIME },
        ],
      ]);
      const less = await partners.call('POST', `${path}/unauthorizePartner`, { partnerName: 'fabrikam' });
      expect(less.body.properties.partnerAuthorization.authorizedPartnersList).toEqual([partner]);
      expect((await partners.call('GET', 'customer/partnerConfigurations')).body.value).toEqual([less.body]);
    });

    it('makes a channel, and with it a partner topic', async () => {
      const partnerTopicInfo = {
        azureSubscriptionId: SUBSCRIPTION,
        resourceGroupName: 'customer',
        name: 'orders',
        source: 'Contoso.Orders',
      };
      const made = await partners.channel('contoso', 'orders', partnerTopicInfo);
      expect([made.status, made.body.type, made.body.systemData]).toEqual([
        200,
        'Vendor.EventGrid/partnerNamespaces/channels',
        null,
      ]);
      expect(made.body.properties).toEqual({
        channelType: 'PartnerTopic',
        partnerTopicInfo,
        messageForActivation: expect.stringContaining("'orders' for the source 'Contoso.Orders'"),
        readinessState: 'NeverActivated',
        expirationTimeIfNotActivatedUtc: TIME,
        provisioningState: 'Succeeded',
      });
      expect((await partners.call('GET', 'partner/partnerNamespaces/contoso/channels')).body).toEqual({
        value: [made.body],
      });
      const topic = await partners.call('GET', 'customer/partnerTopics/orders');
      const { messageForActivation, expirationTimeIfNotActivatedUtc } = made.body.properties;
      expect(topic.body).toEqual({
        id: idIn('customer', 'partnerTopics/orders'),
        name: 'orders',
        type: 'Vendor.EventGrid/partnerTopics',
        location: 'westus',
        tags: null,
        systemData: null,
        properties: {
          partnerRegistrationImmutableId: partners.id,
          source: 'Contoso.Orders',
          expirationTimeIfNotActivatedUtc,
          partnerTopicFriendlyDescription: messageForActivation,
          messageForActivation,
          provisioningState: 'Succeeded',
          activationState: 'NeverActivated',
        },
      });
      const later = new Date(bench.jar.clock.now().getTime() + 14 * 86_400_000).toISOString();
      const moved = await partners.call('PATCH', `${NAMESPACE}/channels/orders`, {
        properties: { expirationTimeIfNotActivatedUtc: later },
      });
      expect([moved.status, moved.body.properties.expirationTimeIfNotActivatedUtc]).toEqual([200, later]);
      const same = await partners.call('GET', 'customer/partnerTopics/orders');
      expect(same.body.properties.expirationTimeIfNotActivatedUtc).toBe(later);
    });

    it('activates, tags and gives an identity to a partner topic', async () => {
      const active = await partners.activate('orders');
      expect([active.status, active.body.properties]).toEqual([
        200,
        {
          partnerRegistrationImmutableId: partners.id,
          source: 'Contoso.Orders',
          provisioningState: 'Succeeded',
          activationState: 'Activated',
        },
      ]);
      const { properties: channel } = (await partners.call('GET', `${NAMESPACE}/channels/orders`)).body;
      expect(channel.readinessState).toBe('Activated');
      expect(channel).not.toHaveProperty('messageForActivation');
      expect(channel).not.toHaveProperty('expirationTimeIfNotActivatedUtc');
      const tagged = await partners.call('PATCH', 'customer/partnerTopics/orders', { tags: { a: 'b' } });
      expect([tagged.status, tagged.body]).toEqual([200, { ...active.body, tags: { a: 'b' } }]);
      const named = await partners.call('PATCH', 'customer/partnerTopics/orders', {
        identity: { type: 'SystemAssigned' },
      });
      expect([named.status, named.body.properties.provisioningState]).toEqual([201, 'Updating']);
      expect(named.body.identity).toMatchObject({ type: 'SystemAssigned', principalId: UUID });
      await bench.jar.settled();
      const { body } = await partners.call('GET', 'customer/partnerTopics/orders');
      expect(body.properties.provisioningState).toBe('Succeeded');
    });

    it('answers writes of its event subscriptions as those below system topics, unlike reads', async () => {
      const written = {
        type: 'Vendor.EventGrid/systemTopics/eventSubscriptions',
        properties: { topic: idIn('customer', 'partnerTopics/orders') },
      };
      const made = await partners.subscribe('orders', 'mine');
      expect(made).toMatchObject({ status: 201, body: written });
      const path = 'customer/partnerTopics/orders/eventSubscriptions';
      const changed = await partners.call('PATCH', `${path}/mine`, { labels: ['a'] });
      expect(changed).toMatchObject({ status: 201, body: written });
      await bench.jar.settled();
      const { body } = await partners.call('GET', `${path}/mine`);
      expect(body).toMatchObject({
        id: idIn('customer', 'partnerTopics/orders/eventSubscriptions/mine'),
        type: 'Vendor.EventGrid/partnerTopics/eventSubscriptions',
        properties: {
          topic: `/subscriptions/${SUBSCRIPTION}/resourceGroups/customer/providers/vendor.eventgrid/partnertopics/orders`,
          eventDeliverySchema: 'CloudEventSchemaV1_0',
        },
      });
      expect(body.properties.filter.includedEventTypes).toBeUndefined();
      const listed = (await partners.call('GET', path)).body.value;
      expect(listed.map(({ type }: { type: string }) => type)).toEqual([body.type]);
      expect((await partners.call('POST', `${path}/mine/getFullUrl`)).status).toBe(200);
      expect((await partners.call('POST', `${path}/mine/getDeliveryAttributes`)).body).toEqual({ value: [] });
    });

    it('routes events by the name of the channel', async () => {
      const sent = await partners.publish('contoso', event('1', '/any'), { 'aeg-channel-name': 'ORDERS' });
      expect(sent.status).toBe(200);
      expect(await partners.received('mine')).toEqual(['1']);
      const nameless = await partners.publish('contoso', event('2', '/any'));
      expect([nameless.status, nameless.body.error.code]).toEqual([400, 'BadRequest']);
      const unknown = await partners.publish('contoso', event('2', '/any'), { 'aeg-channel-name': 'other' });
      expect([unknown.status, unknown.body.error.code]).toEqual([404, 'ChannelNotFound']);
    });

    it('lists the partners that are not hidden as verified ones', async () => {
      const list = '/providers/Vendor.EventGrid/verifiedPartners?api-version=2021-10-15-preview';
      expect((await bench.call('GET', list)).body).toEqual({ value: [] });
      const properties = {
        partnerName: 'Litware',
        partnerResourceTypeDisplayName: 'Litware events',
        longDescription: 'all of them',
        visibilityState: 'GenerallyAvailable',
      };
      const path = 'partner/partnerRegistrations/litware';
      const made = await partners.call('PUT', path, { location: 'global', properties });
      const { body } = await bench.call('GET', list);
      expect(body.value).toEqual([
        {
          properties: {
            partnerRegistrationImmutableId: made.body.properties.partnerRegistrationImmutableId,
            organizationName: 'Litware',
            partnerDisplayName: 'Litware events',
            partnerTopicDetails: { longDescription: 'all of them' },
            provisioningState: 'Succeeded',
          },
          systemData: null,
          id: '/providers/Vendor.EventGrid/verifiedPartners/litware',
          name: 'litware',
          type: 'Vendor.EventGrid/verifiedPartners',
        },
      ]);
      expect((await bench.call('GET', list.replace('?', '/LITWARE?'))).body).toEqual(body.value[0]);
      expect((await bench.call('GET', list.replace('?', '/contoso?'))).status).toBe(404);
      await partners.call('DELETE', path);
    });

    it('deletes step by step', async () => {
      const gone = await partners.call('DELETE', 'customer/partnerTopics/orders/eventSubscriptions/mine');
      expect(gone.status).toBe(202);
      const topic = await partners.call('DELETE', 'customer/partnerTopics/orders');
      expect([topic.status, topic.body]).toEqual([202, undefined]);
      expect(topic.headers.get('azure-asyncoperation')).toContain('/operationsStatus/');
      expect(topic.headers.get('location')).toContain('/operationResults/');
      const { body } = await partners.call('GET', `${NAMESPACE}/channels/orders`);
      expect(body.properties.provisioningState).toBe('IdleDueToMirroredPartnerTopicDeletion');
      expect((await partners.call('DELETE', 'customer/partnerConfigurations/default')).status).toBe(200);
      expect((await partners.call('DELETE', `${NAMESPACE}/channels/orders`)).status).toBe(204);
      expect((await partners.call('DELETE', NAMESPACE)).status).toBe(202);
      expect((await partners.call('DELETE', 'partner/partnerRegistrations/contoso')).status).toBe(200);
      for (const path of ['customer/partnerTopics/orders', NAMESPACE, 'partner/partnerRegistrations/contoso'])
        expect((await partners.call('DELETE', path)).status).toBe(204);
    });
  },
  OPTIONS,
);
