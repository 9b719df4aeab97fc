import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DueDelivery } from '../../../../src/kernel/delivery/index.ts';
import { deliveries, shortened } from '../../../../src/kernel/delivery/records.ts';
import { acceptEvents } from '../../../../src/services/events/accept.ts';
import { type EventSubscription, eventSubscriptions } from '../../../../src/services/events/collections.ts';
import type { Definition, Destination } from '../../../../src/services/events/definition.ts';
import { resourceMessage, webHookMessage } from '../../../../src/services/events/delivering/compose.ts';
import { touchScope } from '../../../../src/services/events/matching/scope-indexes.ts';
import { type OpenedJar, openedJar } from '../destinations/support.ts';

let opened: OpenedJar;
beforeAll(async () => {
  opened = await openedJar();
});
afterAll(() => opened.running.close());

const TOPIC = '/subscriptions/s/resourceGroups/g/providers/Vendor.EventGrid/topics/t';

async function made(name: string, destination: Destination, more: Partial<EventSubscription> = {}): Promise<string> {
  const id = `${TOPIC}/providers/Vendor.EventGrid/eventSubscriptions/${name}`;
  const live: Definition = {
    destination,
    filter: { subjectBeginsWith: '', subjectEndsWith: '', isSubjectCaseSensitive: false },
    eventDeliverySchema: 'CloudEventSchemaV1_0',
    retryPolicy: { maxDeliveryAttempts: 30, eventTimeToLiveInMinutes: 1440 },
  };
  const subscription = { id, name, type: 't', topic: TOPIC, subscriptionId: 's', topicType: 'x', location: 'westus' };
  await opened.jar.store.transact(async (tx) => {
    await tx.put(eventSubscriptions, id.toLowerCase(), {
      ...subscription,
      provisioningState: 'Succeeded',
      live,
      createdAt: 0,
      changedAt: 0,
      ...more,
    });
    await touchScope(tx, TOPIC.toLowerCase(), 1);
  });
  return id.toLowerCase();
}

const batchOf = (owner: string): DueDelivery[] =>
  ['1', '2'].map((id) => ({
    id,
    destination: owner,
    owner,
    subject: `type ${id}`,
    url: '',
    headers: {},
    body: `{"specversion":"1.0","id":"${id}"}`,
    enqueuedAt: 0,
    attempts: 0,
  }));

it('events that were batched before their subscription wanted single events are all sent', async () => {
  const owner = await made('one-by-one', {
    endpointType: 'WebHook',
    properties: { endpointBaseUrl: 'https://a.example', maxEventsPerBatch: 1 },
  });
  const message = await webHookMessage(batchOf(owner), opened.jar);
  expect(JSON.parse(message.body)).toHaveLength(2);
  expect(message.headers?.['content-type']).toContain('cloudevents-batch+json');
});

it('events that were batched for a function are not sent as one message to a queue', async () => {
  const owner = await made('queue', { endpointType: 'StorageQueue', properties: { resourceId: '/q', queueName: 'q' } });
  await expect(resourceMessage(batchOf(owner), opened.jar)).rejects.toThrow('accepts only single events');
});

it('an event that is replayed after the kind of its destination has changed is not sent to the wrong place', async () => {
  const queue = await made('now-queue', {
    endpointType: 'StorageQueue',
    properties: { resourceId: '/q', queueName: 'q' },
  });
  const hook = await made('now-hook', {
    endpointType: 'WebHook',
    properties: { endpointBaseUrl: 'https://a.example' },
  });
  const message = async () => webHookMessage(batchOf(queue), opened.jar);
  await expect(message()).rejects.toThrow('is now a StorageQueue');
  await expect(resourceMessage(batchOf(hook).slice(1), opened.jar)).rejects.toThrow('is now a WebHook');
});

it('events from before a subscription was in force are not delivered to it', async () => {
  const properties = { resourceId: '/q', queueName: 'q' };
  const owner = await made('younger', { endpointType: 'StorageQueue', properties }, { liveSince: 2000 });
  const { store } = opened.jar;
  const event = {
    schema: 'EventGridSchema',
    type: 't',
    subject: '',
    time: '2030-01-01T00:00:00Z',
    dataVersion: '',
    topic: TOPIC,
  } as const;
  const goesToYounger = async (id: string, at: number | undefined) => {
    const publication = { event: { ...event, id }, scopes: [TOPIC.toLowerCase()], ...(at !== undefined && { at }) };
    await store.transact((tx) => acceptEvents(tx, opened.jar, [publication]));
    return (await store.count(deliveries, { filter: { op: 'eq', field: 'ownerLine', value: shortened(owner) } })) > 0;
  };
  expect(await goesToYounger('before', 1999)).toBe(false);
  expect(await goesToYounger('then', 2000)).toBe(true);
  expect(await goesToYounger('now', undefined)).toBe(true);
});
