import { AT_GROUP, hook, queue } from './bench.ts';

const account = `${AT_GROUP}/providers/Microsoft.Storage/storageAccounts/shop`;
const to = (endpointType: unknown, properties: unknown) => ({ destination: { endpointType, properties } });
const idOf = (tail: string) => `${AT_GROUP}/providers/Microsoft.${tail}`;
const HOOK = 'https://hooks.example/in';
const mapped = (...deliveryAttributeMappings: unknown[]) => hook(HOOK, { deliveryAttributeMappings });
const fixed = (name: unknown, value: unknown = 'x', more: object = {}) => ({
  name,
  type: 'Static',
  properties: { value, ...more },
});

/** Invalid bodies, with the fields that the error names. */
export const WRONG: readonly (readonly [what: string, properties: unknown, targets: readonly string[]])[] = [
  ['properties that are no object', 'text', ['properties']],
  ['a destination that is no object', { destination: [] }, ['properties.destination']],
  ['no endpoint type', { destination: { properties: {} } }, ['properties.destination.endpointType']],
  ['an unknown endpoint type', to('Pigeon', {}), ['properties.destination.endpointType']],
  [
    'no properties of a destination',
    { destination: { endpointType: 'WebHook' } },
    ['properties.destination.properties'],
  ],
  ['a web hook without an address', to('WebHook', {}), ['properties.destination.properties.endpointUrl']],
  ['an address that is none', hook('hooks.example'), ['properties.destination.properties.endpointUrl']],
  ['an address that is no text', hook(5 as never), ['properties.destination.properties.endpointUrl']],
  ['plain http', hook('http://hooks.example/in'), ['properties.destination.properties.endpointUrl']],
  ['another protocol', hook('ftp://hooks.example/in'), ['properties.destination.properties.endpointUrl']],
  [
    'a huge address',
    hook(`https://hooks.example/${'x'.repeat(9000)}`),
    ['properties.destination.properties.endpointUrl'],
  ],
  [
    'a base address of nothing',
    to('WebHook', { endpointBaseUrl: HOOK }),
    ['properties.destination.properties.endpointUrl'],
  ],
  ['an empty batch', hook(HOOK, { maxEventsPerBatch: 0 }), ['properties.destination.properties.maxEventsPerBatch']],
  ['a huge batch', hook(HOOK, { maxEventsPerBatch: 5001 }), ['properties.destination.properties.maxEventsPerBatch']],
  ['half an event', hook(HOOK, { maxEventsPerBatch: 1.5 }), ['properties.destination.properties.maxEventsPerBatch']],
  [
    'huge kilobytes',
    hook(HOOK, { preferredBatchSizeInKilobytes: 1025 }),
    ['properties.destination.properties.preferredBatchSizeInKilobytes'],
  ],
  [
    'an unknown version of TLS',
    hook(HOOK, { minimumTlsVersionAllowed: '0.9' }),
    ['properties.destination.properties.minimumTlsVersionAllowed'],
  ],
  [
    'a function by a wrong id',
    to('AzureFunction', { resourceId: account }),
    ['properties.destination.properties.resourceId'],
  ],
  ['a hub without an id', to('EventHub', {}), ['properties.destination.properties.resourceId']],
  [
    'a hub of another prefix',
    to('EventHub', { resourceId: idOf('EventHub/namespaces/n/eventhubs/h').replace('Microsoft', 'Other') }),
    ['properties.destination.properties.resourceId'],
  ],
  [
    'a hub without a name',
    to('EventHub', { resourceId: idOf('EventHub/namespaces/n') }),
    ['properties.destination.properties.resourceId'],
  ],
  [
    'a topic for a queue',
    to('ServiceBusQueue', { resourceId: idOf('ServiceBus/namespaces/n/topics/t') }),
    ['properties.destination.properties.resourceId'],
  ],
  [
    'a queue for a topic',
    to('ServiceBusTopic', { resourceId: idOf('ServiceBus/namespaces/n/queues/q') }),
    ['properties.destination.properties.resourceId'],
  ],
  [
    'an id that is no text',
    to('HybridConnection', { resourceId: {} }),
    ['properties.destination.properties.resourceId'],
  ],
  [
    'a subscription id that is none',
    to('StorageQueue', {
      resourceId: '/subscriptions/x/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/a',
      queueName: 'abc',
    }),
    ['properties.destination.properties.resourceId'],
  ],
  [
    'a queue without a name',
    to('StorageQueue', { resourceId: account }),
    ['properties.destination.properties.queueName'],
  ],
  [
    'a queue with a bad name',
    to('StorageQueue', { resourceId: account, queueName: 'Bad--Name' }),
    ['properties.destination.properties.queueName'],
  ],
  [
    'a time to live of nothing',
    to('StorageQueue', { resourceId: account, queueName: 'abc', queueMessageTimeToLiveInSeconds: 0 }),
    ['properties.destination.properties.queueMessageTimeToLiveInSeconds'],
  ],
  ['an alert without a severity', to('MonitorAlert', {}), ['properties.destination.properties.severity']],
  [
    'an alert of an unknown severity',
    to('MonitorAlert', { severity: 'Sev9' }),
    ['properties.destination.properties.severity'],
  ],
  [
    'an alert for no action group',
    to('MonitorAlert', { severity: 'sev1', actionGroups: [account] }),
    ['properties.destination.properties.actionGroups[0]'],
  ],
  [
    'a topic of no namespace',
    to('NamespaceTopic', { resourceId: idOf('EventGrid/topics/t') }),
    ['properties.destination.properties.resourceId'],
  ],
  [
    'too many attributes',
    mapped(...Array.from({ length: 11 }, (_, i) => fixed(`x-${i}`))),
    ['properties.destination.properties.deliveryAttributeMappings'],
  ],
  [
    'an attribute of the service',
    mapped(fixed('Aeg-Mine')),
    ['properties.destination.properties.deliveryAttributeMappings[0].name'],
  ],
  [
    'an attribute that is no header',
    mapped(fixed('a b')),
    ['properties.destination.properties.deliveryAttributeMappings[0].name'],
  ],
  [
    'an attribute of the connection',
    mapped(fixed('Content-Length')),
    ['properties.destination.properties.deliveryAttributeMappings[0].name'],
  ],
  [
    'two attributes of one name',
    mapped(fixed('x-a'), fixed('X-A')),
    ['properties.destination.properties.deliveryAttributeMappings[1].name'],
  ],
  [
    'a huge value',
    mapped(fixed('x-a', 'é'.repeat(2049))),
    ['properties.destination.properties.deliveryAttributeMappings[0].properties.value'],
  ],
  [
    'a secret without a value',
    mapped(fixed('x-a', null, { isSecret: true })),
    ['properties.destination.properties.deliveryAttributeMappings[0].properties.value'],
  ],
  [
    'a secret without a value, by a name that every object has',
    mapped(fixed('constructor', null, { isSecret: true })),
    ['properties.destination.properties.deliveryAttributeMappings[0].properties.value'],
  ],
  [
    'the name of no member',
    mapped(fixed('__proto__', 'x', { isSecret: true })),
    ['properties.destination.properties.deliveryAttributeMappings[0].name'],
  ],
  [
    'a source of nothing',
    mapped({ name: 'x-a', type: 'dynamic', properties: {} }),
    ['properties.destination.properties.deliveryAttributeMappings[0].properties.sourceField'],
  ],
  [
    'an attribute of no type',
    mapped({ name: 'x-a', properties: { value: 'x' } }),
    ['properties.destination.properties.deliveryAttributeMappings[0].type'],
  ],
  ['an attribute that is no object', mapped('x-a'), ['properties.destination.properties.deliveryAttributeMappings[0]']],
  [
    'a dead letter of another kind',
    queue({ deadLetterDestination: { endpointType: 'StorageQueue', properties: {} } }),
    ['properties.deadLetterDestination.endpointType'],
  ],
  [
    'a dead letter without anything',
    queue({ deadLetterDestination: { endpointType: 'StorageBlob', properties: {} } }),
    [
      'properties.deadLetterDestination.properties.resourceId',
      'properties.deadLetterDestination.properties.blobContainerName',
    ],
  ],
  [
    'a bad container',
    queue({
      deadLetterDestination: {
        endpointType: 'StorageBlob',
        properties: { resourceId: account, blobContainerName: '-' },
      },
    }),
    ['properties.deadLetterDestination.properties.blobContainerName'],
  ],
  [
    'both destinations',
    { ...queue(), deliveryWithResourceIdentity: { identity: { type: 'SystemAssigned' }, ...queue() } },
    ['properties.deliveryWithResourceIdentity', 'properties.deliveryWithResourceIdentity.identity.type'],
  ],
  [
    'an identity that a group cannot have',
    { deliveryWithResourceIdentity: { identity: { type: 'systemassigned' }, ...queue() } },
    ['properties.deliveryWithResourceIdentity.identity.type'],
  ],
  ['no identity', { deliveryWithResourceIdentity: queue() }, ['properties.deliveryWithResourceIdentity.identity']],
  [
    'an identity for nothing',
    { deliveryWithResourceIdentity: { identity: { type: 'UserAssigned' } } },
    [
      'properties.deliveryWithResourceIdentity.destination',
      'properties.deliveryWithResourceIdentity.identity.userAssignedIdentity',
    ],
  ],
  ['labels that are no list', queue({ labels: 'a' }), ['properties.labels']],
  ['a label that is no text', queue({ labels: ['a', 1] }), ['properties.labels[1]']],
  ['a time that is none', queue({ expirationTimeUtc: 'tomorrow' }), ['properties.expirationTimeUtc']],
  ['a time in the past', queue({ expirationTimeUtc: '2001-01-01T00:00:00Z' }), ['properties.expirationTimeUtc']],
  ['an unknown schema', queue({ eventDeliverySchema: 'Xml' }), ['properties.eventDeliverySchema']],
  [
    'a schema that native events cannot have',
    queue({ eventDeliverySchema: 'CustomInputSchema' }),
    ['properties.eventDeliverySchema'],
  ],
  ['no attempts', queue({ retryPolicy: { maxDeliveryAttempts: 0 } }), ['properties.retryPolicy.maxDeliveryAttempts']],
  [
    'too many attempts for too long',
    queue({ retryPolicy: { maxDeliveryAttempts: 31, eventTimeToLiveInMinutes: 1441 } }),
    ['properties.retryPolicy.maxDeliveryAttempts', 'properties.retryPolicy.eventTimeToLiveInMinutes'],
  ],
  [
    'a filter that is none',
    queue({ filter: { advancedFilters: [{ operatorType: 'Maybe', key: 'a' }] } }),
    ['properties.filter.advancedFilters[0].operatorType'],
  ],
  [
    'mistakes everywhere',
    { ...hook('x', { maxEventsPerBatch: -1 }), filter: 5, labels: [null], retryPolicy: [], expirationTimeUtc: 7 },
    [
      'properties.destination.properties.endpointUrl',
      'properties.destination.properties.maxEventsPerBatch',
      'properties.filter',
      'properties.labels[0]',
      'properties.expirationTimeUtc',
      'properties.retryPolicy',
    ],
  ],
];
