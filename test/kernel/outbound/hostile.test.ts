import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { Calls } from '../../../src/kernel/outbound/calls.ts';
import { OutboundClient } from '../../../src/kernel/outbound/client.ts';
import { listening } from '../delivery/receivers.ts';

const servers: Server[] = [];
const sockets = new Set<Socket>();
const client = new OutboundClient({
  host: '127.0.0.1',
  allowHttpLoopback: true,
  ownPorts: () => [],
  authority: async () => '',
});

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** A receiver with arbitrary behaviour on the raw connection. */
async function hostile(behave: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    socket.once('data', () => behave(socket));
  });
  servers.push(server);
  return `http://127.0.0.1:${await listening(server)}/`;
}

const gone = () => expect.poll(() => sockets.size).toBe(0);

test('a receiver that never answers times out, and its connection is closed', async () => {
  const url = await hostile(() => {});
  await expect(client.send({ url, timeoutMs: 50 })).rejects.toMatchObject({ failure: 'TimedOut' });
  await gone();
});

test('a receiver that never finishes its response times out', async () => {
  const url = await hostile((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
    const timer = setInterval(() => socket.write('x'), 5);
    socket.on('close', () => clearInterval(timer));
  });
  await expect(client.send({ url, timeoutMs: 100 })).rejects.toMatchObject({ failure: 'TimedOut' });
  await gone();
});

test('a receiver that sends headers slowly for ever times out', async () => {
  const url = await hostile((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const timer = setInterval(() => socket.write('x: y\r\n'), 5);
    socket.on('close', () => clearInterval(timer));
  });
  await expect(client.send({ url, timeoutMs: 100 })).rejects.toMatchObject({ failure: 'TimedOut' });
  await gone();
});

test('of an answer of gigabytes only the beginning is read', async () => {
  let written = 0;
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const url = await hostile((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10000000000\r\n\r\n');
    const more = (): void => {
      while (!socket.destroyed && socket.write(chunk)) written += chunk.length;
    };
    socket.on('drain', more);
    more();
  });
  const answer = await client.send({ url, maxBodyBytes: 1000, timeoutMs: 5000 });
  expect(answer).toMatchObject({ status: 200, truncated: true });
  expect(answer.body).toHaveLength(1000);
  await gone();
  expect(written).toBeLessThan(50 * 1024 * 1024);
});

test('headers without measure are refused', async () => {
  const url = await hostile((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`);
  });
  await expect(client.send({ url, timeoutMs: 5000 })).rejects.toMatchObject({ failure: 'SocketError' });
  await gone();
});

test.for([
  ['resets', (socket: Socket) => socket.resetAndDestroy()],
  ['closes', (socket: Socket) => socket.end()],
  ['speaks something else', (socket: Socket) => socket.end('220 mail.example ESMTP\r\n')],
  ['closes within the answer', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc')],
] as const)('a receiver that %s is a socket error', async ([, behave]) => {
  const url = await hostile((socket) => void behave(socket));
  await expect(client.send({ url, timeoutMs: 5000 })).rejects.toMatchObject({ failure: 'SocketError' });
  await gone();
});

test('requests are cancelled together', async () => {
  const url = await hostile(() => {});
  const calls = new Calls();
  const sending = [1, 2, 3].map(() => client.send({ url, calls }));
  await expect.poll(() => sockets.size).toBe(3);
  calls.cancelCalls();
  for (const each of sending) await expect(each).rejects.toMatchObject({ failure: 'Aborted' });
  await expect(client.send({ url, calls })).rejects.toMatchObject({ failure: 'Aborted' });
  await gone();
});

test('an informational answer before the real one is passed over', async () => {
  const url = await hostile((socket) => {
    socket.end('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n');
  });
  expect(await client.send({ url, timeoutMs: 5000 })).toMatchObject({ status: 204 });
});
