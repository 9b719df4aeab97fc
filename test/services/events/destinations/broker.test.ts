import { afterEach, expect, it } from 'vitest';
import { sendToResource } from '../../../../src/services/events/destinations/send.ts';
import { rabbitUrl } from '../../../support/rabbitmq.ts';
import { useRabbit } from '../../../support/use-rabbitmq.ts';
import { BrokerReader, contentOf } from './receiver.ts';
import { BUS, EVENT, HUBS, jarWith, messageTo, type OpenedJar, patiently } from './support.ts';

/** A real RabbitMQ over AMQP 1.0 serves as service bus and event hub. */

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function withConnections(connections: Readonly<Record<string, unknown>>): Promise<OpenedJar['jar']> {
  const opened = await jarWith(connections);
  open.push({ close: () => opened.running.close() });
  return opened.jar;
}

async function reading(rabbit: { port: number }, address: string): Promise<BrokerReader> {
  const reader = await BrokerReader.open(rabbit, address);
  open.push(reader);
  return reader;
}

const toQueue = (name: string, more = {}) =>
  messageTo('ServiceBusQueue', { resourceId: `${BUS}/queues/${name}`, ...more });

it('an event for a queue becomes a message with the event as its body and the headers as its properties', async (context) => {
  const rabbit = await useRabbit(context);
  const jar = await withConnections({ [BUS]: rabbitUrl(rabbit) });
  const message = toQueue('plain-queue');
  expect(await sendToResource(message, jar, patiently())).toMatchObject({ outcome: 'Succeeded' });
  const received = await (await reading(rabbit, 'plain-queue')).next();
  expect(contentOf(received)).toEqual(EVENT);
  expect(received).toMatchObject({
    message_id: message.deliveryId,
    content_type: 'application/json; charset=utf-8',
    subject: EVENT.subject,
    application_properties: {
      'aeg-event-type': 'Notification',
      'aeg-subscription-name': 'MINE',
      'aeg-delivery-count': '0',
      'aeg-output-event-id': EVENT.id,
    },
  });
});

it('delivery attributes that a bus defines become properties of the message, all others application properties', async (context) => {
  const rabbit = await useRabbit(context);
  const jar = await withConnections({ [BUS]: rabbitUrl(rabbit) });
  const attributes = {
    MessageId: 'order-17',
    SessionId: 'customer-3',
    CorrelationId: 'call-9',
    Label: 'placed',
    ReplyTo: 'answers',
    PartitionKey: 'customer-3',
    Region: 'north',
  };
  const deliveryAttributeMappings = Object.entries(attributes).map(([name, value]) => ({
    name,
    type: 'Static' as const,
    properties: { value },
  }));
  const message = toQueue('attributes', { deliveryAttributeMappings });
  const headers = { ...message.headers };
  for (const [name, value] of Object.entries(attributes)) headers[name.toLowerCase()] = value;
  await sendToResource({ ...message, headers }, jar, patiently());
  const received = await (await reading(rabbit, 'attributes')).next();
  expect(received).toMatchObject({
    message_id: 'order-17',
    group_id: 'customer-3',
    correlation_id: 'call-9',
    subject: 'placed',
    reply_to: 'answers',
    message_annotations: { 'x-opt-partition-key': 'customer-3' },
  });
  expect(received.application_properties).toMatchObject({ Region: 'north' });
  expect(Object.keys(received.application_properties ?? {})).not.toContain('SessionId');
});

it('an event hub gets the partition key as an annotation, and the id of the event as that of the message', async (context) => {
  const rabbit = await useRabbit(context);
  const jar = await withConnections({ [HUBS]: rabbitUrl(rabbit) });
  const deliveryAttributeMappings = [
    { name: 'PartitionKey', type: 'Dynamic' as const, properties: { sourceField: 'subject' } },
    { name: 'SessionId', type: 'Static' as const, properties: { value: 'plain' } },
  ];
  const message = messageTo('EventHub', { resourceId: `${HUBS}/eventhubs/clicks`, deliveryAttributeMappings });
  const headers = { ...message.headers, partitionkey: 'orders/17', sessionid: 'plain' };
  expect(await sendToResource({ ...message, headers }, jar, patiently())).toMatchObject({ outcome: 'Succeeded' });
  const received = await (await reading(rabbit, 'clicks')).next();
  expect(received.message_id).toBe(EVENT.id);
  expect(received.message_annotations).toMatchObject({ 'x-opt-partition-key': 'orders/17' });
  expect(received.application_properties).toMatchObject({ SessionId: 'plain' });
});

it("an 'address' says where to send instead of the entity's name: a topic exchange routes by the subject", async (context) => {
  const rabbit = await useRabbit(context);
  const jar = await withConnections({ [BUS]: { url: rabbitUrl(rabbit), address: '/exchange/amq.topic' } });
  const orders = await reading(rabbit, '/topic/orders.*');
  const invoices = await reading(rabbit, '/topic/invoices.*');
  for (const subject of ['orders.1', 'invoices.2', 'orders.3']) {
    const body = JSON.stringify({ ...EVENT, subject });
    const message = messageTo('ServiceBusTopic', { resourceId: `${BUS}/topics/shop` }, { body });
    expect(await sendToResource(message, jar, patiently())).toMatchObject({ outcome: 'Succeeded' });
  }
  const received = [await orders.next(), await orders.next(), await invoices.next()];
  expect(received.map((each) => each.subject)).toEqual(['orders.1', 'orders.3', 'invoices.2']);
});

it("'{name}' in an address is replaced by the entity's name, and the entity's own connection takes precedence over its namespace's", async (context) => {
  const rabbit = await useRabbit(context);
  const jar = await withConnections({
    [BUS.toUpperCase()]: { url: rabbitUrl(rabbit), address: '/queue/all-{name}' },
    [`${BUS}/queues/special`.replace('Vendor.', 'microsoft.')]: { url: rabbitUrl(rabbit), address: 'the-special-one' },
  });
  await sendToResource(toQueue('usual'), jar, patiently());
  await sendToResource(toQueue('special'), jar, patiently());
  expect(contentOf(await (await reading(rabbit, 'all-usual')).next())).toEqual(EVENT);
  expect(contentOf(await (await reading(rabbit, 'the-special-one')).next())).toEqual(EVENT);
});

it('a connection string of a service bus is accepted too', async (context) => {
  const rabbit = await useRabbit(context);
  const connection = `Endpoint=sb://127.0.0.1:${rabbit.port};SharedAccessKeyName=jar;SharedAccessKey=secret;UseDevelopmentEmulator=true`;
  const reader = await reading(rabbit, '/queue/by-string');
  const jar = await withConnections({ [BUS]: { url: connection, address: '/amq/queue/{name}' } });
  expect(await sendToResource(toQueue('by-string'), jar, patiently())).toMatchObject({ outcome: 'Succeeded' });
  expect(contentOf(await reader.next())).toEqual(EVENT);
});

it('a wrong password is Unauthorized, and is not in the reason', async (context) => {
  const rabbit = await useRabbit(context);
  const jar = await withConnections({ [BUS]: rabbitUrl(rabbit, 'wrong-password') });
  const reply = await sendToResource(toQueue('plain-queue'), jar, patiently());
  expect(reply.outcome).toBe('Unauthorized');
  expect(reply.error).not.toContain('wrong-password');
});

it('an unknown address is NotFound, an invalid one BadRequest, and neither disturbs the others', async (context) => {
  const rabbit = await useRabbit(context);
  const jar = await withConnections({
    [`${BUS}/queues/fine`]: rabbitUrl(rabbit),
    [`${BUS}/queues/nowhere`]: { url: rabbitUrl(rabbit), address: '/exchange/there-is-none' },
    [`${BUS}/queues/nonsense`]: { url: rabbitUrl(rabbit), address: '/no/such/thing/at/all' },
  });
  const send = (name: string) => sendToResource(toQueue(name), jar, patiently());
  const replies = await Promise.all([send('fine'), send('nowhere'), send('nonsense'), send('fine')]);
  expect(replies.map(({ outcome }) => outcome)).toEqual(['Succeeded', 'NotFound', 'BadRequest', 'Succeeded']);
  expect(replies[1]?.error).toContain('there-is-none');
});

it('an unreachable broker is a SocketError, an unknown host name a ResolutionError', async () => {
  const jar = await withConnections({
    [`${BUS}/queues/nobody`]: 'amqp://a:b@127.0.0.1:1',
    [`${BUS}/queues/unknown`]: 'amqp://a:b@no-such-host.invalid',
  });
  expect(await sendToResource(toQueue('nobody'), jar, patiently())).toMatchObject({ outcome: 'SocketError' });
  expect(await sendToResource(toQueue('unknown'), jar, patiently())).toMatchObject({ outcome: 'ResolutionError' });
});

it('an aborted send to a silent broker resolves at once, and the next attempt opens a new connection', async () => {
  const { createServer } = await import('node:net');
  let connections = 0;
  const silent = createServer(() => connections++);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as { port: number };
  const jar = await withConnections({ [BUS]: `amqp://a:b@127.0.0.1:${port}` });
  for (let attempt = 1; attempt <= 2; attempt++) {
    const controller = new AbortController();
    const reply = sendToResource(toQueue('orders'), jar, controller.signal);
    await expect.poll(() => connections).toBe(attempt);
    controller.abort();
    expect(await reply).toMatchObject({ outcome: 'Aborted' });
  }
  silent.close();
});

it('a thousand events at once go over one connection, each confirmed', async (context) => {
  const rabbit = await useRabbit(context);
  const jar = await withConnections({ [BUS]: rabbitUrl(rabbit) });
  const replies = await Promise.all(
    Array.from({ length: 1000 }, (_, i) =>
      sendToResource({ ...toQueue('many'), deliveryId: `d${i}` }, jar, patiently()),
    ),
  );
  expect(replies.every(({ outcome }) => outcome === 'Succeeded')).toBe(true);
  const reader = await reading(rabbit, 'many');
  const ids = new Set<unknown>();
  while (ids.size < 1000) ids.add((await reader.next()).message_id);
  expect(ids.size).toBe(1000);
});
