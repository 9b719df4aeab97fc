import type { Server } from 'node:net';
import rhea, { type Container, type EventContext } from 'rhea';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { sendToResource } from '../../../../src/services/events/destinations/send.ts';
import { BUS, jarWith, messageTo, type OpenedJar, patiently } from './support.ts';

/** Answers of brokers that RabbitMQ does not give: the name of the queue tells this peer how to answer. */

interface Peer {
  readonly server: Server;
  readonly connections: { opened: number; closed: number };
}

let peer: Peer;
let opened: OpenedJar;

beforeAll(async () => {
  const container: Container = rhea.create_container();
  const connections = { opened: 0, closed: 0 };
  container.on('connection_open', () => connections.opened++);
  container.on('connection_close', () => connections.closed++);
  container.on('disconnected', () => {});
  container.on('receiver_open', ({ receiver }: EventContext) => {
    const address = String(receiver?.target?.address);
    receiver?.set_target({ address });
    if (address.startsWith('refuse ')) receiver?.close({ condition: address.slice(7), description: 'so it is' });
  });
  container.on('message', ({ receiver, delivery }: EventContext) => {
    const [verb, condition] = String(receiver?.target?.address).split(' ');
    if (verb === 'reject')
      delivery?.reject(condition === undefined ? undefined : { condition, description: 'so it is' });
    else if (verb === 'release') delivery?.release();
    else if (verb === 'modify') delivery?.modified({ delivery_failed: true });
    else if (verb === 'detach') receiver?.close({ condition: condition ?? '', description: 'so it is' });
    else if (verb === 'cut') receiver?.connection.close({ condition: condition ?? '', description: 'so it is' });
    else delivery?.accept();
  });
  const server = container.listen({
    port: 0,
    host: '127.0.0.1',
    receiver_options: { autoaccept: false },
  } as never) as Server;
  await new Promise<void>((resolve) => server.once('listening', () => resolve()));
  peer = { server, connections };
  opened = await jarWith({ [BUS]: `amqp://127.0.0.1:${(server.address() as { port: number }).port}` });
});
afterEach(() => vi.useRealTimers());
afterAll(async () => {
  await opened.running.close();
  peer.server.close();
});

const send = (queue: string) =>
  sendToResource(messageTo('ServiceBusQueue', { resourceId: `${BUS}/queues/${queue}` }), opened.jar, patiently());

describe('outcomes for answers of a broker', () => {
  it.each([
    ['accept', 'Succeeded'],
    ['release', 'NotFound'],
    ['modify', 'Busy'],
    ['reject', 'Full'],
  ])('%s is %s', async (queue, outcome) => {
    expect((await send(queue)).outcome).toBe(outcome);
    // After any answer, the next message is delivered.
    expect(await send('accept')).toMatchObject({ outcome: 'Succeeded' });
  });

  it.each([
    ['reject amqp:not-found', 'NotFound'],
    ['reject amqp:not-allowed', 'Forbidden'],
    ['reject amqp:unauthorized-access', 'Unauthorized'],
    ['reject amqp:resource-limit-exceeded', 'Full'],
    ['reject amqp:link:message-size-exceeded', 'PayloadTooLarge'],
    ['reject com.microsoft:server-busy', 'Busy'],
    ['reject com.microsoft:timeout', 'TimedOut'],
    ['reject com.microsoft:entity-disabled', 'Disabled'],
    ['reject amqp:decode-error', 'BadRequest'],
    ['refuse amqp:not-found', 'NotFound'],
    ['refuse amqp:unauthorized-access', 'Unauthorized'],
    ['refuse com.microsoft:entity-disabled', 'Disabled'],
    ['cut amqp:connection:forced', 'SocketError'],
    ['cut amqp:resource-limit-exceeded', 'Full'],
    ['cut amqp:session:errant-link', 'SocketError'],
    ['detach amqp:link:stolen', 'SocketError'],
    ['detach amqp:link:message-size-exceeded', 'PayloadTooLarge'],
  ])('%s is %s, with the reason', async (queue, outcome) => {
    const [, condition] = queue.split(' ');
    expect(await send(queue)).toMatchObject({ outcome, error: `${condition}: so it is` });
    expect(await send('accept')).toMatchObject({ outcome: 'Succeeded' });
  });
});

it('when a message makes the broker end the link, all messages under way are retried, because the culprit is unknown', async () => {
  await send('detach amqp:link:message-size-exceeded');
  const replies = await Promise.all([1, 2, 3].map(() => send('detach amqp:link:message-size-exceeded')));
  expect(replies.map(({ outcome }) => outcome)).toEqual(['SocketError', 'SocketError', 'SocketError']);
  expect(replies[0]?.error).toContain('amqp:link:message-size-exceeded: so it is');
});

it('a connection serves many events, is closed when idle, and reopened by the next event', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  const fresh = await jarWith({ [BUS]: `amqp://127.0.0.1:${(peer.server.address() as { port: number }).port}` });
  const before = { ...peer.connections };
  const through = () =>
    sendToResource(messageTo('ServiceBusQueue', { resourceId: `${BUS}/queues/accept` }), fresh.jar, patiently());
  for (let i = 0; i < 5; i++) expect((await through()).outcome).toBe('Succeeded');
  expect(peer.connections.opened).toBe(before.opened + 1);
  vi.advanceTimersByTime(40_000);
  expect((await through()).outcome).toBe('Succeeded');
  vi.advanceTimersByTime(40_000);
  expect((await through()).outcome).toBe('Succeeded');
  expect(peer.connections.opened).toBe(before.opened + 1);
  vi.advanceTimersByTime(120_000);
  await expect.poll(() => peer.connections.closed).toBe(before.closed + 1);
  expect((await through()).outcome).toBe('Succeeded');
  expect(peer.connections.opened).toBe(before.opened + 2);
  await fresh.running.close();
  await expect.poll(() => peer.connections.closed).toBe(before.closed + 2);
});
