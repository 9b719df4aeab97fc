import { expect, it } from 'vitest';
import { onAnyStore, SUBSCRIPTION } from '../../../support/jars.ts';
import { AT_GROUP, clientOf, makeGroup, OPTIONS, POLLING, storageQueue, VERSION, webHook } from './bench.ts';

const IDENTITY = `${AT_GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/shop`;
const AT_TOPIC = `${AT_GROUP}/providers/Microsoft.EventGrid/topics/orders`;
const AT_DOMAIN = `${AT_GROUP}/providers/Microsoft.EventGrid/domains/market`;
const AT_DOMAIN_TOPIC = `${AT_DOMAIN}/topics/fruit`;

onAnyStore(
  'subscriptions of topics and domains, at their scope and nested below them',
  (bench) => {
    const client = () => clientOf(bench);
    const all = async <T>(list: AsyncIterable<T>): Promise<T[]> => Array.fromAsync(list);
    const names = async (list: AsyncIterable<{ name?: string }>) => (await all(list)).map(({ name }) => name).sort();
    const secretHook = () => {
      const { destination } = webHook(`${bench.jar.inbox('nested').httpsUrl}?key=hidden`);
      const deliveryAttributeMappings = [{ name: 'X-Key', type: 'Static', value: 'secret', isSecret: true }];
      return { destination: { ...destination, deliveryAttributeMappings } as typeof destination };
    };

    it('are made by the same name side by side', async () => {
      await makeGroup(bench);
      const { topics, domains } = client();
      await topics.beginCreateOrUpdateAndWait(
        'shop',
        'orders',
        {
          location: 'westus',
          identity: { type: 'SystemAssigned, UserAssigned', userAssignedIdentities: { [IDENTITY]: {} } },
        },
        POLLING,
      );
      await domains.beginCreateOrUpdateAndWait('shop', 'market', { location: 'westus' }, POLLING);
      const nested = client().topicEventSubscriptions;
      const below = await nested.beginCreateOrUpdateAndWait('shop', 'orders', 'same', secretHook(), POLLING);
      const at = await client().eventSubscriptions.beginCreateOrUpdateAndWait(
        AT_TOPIC,
        'same',
        storageQueue(),
        POLLING,
      );
      expect(below).toMatchObject({
        id: `${AT_TOPIC}/eventSubscriptions/same`,
        type: 'Microsoft.EventGrid/topics/eventSubscriptions',
        topic: AT_TOPIC.replace('Microsoft.EventGrid', 'microsoft.eventgrid'),
        provisioningState: 'Succeeded',
        destination: { endpointType: 'WebHook' },
      });
      expect(at).toMatchObject({
        id: `${AT_TOPIC}/providers/Microsoft.EventGrid/eventSubscriptions/same`,
        type: 'Microsoft.EventGrid/eventSubscriptions',
        topic: below.topic,
        destination: { endpointType: 'StorageQueue' },
      });
      expect(await names(nested.list('shop', 'orders'))).toEqual(['same']);
      expect(
        await names(client().eventSubscriptions.listByResource('shop', 'Microsoft.EventGrid', 'topics', 'orders')),
      ).toEqual(['same']);
    });

    it('have the same operations below a topic', async () => {
      const nested = client().topicEventSubscriptions;
      const changed = await nested.beginUpdateAndWait('shop', 'orders', 'same', { labels: ['a'] }, POLLING);
      expect(changed).toMatchObject({ labels: ['a'], destination: { endpointType: 'WebHook' } });
      expect(await nested.get('shop', 'orders', 'same')).toMatchObject({ labels: ['a'] });
      expect((await nested.getFullUrl('shop', 'orders', 'same')).endpointUrl).toContain('?key=hidden');
      const { value } = await nested.getDeliveryAttributes('shop', 'orders', 'same');
      expect(value).toMatchObject([{ name: 'X-Key', value: 'secret' }]);
      await nested.beginDeleteAndWait('shop', 'orders', 'same', POLLING);
      await expect(nested.get('shop', 'orders', 'same')).rejects.toMatchObject({ code: 'ResourceNotFound' });
      expect(
        await names(client().eventSubscriptions.listByResource('shop', 'Microsoft.EventGrid', 'topics', 'orders')),
      ).toEqual(['same']);
    });

    it('have the same operations below a domain', async () => {
      const nested = client().domainEventSubscriptions;
      const made = await nested.beginCreateOrUpdateAndWait('shop', 'market', 'whole', secretHook(), POLLING);
      expect(made).toMatchObject({
        id: `${AT_DOMAIN}/eventSubscriptions/whole`,
        type: 'Microsoft.EventGrid/domains/eventSubscriptions',
      });
      await nested.beginUpdateAndWait('shop', 'market', 'whole', { labels: ['b'] }, POLLING);
      expect(await nested.get('shop', 'market', 'whole')).toMatchObject({ labels: ['b'] });
      expect((await nested.getFullUrl('shop', 'market', 'whole')).endpointUrl).toContain('?key=hidden');
      expect((await nested.getDeliveryAttributes('shop', 'market', 'whole')).value).toHaveLength(1);
      expect(await names(nested.list('shop', 'market', { top: 5, filter: "name eq 'WHOLE'" }))).toEqual(['whole']);
      await nested.beginDeleteAndWait('shop', 'market', 'whole', POLLING);
      expect(await names(nested.list('shop', 'market'))).toEqual([]);
    });

    it('have the same operations below a topic of a domain, which is made for them', async () => {
      const nested = client().domainTopicEventSubscriptions;
      const made = await nested.beginCreateOrUpdateAndWait('shop', 'market', 'fruit', 'apples', secretHook(), POLLING);
      expect(made).toMatchObject({
        id: `${AT_DOMAIN_TOPIC}/eventSubscriptions/apples`,
        type: 'Microsoft.EventGrid/domains/topics/eventSubscriptions',
        topic: AT_DOMAIN_TOPIC.replace('Microsoft.EventGrid', 'microsoft.eventgrid'),
      });
      expect((await client().domainTopics.get('shop', 'market', 'fruit')).name).toBe('fruit');
      await nested.beginUpdateAndWait('shop', 'market', 'fruit', 'apples', { labels: ['c'] }, POLLING);
      expect(await nested.get('shop', 'market', 'fruit', 'apples')).toMatchObject({ labels: ['c'] });
      expect((await nested.getFullUrl('shop', 'market', 'fruit', 'apples')).endpointUrl).toContain('?key=hidden');
      expect((await nested.getDeliveryAttributes('shop', 'market', 'fruit', 'apples')).value).toHaveLength(1);
      expect(await names(nested.list('shop', 'market', 'fruit'))).toEqual(['apples']);
      await client().eventSubscriptions.beginCreateOrUpdateAndWait(AT_DOMAIN_TOPIC, 'pears', storageQueue(), POLLING);
      expect(await names(client().eventSubscriptions.listByDomainTopic('shop', 'market', 'fruit'))).toEqual(['pears']);
      expect(await names(client().eventSubscriptions.listRegionalBySubscription('westus'))).toEqual(['pears', 'same']);
      expect(
        await names(
          client().eventSubscriptions.listRegionalBySubscriptionForTopicType('westus', 'Microsoft.EventGrid.Topics'),
        ),
      ).toEqual(['same']);
      await nested.beginDeleteAndWait('shop', 'market', 'fruit', 'apples', POLLING);
      expect(await names(nested.list('shop', 'market', 'fruit'))).toEqual([]);
    });

    it('deliver with an identity of the topic, if it is one of the topic', async () => {
      const deadLetterDestination = {
        endpointType: 'StorageBlob' as const,
        resourceId: `${AT_GROUP}/providers/Microsoft.Storage/storageAccounts/shop`,
        blobContainerName: 'dead',
      };
      const made = await client().eventSubscriptions.beginCreateOrUpdateAndWait(
        AT_TOPIC,
        'own',
        {
          deliveryWithResourceIdentity: { identity: { type: 'SystemAssigned' }, ...storageQueue() },
          deadLetterWithResourceIdentity: {
            identity: { type: 'UserAssigned', userAssignedIdentity: IDENTITY },
            deadLetterDestination,
          },
        },
        POLLING,
      );
      expect(made.destination).toBeUndefined();
      expect(made).toMatchObject({
        provisioningState: 'Succeeded',
        deliveryWithResourceIdentity: { identity: { type: 'SystemAssigned' }, destination: { queueName: 'orders' } },
        deadLetterWithResourceIdentity: {
          identity: { type: 'UserAssigned', userAssignedIdentity: IDENTITY },
          deadLetterDestination: { blobContainerName: 'dead', resourceId: deadLetterDestination.resourceId },
        },
      });
      const plain = await client().eventSubscriptions.beginUpdateAndWait(
        AT_TOPIC,
        'own',
        { ...storageQueue('plain'), deadLetterDestination },
        POLLING,
      );
      expect(plain).toMatchObject({
        destination: { queueName: 'plain' },
        deadLetterDestination: { blobContainerName: 'dead' },
      });
      expect(plain.deliveryWithResourceIdentity).toBeUndefined();
      expect(plain.deadLetterWithResourceIdentity).toBeUndefined();
      const others = { identity: { type: 'UserAssigned', userAssignedIdentity: `${IDENTITY}2` }, ...storageQueue() };
      await expect(
        client().eventSubscriptions.beginCreateOrUpdate(AT_TOPIC, 'other', { deliveryWithResourceIdentity: others }),
      ).rejects.toMatchObject({ code: 'InvalidRequest' });
    });

    it.each([
      ['EventGridSchema', ['EventGridSchema', 'CloudEventSchemaV1_0'], 'EventGridSchema'],
      ['CloudEventSchemaV1_0', ['CloudEventSchemaV1_0'], 'CloudEventSchemaV1_0'],
      ['CustomEventSchema', ['CustomInputSchema', 'EventGridSchema', 'CloudEventSchemaV1_0'], 'EventGridSchema'],
    ])('can have events that come as %s as %j', async (inputSchema, outputs, usual) => {
      const topic = `as-${inputSchema.toLowerCase().replace('_', '')}`;
      const scope = `${AT_GROUP}/providers/Microsoft.EventGrid/topics/${topic}`;
      const inputSchemaMapping = {
        inputSchemaMappingType: 'Json' as const,
        eventType: { defaultValue: 'x' },
        subject: { defaultValue: 'x' },
        dataVersion: { defaultValue: '1' },
      };
      await client().topics.beginCreateOrUpdateAndWait(
        'shop',
        topic,
        { location: 'westus', inputSchema, ...(inputSchema === 'CustomEventSchema' && { inputSchemaMapping }) },
        POLLING,
      );
      const path = (name: string) =>
        `${scope}/providers/Microsoft.EventGrid/eventSubscriptions/${name}?api-version=${VERSION}`;
      for (const eventDeliverySchema of ['EventGridSchema', 'CloudEventSchemaV1_0', 'CustomInputSchema']) {
        const { status } = await bench.call('PUT', path('out'), { body: { properties: { eventDeliverySchema } } });
        expect([eventDeliverySchema, status]).toEqual([
          eventDeliverySchema,
          outputs.includes(eventDeliverySchema) ? 201 : 400,
        ]);
      }
      const made = await bench.call('PUT', path('usual'), { body: {} });
      expect(made.body.properties).not.toHaveProperty('eventDeliverySchema');
      const { body } = await bench.call('GET', path('usual'));
      expect(body.properties.eventDeliverySchema).toBe(usual);
    });

    it('go with their parent, and all that is queued for them', async () => {
      await client().eventSubscriptions.beginCreateOrUpdateAndWait(AT_DOMAIN, 'at-domain', storageQueue(), POLLING);
      await client().domains.beginDeleteAndWait('shop', 'market', POLLING);
      await client().domains.beginCreateOrUpdateAndWait('shop', 'market', { location: 'westus' }, POLLING);
      expect(
        await names(client().eventSubscriptions.listByResource('shop', 'Microsoft.EventGrid', 'domains', 'market')),
      ).toEqual([]);
      await expect(client().eventSubscriptions.get(AT_DOMAIN_TOPIC, 'pears')).rejects.toMatchObject({
        statusCode: 404,
      });
      await client().topics.beginDeleteAndWait('shop', 'orders', POLLING);
      await expect(client().eventSubscriptions.get(AT_TOPIC, 'same')).rejects.toMatchObject({
        statusCode: 404,
        code: 'ParentResourceNotFound',
      });
    });

    it('are at most 50 at the scope of a domain', async () => {
      const path = (i: number) =>
        `/subscriptions/${SUBSCRIPTION}/resourceGroups/shop/providers/Microsoft.EventGrid/domains/market/${i % 2 ? '' : 'providers/Microsoft.EventGrid/'}eventSubscriptions/n${String(i).padStart(3, '0')}?api-version=${VERSION}`;
      const statuses: number[] = [];
      for (let i = 0; i < 51; i++) statuses.push((await bench.call('PUT', path(i), { body: {} })).status);
      expect(statuses).toEqual([...Array.from({ length: 50 }, () => 201), 409]);
      const { body } = await bench.call('PUT', path(50), { body: {} });
      expect(body.error).toMatchObject({ code: 'QuotaReached', message: expect.stringContaining('50') });
      await bench.jar.settled();
      await bench.call('DELETE', path(0));
      expect((await bench.call('PUT', path(50), { body: {} })).status).toBe(201);
    });
  },
  OPTIONS,
);
