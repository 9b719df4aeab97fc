import { ProviderVersions, type VersionRow } from '../../kernel/arm/index.ts';

/** Contents of each api-version. Stable versions adopt a part of the previews before them. */

const DOMAINS = ['domains'];
const DOMAIN_TOPICS = ['domains/topics'];
/** System topics, the event subscriptions below them, and extension topics. */
const SYSTEM_TOPICS = ['systemTopics', 'systemTopics/eventSubscriptions', 'extensionTopics'];
const NESTED = ['topics/eventSubscriptions', 'domains/eventSubscriptions', 'domains/topics/eventSubscriptions'];

const LINKS = ['privateEndpointConnections', 'privateLinkResources'];
/** Private endpoints that lead to topics and domains, and to partner namespaces. */
const TOPIC_LINKS = ['topics', 'domains'].flatMap((type) => LINKS.map((name) => `${type}/${name}`));
const PARTNER_LINKS = LINKS.map((name) => `partnerNamespaces/${name}`);

const EVENT_CHANNELS = ['partnerNamespaces/eventChannels'];
const PARTNERS = ['partnerRegistrations', 'partnerNamespaces', 'partnerTopics', 'partnerTopics/eventSubscriptions'];
const CHANNELS = ['partnerNamespaces/channels', 'partnerConfigurations', 'verifiedPartners'];
const PARTNER_DESTINATIONS = ['partnerDestinations'];
/** Members that a partner describes itself with; stable versions move them elsewhere. */
const PARTNER_DETAILS = {
  partnerRegistrations: [
    'partnerName',
    'partnerResourceTypeName',
    'partnerResourceTypeDisplayName',
    'partnerResourceTypeDescription',
    'longDescription',
    'partnerCustomerServiceNumber',
    'partnerCustomerServiceExtension',
    'customerServiceUri',
    'setupUri',
    'logoUri',
    'visibilityState',
    'authorizedAzureSubscriptionIds',
  ].map((name) => `properties.${name}`),
};
const SYSTEM_DATA = ['systemData'];

/** A subscription can have a destination in two places. */
const PLACES = ['properties.destination', 'properties.deliveryWithResourceIdentity.destination'];
const inDestinations = (...names: readonly string[]): string[] =>
  PLACES.flatMap((place) => names.map((name) => `${place}.properties.${name}`));
const destinations = (...types: readonly string[]) =>
  Object.fromEntries(PLACES.map((place) => [`${place}.endpointType`, types]));

const ATTRIBUTES_OPERATIONS = ['', 'Topic', 'Domain', 'DomainTopic', 'SystemTopic', 'PartnerTopic'].map(
  (parent) => `${parent}EventSubscriptions_GetDeliveryAttributes`,
);

/** Fields of topics; domains have the same fields and two switches. */
const INPUT = ['properties.inputSchema', 'properties.inputSchemaMapping'];
const NETWORK = ['properties.publicNetworkAccess', 'properties.inboundIpRules'];
const KIND = ['kind', 'extendedLocation'];
const SWITCHES = ['properties.autoCreateTopicWithFirstSubscription', 'properties.autoDeleteTopicWithLastSubscription'];
const RESIDENCY = ['properties.dataResidencyBoundary'];
const SAFEGUARDS = ['properties.encryption', 'properties.platformCapabilities'];
const PERIMETER = { topics: { 'properties.publicNetworkAccess': ['SecuredByPerimeter'] } };

/** Fields of event subscriptions. */
const RETRIES = ['properties.retryPolicy', 'properties.deadLetterDestination'];
const SCHEMA = 'properties.eventDeliverySchema';
const ADVANCED = ['properties.filter.advancedFilters', 'properties.expirationTimeUtc'];
const BY_IDENTITY = ['properties.deliveryWithResourceIdentity', 'properties.deadLetterWithResourceIdentity'];
const OPERATOR = 'properties.filter.advancedFilters[].operatorType';

const ROWS: readonly VersionRow[] = [
  { version: '2017-06-15-preview' },
  { version: '2017-09-15-preview', adds: { fields: { topicTypes: ['properties.supportedLocations'] } } },
  { version: '2018-01-01' },
  {
    version: '2018-05-01-preview',
    adds: {
      fields: { topics: INPUT, eventSubscriptions: [...RETRIES, SCHEMA] },
      words: { eventSubscriptions: destinations('HybridConnection', 'StorageQueue') },
    },
    spells: { eventSubscriptions: { [SCHEMA]: { CustomInputSchema: 'InputEventSchema' } } },
  },
  { version: '2018-09-15-preview', adds: { types: DOMAINS, fields: { eventSubscriptions: ADVANCED } } },
  {
    version: '2019-01-01',
    as: '2018-01-01',
    adds: {
      fields: { eventSubscriptions: RETRIES },
      words: { eventSubscriptions: destinations('HybridConnection', 'StorageQueue') },
    },
  },
  {
    version: '2019-02-01-preview',
    as: '2018-09-15-preview',
    adds: { types: DOMAIN_TOPICS, words: { eventSubscriptions: destinations('ServiceBusQueue') } },
  },
  {
    version: '2019-06-01',
    as: '2019-01-01',
    adds: {
      types: [...DOMAINS, ...DOMAIN_TOPICS],
      fields: { eventSubscriptions: ADVANCED },
      words: { eventSubscriptions: destinations('ServiceBusQueue') },
    },
  },
  {
    version: '2020-01-01-preview',
    as: '2019-02-01-preview',
    adds: {
      fields: {
        topics: ['properties.metricResourceId'],
        eventSubscriptions: inDestinations(
          'maxEventsPerBatch',
          'preferredBatchSizeInKilobytes',
          'azureActiveDirectoryTenantId',
          'azureActiveDirectoryApplicationIdOrUri',
        ),
      },
      words: { eventSubscriptions: destinations('AzureFunction', 'ServiceBusTopic') },
    },
  },
  {
    version: '2020-04-01-preview',
    adds: {
      types: [...SYSTEM_TOPICS, ...PARTNERS, ...EVENT_CHANNELS, ...TOPIC_LINKS],
      fields: {
        topics: [...NETWORK, 'sku', 'identity'],
        ...PARTNER_DETAILS,
        eventSubscriptions: BY_IDENTITY,
        topicTypes: ['properties.sourceResourceFormat'],
      },
    },
  },
  {
    version: '2020-06-01',
    drops: {
      types: [...SYSTEM_TOPICS, ...PARTNERS, ...EVENT_CHANNELS],
      fields: { topics: ['sku', 'identity'], eventSubscriptions: BY_IDENTITY },
    },
  },
  {
    version: '2020-10-15-preview',
    as: '2020-04-01-preview',
    adds: {
      operations: ATTRIBUTES_OPERATIONS,
      fields: {
        // The version that introduced it is not documented: absent in 2020-04-01-preview, present in 2021-10-15-preview.
        topics: [...KIND, 'systemData'],
        'domains/topics': ['systemData'],
        partnerRegistrations: SYSTEM_DATA,
        partnerNamespaces: SYSTEM_DATA,
        partnerTopics: [...SYSTEM_DATA, 'identity'],
        'partnerNamespaces/eventChannels': [...SYSTEM_DATA, 'properties.filter.enableAdvancedFilteringOnArrays'],
        systemTopics: ['systemData', 'identity'],
        eventSubscriptions: [
          'systemData',
          'properties.filter.enableAdvancedFilteringOnArrays',
          ...inDestinations('deliveryAttributeMappings', 'queueMessageTimeToLiveInSeconds'),
        ],
        topicTypes: ['properties.supportedScopesForSource'],
      },
      words: {
        eventSubscriptions: {
          [OPERATOR]: [
            'IsNotNull',
            'IsNullOrUndefined',
            'NumberInRange',
            'NumberNotInRange',
            'StringNotBeginsWith',
            'StringNotEndsWith',
            'StringNotContains',
          ],
        },
      },
    },
  },
  {
    version: '2021-06-01-preview',
    adds: {
      types: PARTNER_LINKS,
      fields: {
        topics: ['properties.disableLocalAuth', ...SWITCHES],
        partnerNamespaces: ['properties.disableLocalAuth', ...NETWORK],
      },
    },
  },
  {
    version: '2021-10-15-preview',
    adds: {
      types: [...NESTED, ...CHANNELS, ...PARTNER_DESTINATIONS],
      fields: {
        topics: RESIDENCY,
        partnerRegistrations: ['properties.partnerRegistrationImmutableId'],
        partnerNamespaces: ['properties.partnerTopicRoutingMode'],
        partnerTopics: [
          'properties.partnerRegistrationImmutableId',
          'properties.eventTypeInfo',
          'properties.messageForActivation',
        ],
      },
      words: { eventSubscriptions: destinations('PartnerDestination') },
    },
  },
  {
    version: '2021-12-01',
    drops: {
      types: [...NESTED, ...PARTNERS, ...PARTNER_LINKS, ...EVENT_CHANNELS, ...CHANNELS, ...PARTNER_DESTINATIONS],
      fields: { topics: [...RESIDENCY, ...KIND, 'sku'], ...PARTNER_DETAILS },
      words: { eventSubscriptions: destinations('PartnerDestination') },
    },
  },
  {
    version: '2022-06-15',
    adds: { types: [...NESTED, ...PARTNERS, ...PARTNER_LINKS, ...CHANNELS], fields: { topics: RESIDENCY } },
  },
  // The live service offers this version for a few types only; it is not documented.
  {
    version: '2022-10-15-preview',
    only: ['locations/operationsStatus', 'partnerRegistrations', 'partnerConfigurations'],
  },
  {
    version: '2023-06-01-preview',
    as: '2021-10-15-preview',
    drops: { types: EVENT_CHANNELS, fields: PARTNER_DETAILS },
    adds: {
      fields: {
        topics: ['properties.minimumTlsVersionAllowed', 'properties.eventTypeInfo'],
        partnerNamespaces: ['properties.minimumTlsVersionAllowed'],
        eventSubscriptions: inDestinations('minimumTlsVersionAllowed'),
      },
    },
  },
  {
    version: '2023-12-15-preview',
    adds: { words: { ...PERIMETER, eventSubscriptions: destinations('MonitorAlert', 'NamespaceTopic') } },
  },
  { version: '2024-06-01-preview' },
  { version: '2024-12-15-preview' },
  {
    version: '2025-02-15',
    drops: {
      types: PARTNER_DESTINATIONS,
      fields: { topics: [...KIND, 'sku'] },
      words: { ...PERIMETER, eventSubscriptions: destinations('PartnerDestination') },
    },
  },
  { version: '2025-04-01-preview', as: '2024-12-15-preview' },
  { version: '2025-07-15-preview', adds: { fields: { topics: SAFEGUARDS, systemTopics: SAFEGUARDS } } },
];

export const EVENT_VERSIONS = new ProviderVersions(ROWS, {
  like: {
    domains: 'topics',
    ...Object.fromEntries(
      [...NESTED, 'systemTopics/eventSubscriptions', 'partnerTopics/eventSubscriptions'].map((type) => [
        type,
        'eventSubscriptions',
      ]),
    ),
  },
});
