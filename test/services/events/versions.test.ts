import { EventGridManagementClient } from '@azure/arm-eventgrid';
import { describe, expect, it } from 'vitest';
import { SUBSCRIPTION_TYPES } from '../../../src/services/events/subscriptions/types.ts';
import { SYSTEM_TOPIC } from '../../../src/services/events/system-topics/kind.ts';
import { TOPIC_TYPES } from '../../../src/services/events/topics/types.ts';
import { EVENT_VERSIONS } from '../../../src/services/events/version-table.ts';
import { onAnyStore, onBothStores, SUBSCRIPTION } from '../../support/jars.ts';
import { type Body, expectedNames, fieldNames, type Milestone } from '../field-names.ts';
import { Grid } from './topics/grid.ts';

const NEWEST = '2025-07-15-preview';
const NETWORK = ['properties.publicNetworkAccess', 'properties.inboundIpRules'];
const SWITCHES = ['properties.autoCreateTopicWithFirstSubscription', 'properties.autoDeleteTopicWithLastSubscription'];
const KIND = ['kind', 'extendedLocation'];

/** Members of answers about topics and domains, by api-version, as the vendor documents them. */
const OF_TOPICS: readonly Milestone[] = [
  { version: '2017-06-15-preview' },
  { version: '2017-09-15-preview' },
  { version: '2018-01-01' },
  { version: '2018-05-01-preview', appeared: ['properties.inputSchema', 'properties.inputSchemaMapping'] },
  { version: '2018-09-15-preview' },
  { version: '2019-01-01', after: '2018-01-01' },
  { version: '2019-02-01-preview', after: '2018-09-15-preview' },
  { version: '2019-06-01', after: '2019-01-01' },
  { version: '2020-01-01-preview', after: '2019-02-01-preview', appeared: ['properties.metricResourceId'] },
  { version: '2020-04-01-preview', appeared: [...NETWORK, 'sku', 'identity'] },
  { version: '2020-06-01', vanished: ['sku', 'identity'] },
  { version: '2020-10-15-preview', after: '2020-04-01-preview', appeared: [...KIND, 'systemData'] },
  { version: '2021-06-01-preview', appeared: ['properties.disableLocalAuth', ...SWITCHES] },
  { version: '2021-10-15-preview', appeared: ['properties.dataResidencyBoundary'] },
  { version: '2021-12-01', vanished: ['properties.dataResidencyBoundary', 'sku', ...KIND] },
  { version: '2022-06-15', appeared: ['properties.dataResidencyBoundary'] },
  {
    version: '2023-06-01-preview',
    after: '2021-10-15-preview',
    appeared: ['properties.minimumTlsVersionAllowed'],
  },
  { version: '2023-12-15-preview' },
  { version: '2024-06-01-preview' },
  { version: '2024-12-15-preview' },
  { version: '2025-02-15', vanished: ['sku', ...KIND] },
  { version: '2025-04-01-preview', after: '2024-12-15-preview' },
  { version: NEWEST },
];

const VERSIONS = OF_TOPICS.map(({ version }) => version);

const destination = (name: string): string[] => [
  `properties.destination.properties.${name}`,
  `properties.deliveryWithResourceIdentity.destination.properties.${name}`,
];
const RETRIES = ['properties.retryPolicy', 'properties.deadLetterDestination'];
const ADVANCED = ['properties.filter.advancedFilters', 'properties.expirationTimeUtc'];
const BY_IDENTITY = ['properties.deliveryWithResourceIdentity', 'properties.deadLetterWithResourceIdentity'];

/** The same for event subscriptions. */
const OF_SUBSCRIPTIONS: readonly Milestone[] = [
  { version: '2017-06-15-preview' },
  { version: '2017-09-15-preview' },
  { version: '2018-01-01' },
  { version: '2018-05-01-preview', appeared: [...RETRIES, 'properties.eventDeliverySchema'] },
  { version: '2018-09-15-preview', appeared: ADVANCED },
  { version: '2019-01-01', after: '2018-01-01', appeared: RETRIES },
  { version: '2019-02-01-preview', after: '2018-09-15-preview' },
  { version: '2019-06-01', after: '2019-01-01', appeared: ADVANCED },
  {
    version: '2020-01-01-preview',
    after: '2019-02-01-preview',
    appeared: [...destination('maxEventsPerBatch'), ...destination('preferredBatchSizeInKilobytes')],
  },
  { version: '2020-04-01-preview', appeared: BY_IDENTITY },
  { version: '2020-06-01', vanished: BY_IDENTITY },
  {
    version: '2020-10-15-preview',
    after: '2020-04-01-preview',
    appeared: [
      'systemData',
      'properties.filter.enableAdvancedFilteringOnArrays',
      ...destination('deliveryAttributeMappings'),
      ...destination('queueMessageTimeToLiveInSeconds'),
    ],
  },
  ...['2021-06-01-preview', '2021-10-15-preview', '2021-12-01', '2022-06-15'].map((version) => ({ version })),
  ...VERSIONS.slice(VERSIONS.indexOf('2023-06-01-preview')).map((version) => ({ version })),
];

const RESOURCES = `/subscriptions/${SUBSCRIPTION}/resourceGroups/versions/providers`;
const HUB = `${RESOURCES}/Vendor.EventHub/namespaces/n/eventhubs/h`;
const FUNCTION = `${RESOURCES}/Vendor.Web/sites/s/functions/f`;
const STORAGE = `${RESOURCES}/Vendor.Storage/storageAccounts/store`;
const BUS = `${RESOURCES}/Vendor.ServiceBus/namespaces/n`;
const deadLetters = { endpointType: 'StorageBlob', properties: { resourceId: STORAGE, blobContainerName: 'dead' } };
const attributes = [{ name: 'X-From', type: 'Static', properties: { value: 'shop', isSecret: false } }];
const hub = { endpointType: 'EventHub', properties: { resourceId: HUB } };

/** Event subscriptions with every field, without a handshake. */
const FULL: Readonly<Record<string, Body>> = {
  'to-hub': {
    destination: { endpointType: 'EventHub', properties: { resourceId: HUB, deliveryAttributeMappings: attributes } },
    deadLetterDestination: deadLetters,
    retryPolicy: { maxDeliveryAttempts: 3, eventTimeToLiveInMinutes: 60 },
    labels: ['one'],
    expirationTimeUtc: '2099-01-01T00:00:00Z',
    eventDeliverySchema: 'CustomInputSchema',
    filter: {
      subjectBeginsWith: 'a',
      includedEventTypes: ['Made'],
      enableAdvancedFilteringOnArrays: true,
      advancedFilters: [{ operatorType: 'StringIn', key: 'data.a', values: ['b'] }],
    },
  },
  'to-function': {
    destination: { endpointType: 'AzureFunction', properties: { resourceId: FUNCTION, maxEventsPerBatch: 5 } },
  },
  'with-identity': {
    deliveryWithResourceIdentity: {
      identity: { type: 'SystemAssigned' },
      destination: { endpointType: 'StorageQueue', properties: { resourceId: STORAGE, queueName: 'orders' } },
    },
    deadLetterWithResourceIdentity: { identity: { type: 'SystemAssigned' }, deadLetterDestination: deadLetters },
  },
};

const topicBody = (): Body => ({
  location: 'westus',
  tags: { team: 'shop' },
  sku: { name: 'Basic' },
  kind: 'Azure',
  extendedLocation: { name: 'edge', type: 'CustomLocation' },
  identity: { type: 'SystemAssigned' },
  properties: {
    inputSchema: 'CustomEventSchema',
    inputSchemaMapping: { inputSchemaMappingType: 'Json', properties: { subject: { defaultValue: 's' } } },
    publicNetworkAccess: 'Enabled',
    inboundIpRules: [{ ipMask: '10.0.0.0/8', action: 'Allow' }],
    disableLocalAuth: false,
    minimumTlsVersionAllowed: '1.2',
    dataResidencyBoundary: 'WithinRegion',
  },
});

const MAPS = ['tags', 'systemData'];
const sorted = (names: Iterable<string>): string[] => [...names].sort();

onBothStores('api-versions of events', (bench) => {
  const grid = new Grid(bench, 'versions');
  const at = (path: string, version: string): string => `${path}?api-version=${version}`;
  const get = async (path: string, version: string): Promise<Body> => (await grid.get(at(path, version))).body;
  const subscription = (name: string): string => `topics/whole/providers/Vendor.EventGrid/eventSubscriptions/${name}`;

  it.each([
    ['topics', OF_TOPICS],
    ['domains', OF_TOPICS.slice(4).filter(({ version }) => version !== '2019-01-01')],
  ] as const)(
    'show of %s what each of them has, in answers and in lists, and change nothing by that',
    async (type, milestones) => {
      const place = type === 'topics' ? 'topics/whole' : 'domains/whole-domain';
      const made = await grid.put(at(place, NEWEST), topicBody());
      expect(made.status).toBe(201);
      await bench.jar.settled();
      const whole = await get(place, NEWEST);
      const expected = expectedNames(fieldNames(whole, MAPS), OF_TOPICS);
      for (const { version } of milestones) {
        const names = sorted(expected.get(version) ?? []);
        expect(sorted(fieldNames(await get(place, version), MAPS)), version).toEqual(names);
        const { value } = await get(type, version);
        expect(sorted(fieldNames(value[0], MAPS)), `list ${version}`).toEqual(names);
      }
      expect(await get(place, NEWEST)).toEqual(whole);
    },
  );

  it('show the fields of event subscriptions that each version has', async () => {
    for (const [name, properties] of Object.entries(FULL)) {
      const made = await grid.put(at(subscription(name), NEWEST), { properties });
      expect(made.body.error).toBeUndefined();
    }
    await bench.jar.settled();
    for (const name of Object.keys(FULL)) {
      const whole = await get(subscription(name), NEWEST);
      const expected = expectedNames(fieldNames(whole, MAPS), OF_SUBSCRIPTIONS);
      for (const version of VERSIONS) {
        const names = sorted(expected.get(version) ?? []);
        expect(sorted(fieldNames(await get(subscription(name), version), MAPS)), `${name} ${version}`).toEqual(names);
        const { value } = await get('topics/whole/providers/Vendor.EventGrid/eventSubscriptions', version);
        const listed = value.find((it: Body) => it.name === name);
        expect(sorted(fieldNames(listed, MAPS)), `list ${name} ${version}`).toEqual(names);
      }
      expect(await get(subscription(name), NEWEST)).toEqual(whole);
    }
  });

  it('write enumeration values in the spelling of their time', async () => {
    const schema = async (version: string) =>
      (await get(subscription('to-hub'), version)).properties.eventDeliverySchema;
    expect(await schema('2018-05-01-preview')).toBe('InputEventSchema');
    expect(await schema('2018-09-15-preview')).toBe('CustomInputSchema');
    const put = (version: string, eventDeliverySchema: string) =>
      grid.put(at(subscription('spelled'), version), { properties: { destination: hub, eventDeliverySchema } });
    expect((await put('2018-05-01-preview', 'CustomInputSchema')).body.error.message).toContain('InputEventSchema');
    expect((await put('2018-05-01-preview', 'inputEventSchema')).body.properties.eventDeliverySchema).toBe(
      'InputEventSchema',
    );
    expect((await get(subscription('spelled'), NEWEST)).properties.eventDeliverySchema).toBe('CustomInputSchema');
  });

  it('keep, by a PATCH with the oldest of them, what newer ones have set, for a topic and a subscription', async () => {
    const topic = await get('topics/whole', NEWEST);
    expect((await grid.patch(at('topics/whole', '2017-06-15-preview'), { tags: { by: 'old' } })).status).toBe(201);
    await bench.jar.settled();
    const systemData = null;
    expect({ ...(await get('topics/whole', NEWEST)), systemData }).toEqual({
      ...topic,
      tags: { by: 'old' },
      systemData,
    });

    const before = await get(subscription('to-hub'), NEWEST);
    const patch = {
      labels: ['two'],
      filter: { subjectBeginsWith: 'b', includedEventTypes: ['Made'] },
      destination: { EndpointType: 'eventHub', Properties: { resourceId: HUB } },
    };
    expect((await grid.patch(at(subscription('to-hub'), '2018-01-01'), patch)).status).toBe(201);
    await bench.jar.settled();
    const after = await get(subscription('to-hub'), NEWEST);
    const filter = { ...before.properties.filter, subjectBeginsWith: 'b' };
    expect(after.properties).toEqual({ ...before.properties, labels: ['two'], filter });

    const function_ = { labels: ['kept'] };
    expect((await grid.patch(at(subscription('to-function'), '2018-01-01'), function_)).status).toBe(201);
    expect((await get(subscription('to-function'), NEWEST)).properties.destination.properties.maxEventsPerBatch).toBe(
      5,
    );
  });

  it.each(VERSIONS)(
    '%s makes a topic and a subscription, and ignores fields that it does not have',
    async (version) => {
      const topic = `topics/by-${version}`;
      expect((await grid.put(at(topic, version), topicBody())).body.error).toBeUndefined();
      const {
        destination: _destination,
        deadLetterDestination,
        expirationTimeUtc,
        retryPolicy,
        filter,
      } = FULL['to-hub'];
      const name = `${topic}/providers/Vendor.EventGrid/eventSubscriptions/one`;
      const properties = { destination: hub, deadLetterDestination, expirationTimeUtc, retryPolicy, filter };
      expect((await grid.put(at(name, version), { properties })).body.error).toBeUndefined();
      await bench.jar.settled();
      const made = await get(topic, NEWEST);
      const found = (await get(name, NEWEST)).properties;
      const has = (milestones: readonly Milestone[], field: string): boolean =>
        expectedNames(new Set([field]), milestones)
          .get(version)
          ?.has(field) ?? false;
      const sent: [field: string, isSet: boolean][] = [
        ['sku', made.sku !== undefined],
        ['kind', made.kind !== undefined],
        ['identity', made.identity !== undefined],
        ['properties.inputSchema', made.properties.inputSchema === 'CustomEventSchema'],
        ['properties.inboundIpRules', made.properties.inboundIpRules !== undefined],
        ['properties.dataResidencyBoundary', made.properties.dataResidencyBoundary === 'WithinRegion'],
        ['properties.minimumTlsVersionAllowed', made.properties.minimumTlsVersionAllowed === '1.2'],
      ];
      for (const [field, isSet] of sent) expect(isSet, field).toBe(has(OF_TOPICS, field));
      const subscribed: [field: string, isSet: boolean][] = [
        ['properties.deadLetterDestination', found.deadLetterDestination !== undefined],
        ['properties.retryPolicy', found.retryPolicy.maxDeliveryAttempts === 3],
        ['properties.expirationTimeUtc', found.expirationTimeUtc !== undefined],
        ['properties.filter.advancedFilters', found.filter.advancedFilters !== undefined],
        ['properties.filter.enableAdvancedFilteringOnArrays', found.filter.enableAdvancedFilteringOnArrays === true],
      ];
      for (const [field, isSet] of subscribed) expect(isSet, field).toBe(has(OF_SUBSCRIPTIONS, field));
    },
  );
});

onAnyStore('rules of api-versions of events', (bench) => {
  const grid = new Grid(bench, 'versions');
  const one = (version: string): string =>
    `topics/ruled/providers/Vendor.EventGrid/eventSubscriptions/one?api-version=${version}`;
  const put = async (version: string, properties: Body): Promise<Body> => {
    await grid.put('topics/ruled');
    return (await grid.put(one(version), { properties })).body;
  };
  const to = (endpointType: string, properties: Body): Body => ({ destination: { endpointType, properties } });
  const operator = (operatorType: string): Body => ({
    destination: hub,
    filter: { advancedFilters: [{ operatorType, key: 'data.a' }] },
  });

  const cases: [what: string, before: string, since: string, properties: Body][] = [
    [
      'StorageQueue',
      '2018-01-01',
      '2018-05-01-preview',
      to('StorageQueue', { resourceId: STORAGE, queueName: 'orders' }),
    ],
    ['ServiceBusQueue', '2019-01-01', '2019-02-01-preview', to('ServiceBusQueue', { resourceId: `${BUS}/queues/q` })],
    ['AzureFunction', '2019-06-01', '2020-01-01-preview', to('AzureFunction', { resourceId: FUNCTION })],
    ['MonitorAlert', '2023-06-01-preview', '2023-12-15-preview', to('MonitorAlert', { severity: 'Sev1' })],
    ['IsNotNull', '2020-06-01', '2020-10-15-preview', operator('IsNotNull')],
  ];

  it.each(cases)('%s is not known in %s and is in %s', async (what, before, since, properties) => {
    const { error } = await put(before, properties);
    expect(error).toMatchObject({ code: 'InvalidRequest' });
    expect(error.message.match(new RegExp(what, 'g'))).toHaveLength(1);
    expect((await put(since, properties)).error?.message ?? '').not.toContain('has to be one of');
    expect((await put(since, properties)).error?.message ?? '').not.toContain('none of the operators');
  });

  it('know a perimeter in some previews only', async () => {
    const secured = { location: 'westus', properties: { publicNetworkAccess: 'SecuredByPerimeter' } };
    const code = async (version: string) =>
      (await grid.put(`topics/perimeter?api-version=${version}`, secured)).body.error?.code;
    expect(await code('2023-06-01-preview')).toBe('InvalidRequest');
    expect(await code('2023-12-15-preview')).toBeUndefined();
    expect(await code('2025-02-15')).toBe('InvalidRequest');
    expect(await code('2025-04-01-preview')).toBeUndefined();
  });

  const TYPES: [path: string, without: readonly string[], within: readonly string[]][] = [
    ['domains', ['2018-05-01-preview', '2019-01-01'], ['2018-09-15-preview', '2019-06-01']],
    ['domains/market/topics', ['2018-09-15-preview', '2019-01-01'], ['2019-02-01-preview']],
    ['topics/ruled/eventSubscriptions', ['2021-06-01-preview', '2021-12-01'], ['2021-10-15-preview', '2022-06-15']],
  ];

  it.each(TYPES)('have no %s in %j and have them in %j', async (path, without, within) => {
    await put(NEWEST, { destination: hub });
    await grid.put('domains/market');
    for (const version of without)
      expect((await grid.get(`${path}?api-version=${version}`)).body.error.code, version).toBe('InvalidResourceType');
    for (const version of within) expect((await grid.get(`${path}?api-version=${version}`)).status, version).toBe(200);
  });

  it('have getDeliveryAttributes from the version with delivery attributes on', async () => {
    await put(NEWEST, { destination: hub });
    const ask = (version: string) => grid.call('POST', one(version).replace('?', '/getDeliveryAttributes?'));
    expect((await ask('2020-06-01')).body.error.code).toBe('NoRegisteredProviderFound');
    expect((await ask('2020-10-15-preview')).status).toBe(200);
  });

  it('show the fields of topic types that each version has', async () => {
    const names = async (version: string) => {
      const { value } = (await bench.call('GET', `/providers/Vendor.EventGrid/topicTypes?api-version=${version}`)).body;
      const shown = value.flatMap(({ properties }: Body) => Object.keys(properties));
      return [...new Set<string>(shown)].filter((name) => /^supported|^source/.test(name)).sort();
    };
    expect(await names('2017-06-15-preview')).toEqual([]);
    expect(await names('2017-09-15-preview')).toEqual(['supportedLocations']);
    expect(await names('2020-04-01-preview')).toEqual(['sourceResourceFormat', 'supportedLocations']);
    expect(await names(NEWEST)).toEqual(['sourceResourceFormat', 'supportedLocations', 'supportedScopesForSource']);
  });

  it('work with the official client, whichever version it is set to', async () => {
    const credential = {
      getToken: async () => ({ token: await bench.jar.token(), expiresOnTimestamp: Number.MAX_SAFE_INTEGER }),
    };
    const client = (apiVersion: string) =>
      new EventGridManagementClient(credential, SUBSCRIPTION, { endpoint: bench.jar.httpsUrl, apiVersion });
    await grid.put('topics/ruled');
    expect((await client('2025-02-15').topics.get('versions', 'ruled')).metricResourceId).toMatch(/-/);
    const old = await client('2018-01-01').topics.get('versions', 'ruled');
    expect(old.endpoint).toMatch(/^https:/);
    expect(old.metricResourceId).toBeUndefined();
    expect(old.systemData).toBeUndefined();
  });
});

describe('the list of versions of each event type', () => {
  it.each(
    [...TOPIC_TYPES, SYSTEM_TOPIC, ...SUBSCRIPTION_TYPES].map(
      ({ type, apiVersions }) => [type.split('/').slice(1).join('/'), apiVersions] as const,
    ),
  )('is the same for %s in the manifest and in the table', (type, apiVersions) => {
    expect(EVENT_VERSIONS.of(type).names).toEqual(apiVersions);
  });

  it('has every version that was published', () => {
    expect([...EVENT_VERSIONS.of('topics').names].reverse()).toEqual(VERSIONS);
  });
});
