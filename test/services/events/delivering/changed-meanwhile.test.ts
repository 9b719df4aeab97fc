import { describe, expect, it } from 'vitest';
import type { DueDelivery } from '../../../../src/kernel/delivery/index.ts';
import { deadLetterMessage } from '../../../../src/services/events/delivering/dead-letters.ts';
import { messageId } from '../../../../src/services/events/delivering/message-id.ts';
import type { EventsJar } from '../../../../src/services/events/jar.ts';
import { type Bench, onBothStores } from '../../../support/jars.ts';
import { control, event, GROUP, makeTopic, publish, subscribe, type Topic, webHook } from './grid.ts';

const STORE = `${GROUP}/providers/Vendor.Storage/storageAccounts/store`;

const queue = (queueName: string) => ({
  endpointType: 'StorageQueue',
  properties: { resourceId: STORE, queueName },
});
const lettersIn = (blobContainerName: string) => ({
  endpointType: 'StorageBlob',
  properties: { resourceId: STORE, blobContainerName },
});

/** The messages in one of the jar's own queues, by the last part of its name. */
async function messagesIn(bench: Bench, name: string) {
  const { body } = await control(bench, 'events/queues');
  const found = body.value.find((each: { name: string }) => each.name.endsWith(name));
  if (!found) return [];
  return (await control(bench, `events/queues/${found.id}/messages`)).body.value;
}

onBothStores('a subscription that is changed while events wait for it', (bench) => {
  let topic: Topic;
  const eventsAt = async (name: string) =>
    (await bench.jar.inbox(name).requests()).filter(({ handshake }) => !handshake);

  it('moves them from an address to a queue', async () => {
    topic = await makeTopic(bench);
    const inbox = bench.jar.inbox('moved');
    await subscribe(bench, topic.id, 'moved', { destination: webHook(inbox.httpsUrl) });
    await inbox.respond({ status: 500 });
    await publish(bench, topic, event({ id: 'moved-1' }), event({ id: 'moved-2' }));
    await bench.jar.settled();
    await subscribe(bench, topic.id, 'moved', { destination: queue('moved-here') });
    await bench.jar.clock.advance('1d');
    const bodies = (await messagesIn(bench, 'moved-here')).map(({ body }: { body: { id: string } }) => body.id);
    expect(bodies.sort()).toEqual(['moved-1', 'moved-2']);
    const { body } = await control(bench, 'deliveries?state=cancelled&policy=events.webhook');
    expect(body.value[0].rule).toContain('new destination');
  });

  it('moves them from a resource to an address', async () => {
    const relay = `${GROUP}/providers/Vendor.Relay/namespaces/n/hybridConnections/nobody`;
    const nobody = { endpointType: 'HybridConnection', properties: { resourceId: relay } };
    await subscribe(bench, topic.id, 'heard', { destination: nobody });
    await publish(bench, topic, event({ id: 'heard' }));
    await bench.jar.settled();
    await subscribe(bench, topic.id, 'heard', { destination: webHook(bench.jar.inbox('heard').httpsUrl) });
    await bench.jar.clock.advance('1d');
    expect((await eventsAt('heard')).map((request) => request.json()[0].id)).toEqual(['heard']);
    expect(await messagesIn(bench, 'heard')).toEqual([]);
  });

  const filter = { includedEventTypes: ['Repaired'] };
  const hook = (inbox: string, further: object = {}) => ({
    destination: webHook(bench.jar.inbox(inbox).httpsUrl),
    filter,
    ...further,
  });
  /** Ten consecutive failures, then an event that has to wait because of them. */
  const onProbation = async (waiting: string) => {
    await subscribe(bench, topic.id, 'repaired', hook('broken', { retryPolicy: { maxDeliveryAttempts: 1 } }));
    await bench.jar.inbox('broken').respond({ status: 404 });
    const before = (await eventsAt('broken')).length;
    for (let i = 0; i < 10; i++) {
      await publish(bench, topic, event({ eventType: 'Repaired' }));
      await bench.jar.settled();
    }
    await publish(bench, topic, event({ id: waiting, eventType: 'Repaired' }));
    await bench.jar.settled();
    expect(await eventsAt('broken')).toHaveLength(before + 10);
  };

  it('does not wait at a new address because of failures of the former one', async () => {
    await onProbation('waits');
    await subscribe(bench, topic.id, 'repaired', hook('whole'));
    await publish(bench, topic, event({ id: 'new', eventType: 'Repaired' }));
    await bench.jar.settled();
    const ids = (await eventsAt('whole')).map((request) => request.json()[0].id);
    expect(ids.sort()).toEqual(['new', 'waits']);
  });

  it('does not wait because of failures of a deleted subscription of its name', async () => {
    await bench.jar.inbox('broken').respond({});
    await onProbation('is taken back');
    const path = `${topic.id}/providers/Vendor.EventGrid/eventSubscriptions/repaired?api-version=2025-02-15`;
    await bench.call('DELETE', path);
    await subscribe(bench, topic.id, 'repaired', hook('anew'));
    await publish(bench, topic, event({ id: 'for the new one', eventType: 'Repaired' }));
    await bench.jar.settled();
    expect((await eventsAt('anew')).map((request) => request.json()[0].id)).toEqual(['for the new one']);
  });

  it('gets them in the schema in which they were written, and the headers say so', async () => {
    const inbox = bench.jar.inbox('schemas');
    const destination = webHook(inbox.httpsUrl);
    const deadLetterDestination = lettersIn('schemas');
    await subscribe(bench, topic.id, 'schemas', { destination, deadLetterDestination });
    await inbox.respond({ status: 500 });
    await publish(bench, topic, event({ id: 'native' }));
    await bench.jar.settled();
    await inbox.respond({});
    await subscribe(bench, topic.id, 'schemas', {
      destination,
      deadLetterDestination,
      eventDeliverySchema: 'CloudEventSchemaV1_0',
    });
    await inbox.respond({ status: 400 });
    await bench.jar.clock.advance('1h');
    const last = (await eventsAt('schemas')).at(-1);
    expect(last?.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(last?.json()).toMatchObject([{ id: 'native', eventType: 'Shop.OrderPlaced' }]);
    const [letter] = await messagesIn(bench, 'schemas');
    expect(letter.body).toMatchObject([{ id: 'native', deadLetterReason: 'UndeliverableDueToHttpBadRequest' }]);
  });

  it('has each dead letter in the container that was set when the event was abandoned', async () => {
    const inbox = bench.jar.inbox('places');
    const destination = webHook(inbox.httpsUrl);
    for (const place of ['first', 'second']) {
      await inbox.respond({});
      await subscribe(bench, topic.id, 'places', { destination, deadLetterDestination: lettersIn(place) });
      await inbox.respond({ status: 400 });
      await publish(bench, topic, event({ id: place }));
      await bench.jar.settled();
    }
    await bench.jar.clock.advance('1h');
    for (const place of ['first', 'second']) {
      const ids = (await messagesIn(bench, `/${place}`)).flatMap(({ body }: { body: { id: string }[] }) =>
        body.map(({ id }) => id),
      );
      expect(ids, place).toEqual([place]);
    }
  });

  it('gets attributes of any text, and the id of an event whose type has spaces', async () => {
    const mapping = { name: 'X-Mood', type: 'Dynamic', properties: { sourceField: 'data.mood' } };
    const resourceId = `${GROUP}/providers/Vendor.ServiceBus/namespaces/bus/queues/moods`;
    await subscribe(bench, topic.id, 'moods', {
      destination: {
        endpointType: 'ServiceBusQueue',
        properties: { resourceId, deliveryAttributeMappings: [mapping] },
      },
      filter: { includedEventTypes: ['A Mood Of Mine'] },
    });
    await publish(bench, topic, event({ id: 'm 1', eventType: 'A Mood Of Mine', data: { mood: '😀 ✓' } }));
    await bench.jar.settled();
    const [message] = await messagesIn(bench, 'moods');
    expect(message.properties).toMatchObject({ 'X-Mood': '%F0%9F%98%80 %E2%9C%93', 'aeg-output-event-id': 'm 1' });
  });
});

describe('the id of a message with several deliveries', () => {
  const letter = (id: string) =>
    ({
      id,
      url: 'storage-blob:x/c',
      headers: { resource: 'x', container: 'c', folder: 'MINE' },
      body: JSON.stringify({ event: '{"id":"1"}', schema: 'EventGridSchema', topic: '/t', note: {} }),
    }) as unknown as DueDelivery;
  const jar = { clock: { now: () => 0 } } as unknown as EventsJar;
  const made = (...ids: string[]) => deadLetterMessage(ids.map(letter), jar);

  it('is the same for the same deliveries, and for a single one its own id', () => {
    expect(messageId([letter('a')])).toBe('a');
    expect(messageId([letter('a'), letter('b')])).toBe(messageId([letter('a'), letter('b')]));
    expect(made('a', 'b').blob).toBe(made('a', 'b').blob);
  });

  it('differs for messages that begin with the same delivery but contain others', () => {
    const all = [made('a'), made('a', 'b'), made('a', 'c'), made('a', 'b', 'c')];
    expect(new Set(all.map(({ deliveryId }) => deliveryId)).size).toBe(4);
    expect(new Set(all.map(({ blob }) => blob)).size).toBe(4);
  });
});
