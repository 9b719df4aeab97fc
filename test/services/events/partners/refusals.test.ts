import { expect, it } from 'vitest';
import { OTHER_SUBSCRIPTION, onAnyStore, SUBSCRIPTION } from '../../../support/jars.ts';
import type { Body } from '../topics/grid.ts';
import { event, groupId, idIn, OPTIONS, Partners } from './support.ts';

const REGISTRATION = idIn('partner', 'partnerRegistrations/contoso');
const NAMESPACE = 'partner/partnerNamespaces/contoso';
const CHANNEL = `${NAMESPACE}/channels/new`;
const CONFIGURATION = 'customer/partnerConfigurations/default';
const AUTHORIZE = `${CONFIGURATION}/authorizePartner`;
const ofNamespace = (properties: Body): Body => ({ location: 'westus', properties });
const ofTopic = (info: Body, more: Body = {}): Body => ({
  properties: {
    channelType: 'PartnerTopic',
    partnerTopicInfo: { resourceGroupName: 'customer', name: 'new', source: '/new', ...info },
    ...more,
  },
});
const ofDestination = (properties: Body): Body => ({
  properties: {
    channelType: 'PartnerDestination',
    partnerDestinationInfo: { resourceGroupName: 'customer', name: 'new', endpointType: 'WebHook', properties },
  },
});
const INFO = 'properties.partnerTopicInfo';
const DESTINATION = 'properties.partnerDestinationInfo';
const YEAR_2000 = '2000-01-01T00:00:00Z';
const YEAR_2100 = '2100-01-01T00:00:00Z';

type Case = readonly [
  title: string,
  method: string,
  path: string,
  body: Body,
  status: number,
  code: string,
  target?: string,
];

const CASES: readonly Case[] = [
  [
    'a registration in a region',
    'PUT',
    'partner/partnerRegistrations/new',
    { location: 'westus' },
    400,
    'LocationNotAvailableForResourceType',
    'location',
  ],
  [
    'a registration with a short name',
    'PUT',
    'partner/partnerRegistrations/ab',
    { location: 'global' },
    400,
    'InvalidRequest',
    'name',
  ],
  [
    'a registration that is seen by some',
    'PUT',
    'partner/partnerRegistrations/new',
    { location: 'global', properties: { visibilityState: 'Some' } },
    400,
    'InvalidRequest',
    'properties.visibilityState',
  ],
  [
    'a name of a partner that is no text',
    'PUT',
    'partner/partnerRegistrations/new',
    { location: 'global', properties: { partnerName: 7 } },
    400,
    'InvalidRequestContent',
    'properties.partnerName',
  ],
  [
    'a namespace without a registration',
    'PUT',
    'partner/partnerNamespaces/new',
    { location: 'westus' },
    400,
    'InvalidRequest',
    'properties.partnerRegistrationFullyQualifiedId',
  ],
  [
    'a namespace of a registration that is none',
    'PUT',
    'partner/partnerNamespaces/new',
    ofNamespace({ partnerRegistrationFullyQualifiedId: `${REGISTRATION}x` }),
    400,
    'InvalidRequest',
    'properties.partnerRegistrationFullyQualifiedId',
  ],
  [
    'a namespace of a topic',
    'PUT',
    'partner/partnerNamespaces/new',
    ofNamespace({ partnerRegistrationFullyQualifiedId: idIn('partner', 'topics/t') }),
    400,
    'InvalidRequestContent',
    'properties.partnerRegistrationFullyQualifiedId',
  ],
  [
    'a registration of another tenant',
    'PUT',
    'partner/partnerNamespaces/new',
    ofNamespace({ partnerRegistrationFullyQualifiedId: REGISTRATION.replace(SUBSCRIPTION, OTHER_SUBSCRIPTION) }),
    400,
    'InvalidRequest',
    'properties.partnerRegistrationFullyQualifiedId',
  ],
  [
    'another way to route events',
    'PUT',
    NAMESPACE,
    ofNamespace({ partnerRegistrationFullyQualifiedId: REGISTRATION, partnerTopicRoutingMode: 'ChannelNameHeader' }),
    400,
    'InvalidRequest',
    'properties.partnerTopicRoutingMode',
  ],
  [
    'an address that is none',
    'PATCH',
    NAMESPACE,
    { properties: { inboundIpRules: [{ ipMask: 'x' }] } },
    400,
    'InvalidRequest',
    'properties.inboundIpRules[0].ipMask',
  ],
  ['a third key', 'POST', `${NAMESPACE}/regenerateKey`, { keyName: 'key3' }, 400, 'InvalidRequest', 'keyName'],
  ['keys of no namespace', 'POST', 'partner/partnerNamespaces/none/listKeys', undefined, 404, 'ResourceNotFound'],
  ['a second configuration', 'PUT', 'customer/partnerConfigurations/other', {}, 400, 'InvalidRequest', 'name'],
  [
    'a partner without a name',
    'PUT',
    CONFIGURATION,
    { properties: { partnerAuthorization: { authorizedPartnersList: [{}] } } },
    400,
    'InvalidRequest',
    'properties.partnerAuthorization.authorizedPartnersList[0].partnerRegistrationImmutableId',
  ],
  [
    'more days than a year',
    'PATCH',
    CONFIGURATION,
    { properties: { defaultMaximumExpirationTimeInDays: 366 } },
    400,
    'InvalidRequestContent',
    'properties.defaultMaximumExpirationTimeInDays',
  ],
  [
    'no day at all',
    'PATCH',
    CONFIGURATION,
    { properties: { defaultMaximumExpirationTimeInDays: 0 } },
    400,
    'InvalidRequestContent',
    'properties.defaultMaximumExpirationTimeInDays',
  ],
  [
    'an authorization that has ended',
    'POST',
    AUTHORIZE,
    { partnerName: 'a', authorizationExpirationTimeInUtc: YEAR_2000 },
    400,
    'InvalidRequest',
    'authorizationExpirationTimeInUtc',
  ],
  [
    'an authorization beyond the most days',
    'POST',
    AUTHORIZE,
    { partnerName: 'a', authorizationExpirationTimeInUtc: YEAR_2100 },
    400,
    'InvalidRequest',
    'authorizationExpirationTimeInUtc',
  ],
  ['an authorization of nobody', 'POST', AUTHORIZE, {}, 400, 'InvalidRequest', 'partnerRegistrationImmutableId'],
  [
    'an authorization where there is no configuration',
    'POST',
    'partner/partnerConfigurations/default/authorizePartner',
    { partnerName: 'a' },
    404,
    'ResourceNotFound',
  ],
  ['a channel of no kind', 'PUT', CHANNEL, { properties: {} }, 400, 'InvalidRequest', 'properties.channelType'],
  ['a channel without a body', 'PUT', CHANNEL, {}, 400, 'InvalidRequest', 'properties.channelType'],
  [
    'a channel without a target',
    'PUT',
    CHANNEL,
    { properties: { channelType: 'PartnerTopic' } },
    400,
    'InvalidRequest',
    INFO,
  ],
  ['a channel with a bad name', 'PUT', `${NAMESPACE}/channels/a_b_c`, ofTopic({}), 400, 'InvalidRequest', 'name'],
  [
    'a channel of no namespace',
    'PUT',
    'partner/partnerNamespaces/none/channels/new',
    ofTopic({}),
    404,
    'ResourceNotFound',
  ],
  [
    'a partner topic without a source',
    'PUT',
    CHANNEL,
    ofTopic({ source: '' }),
    400,
    'InvalidRequest',
    `${INFO}.source`,
  ],
  [
    'a partner topic with a bad name',
    'PUT',
    CHANNEL,
    ofTopic({ name: 'a b c' }),
    400,
    'InvalidRequestContent',
    `${INFO}.name`,
  ],
  [
    'a group that is not there',
    'PUT',
    CHANNEL,
    ofTopic({ resourceGroupName: 'nowhere' }),
    400,
    'InvalidRequest',
    `${INFO}.resourceGroupName`,
  ],
  [
    'a subscription that is not there',
    'PUT',
    CHANNEL,
    ofTopic({ azureSubscriptionId: 'x' }),
    400,
    'InvalidRequest',
    `${INFO}.azureSubscriptionId`,
  ],
  [
    'a subscription of another tenant',
    'PUT',
    CHANNEL,
    ofTopic({ azureSubscriptionId: OTHER_SUBSCRIPTION }),
    400,
    'InvalidRequest',
    `${INFO}.azureSubscriptionId`,
  ],
  [
    'a group that has not authorized the partner',
    'PUT',
    CHANNEL,
    ofTopic({ resourceGroupName: 'partner' }),
    403,
    'PartnerNotAuthorized',
  ],
  [
    'a time that has passed',
    'PUT',
    CHANNEL,
    ofTopic({}, { expirationTimeIfNotActivatedUtc: YEAR_2000 }),
    400,
    'InvalidRequest',
    'properties.expirationTimeIfNotActivatedUtc',
  ],
  [
    'a time that is none',
    'PATCH',
    `${NAMESPACE}/channels/orders`,
    { properties: { expirationTimeIfNotActivatedUtc: 'soon' } },
    400,
    'InvalidRequestContent',
    'properties.expirationTimeIfNotActivatedUtc',
  ],
  [
    'a source that another channel has',
    'PUT',
    CHANNEL,
    ofTopic({ source: '/contoso/orders' }),
    409,
    'SourceAlreadyRouted',
  ],
  ['a partner topic of another channel', 'PUT', CHANNEL, ofTopic({ name: 'orders' }), 409, 'PartnerResourceExists'],
  [
    'another target',
    'PUT',
    `${NAMESPACE}/channels/orders`,
    ofTopic({ source: '/contoso/orders' }),
    400,
    'InvalidRequest',
    'properties',
  ],
  [
    'another source',
    'PUT',
    `${NAMESPACE}/channels/orders`,
    ofTopic({ name: 'orders' }),
    400,
    'InvalidRequest',
    'properties',
  ],
  [
    'a destination without an address',
    'PUT',
    CHANNEL,
    ofDestination({}),
    400,
    'InvalidRequest',
    `${DESTINATION}.properties.endpointUrl`,
  ],
  [
    'a destination with plain http',
    'PUT',
    CHANNEL,
    ofDestination({ endpointUrl: 'http://partner.example' }),
    400,
    'InvalidRequest',
    `${DESTINATION}.properties.endpointUrl`,
  ],
  [
    'a destination with half a directory',
    'PUT',
    CHANNEL,
    ofDestination({
      endpointUrl: 'https://partner.example',
      clientAuthentication: { clientAuthenticationType: 'AzureAD', properties: {} },
    }),
    400,
    'InvalidRequest',
    `${DESTINATION}.properties.clientAuthentication.properties.azureActiveDirectoryTenantId`,
  ],
  [
    'the address of a channel without one',
    'POST',
    `${NAMESPACE}/channels/orders/getFullUrl`,
    undefined,
    400,
    'InvalidRequest',
  ],
  ['a change of no channel', 'PATCH', `${NAMESPACE}/channels/none`, {}, 404, 'ResourceNotFound'],
  [
    'a partner topic of nobody',
    'PUT',
    'customer/partnerTopics/mine',
    { location: 'westus' },
    400,
    'InvalidRequest',
    'name',
  ],
  ['an activation of nothing', 'POST', 'customer/partnerTopics/none/activate', undefined, 404, 'ResourceNotFound'],
  ['channels of no namespace', 'GET', 'partner/partnerNamespaces/none/channels', undefined, 404, 'ResourceNotFound'],
  [
    'an event subscription below no partner topic',
    'PUT',
    'customer/partnerTopics/none/eventSubscriptions/mine',
    { properties: {} },
    404,
    'ParentResourceNotFound',
  ],
  [
    'native events of a partner topic',
    'PUT',
    'customer/partnerTopics/orders/eventSubscriptions/mine',
    { properties: { eventDeliverySchema: 'EventGridSchema' } },
    400,
    'InvalidRequest',
    'properties.eventDeliverySchema',
  ],
];

onAnyStore(
  'what is refused to partners and customers',
  (bench) => {
    const partners = new Partners(bench);
    const all = async (): Promise<unknown> => {
      const found = await Promise.all(
        ['partner', 'customer'].map((group) => bench.call('GET', `${groupId(group)}/resources?api-version=2021-04-01`)),
      );
      const channels = await partners.call('GET', `${NAMESPACE}/channels`);
      return [...found, channels].map(({ body }) => body);
    };

    it('begins with a channel', async () => {
      await partners.begin();
      await partners.namespace('contoso');
      expect((await partners.channel('contoso', 'orders')).status).toBe(200);
    });

    it.each(CASES)('is %s', async (_title, method, path, body, status, code, target) => {
      const before = await all();
      const reply = await partners.call(method, path, body);
      expect([reply.status, reply.body.error.code, reply.body.error.target]).toEqual([status, code, target]);
      expect(await all()).toEqual(before);
    });

    it.each([
      ['GET', 'partner/partnerRegistrations/contoso'],
      ['POST', `${NAMESPACE}/listKeys`],
      ['GET', `${NAMESPACE}/channels/orders`],
      ['POST', 'customer/partnerTopics/orders/activate'],
      ['DELETE', 'customer/partnerTopics/orders'],
    ])('is everything to a caller of another tenant: %s %s', async (method, path) => {
      const token = await bench.jar.token({ user: 'other' });
      const { status, body } = await partners.call(method, path, undefined, undefined, token);
      expect([status, body.error.code]).toEqual([401, 'InvalidAuthenticationTokenTenant']);
    });

    it.each([
      ['partnerRegistrations/contoso', '2021-12-01'],
      ['partnerNamespaces/contoso/channels/orders', '2021-06-01-preview'],
      ['partnerNamespaces/contoso/eventChannels/orders', '2022-06-15'],
      ['partnerDestinations/orders', '2025-02-15'],
      ['partnerConfigurations/default', '2020-04-01-preview'],
    ])('is %s to clients of %s', async (path, version) => {
      const { status, body } = await partners.call('GET', `partner/${path}`, undefined, version);
      expect([status, body.error.code]).toEqual([400, 'NoRegisteredProviderFound']);
    });

    it.each([
      ['partnerRegistrations/contoso', '2022-10-15-preview'],
      ['partnerNamespaces/contoso/channels/orders', '2022-06-15'],
      ['partnerNamespaces/contoso/channels/orders', '2025-02-15'],
    ])('is not %s to clients of %s', async (path, version) => {
      expect((await partners.call('GET', `partner/${path}`, undefined, version)).status).toBe(200);
    });

    it('is a batch with one event of an unknown source, as a whole', async () => {
      await partners.activate('orders');
      await partners.subscribe('orders', 'orders');
      const sent = await partners.publish('contoso', [event('1', '/contoso/orders'), event('2', '/other')]);
      expect([sent.status, sent.body.error.code]).toEqual([400, 'BadRequest']);
      expect(sent.body.error.details).toMatchObject([{ code: 'InputJsonInvalid', target: '[1].source' }]);
      const native = [{ id: '1', eventType: 'a', subject: 's', eventTime: '2030-01-01T00:00:00Z', data: {} }];
      const wrong = await partners.publish('contoso', native, { 'content-type': 'application/json' });
      expect(wrong.status).toBe(400);
      const keyless = await partners.publish('contoso', event('1', '/contoso/orders'), { 'aeg-sas-key': 'none' });
      expect([keyless.status, keyless.body.error.code]).toEqual([401, 'Unauthorized']);
      expect(await partners.received('orders')).toEqual([]);
      expect((await partners.publish('contoso', event('3', '/contoso/orders'))).status).toBe(200);
      expect(await partners.received('orders')).toEqual(['3']);
    });
  },
  OPTIONS,
);
