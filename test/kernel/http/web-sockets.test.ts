import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MANAGEMENT } from '../../../src/kernel/arm/family.ts';
import { ApiError } from '../../../src/kernel/http/errors.ts';
import type { Finished } from '../../../src/kernel/http/server.ts';
import type { SocketConnection } from '../../../src/kernel/http/socket-route.ts';
import { socketRoute } from '../../../src/kernel/service/routes.ts';
import { SERVICES } from '../../../src/services.ts';
import { startJar, type TestJar } from '../../../src/testing/index.ts';
import { SocketClient, until } from '../../support/web-socket.ts';
import { wholeService } from '../../support/whole-service.ts';

let held: SocketConnection | undefined;

const ECHO = wholeService({
  name: 'echo',
  title: 'Echo',
  family: MANAGEMENT,
  mounts: [],
  routes: [],
  sockets: [
    socketRoute({
      path: '/echo/{room}',
      operation: 'Echo',
      summary: 'Says what it hears',
      admit({ params }) {
        if (params.room === 'closed') throw new ApiError(403, 'RoomClosed', 'This room is closed.', { target: 'room' });
      },
      async open(call, socket) {
        await socket.send(`${call.params.room} ${call.query.as ?? ''} ${call.origin}`);
        if (call.params.room === 'broken') throw new Error('on purpose');
        for await (const { data, isText } of socket.messages()) {
          if (String(data) === 'bye') return;
          await socket.send(isText ? String(data) : data);
        }
      },
    }),
    socketRoute({
      path: '/held',
      operation: 'Held',
      summary: 'Takes no messages',
      async open(_, socket) {
        held = socket;
        await new Promise<void>((resolve) => socket.closed.addEventListener('abort', () => resolve()));
      },
    }),
  ],
});

let jar: TestJar;
const finished: Finished[] = [];
beforeAll(async () => {
  jar = await startJar({ services: [...SERVICES, ECHO], observe: (it) => finished.push(it) });
});
afterAll(() => jar.close());

const address = (path: string): string => jar.url.replace('http', 'ws') + path;
const raw = (headers: Record<string, string>, path = '/echo/a', method = 'GET') =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request(jar.url + path, { method, headers }, resolve);
    asked.on('error', reject).end();
  });

describe('a WebSocket', () => {
  it('is served on both ports, and knows how it was reached', async () => {
    const plain = new SocketClient(address('/echo/a?as=x'));
    await plain.told(`a x ${jar.url}`);
    const secure = new SocketClient(`${jar.httpsUrl.replace('http', 'ws')}/ECHO/B`, { ca: jar.ca });
    await secure.told(`B  ${jar.httpsUrl}`);
    for (const client of [plain, secure]) {
      await client.say('hello');
      await client.told('hello');
      expect(client.binary).toBe(0);
      await client.say(Buffer.from('bytes'));
      await client.told('bytes');
      expect(client.binary).toBe(1);
      await client.say('bye');
      expect(await client.end()).toEqual({ code: 1000, reason: '' });
    }
    const seen = finished.filter(({ call }) => call.route.operation === 'Echo');
    expect(seen.map(({ service, answer }) => `${service} ${answer.status}`)).toEqual(['echo 101', 'echo 101']);
  });

  it('can be refused with an answer', async () => {
    const { status, body } = await new SocketClient(address('/echo/closed')).refusal();
    expect([status, JSON.parse(body).error]).toEqual([
      403,
      { code: 'RoomClosed', message: 'This room is closed.', target: 'room' },
    ]);
  });

  it('closes with 1011 when its service fails, without saying why', async () => {
    const client = new SocketClient(address('/echo/broken'));
    expect(await client.end()).toEqual({ code: 1011, reason: 'an unexpected error happened' });
  });

  it('closes with 1009 when a message is too long', async () => {
    const client = new SocketClient(address('/echo/a'));
    await client.say(Buffer.alloc(1024 * 1024 + 1));
    expect((await client.end()).code).toBe(1009);
    const allowed = new SocketClient(address('/echo/a'));
    await allowed.say(Buffer.alloc(1024 * 1024, 'x'));
    await until(() => allowed.text.length > 1024 * 1024);
    allowed.socket.close();
  });

  it('pauses a client whose messages are not consumed', async () => {
    const client = new SocketClient(address('/held'));
    const part = Buffer.alloc(512 * 1024);
    for (let i = 0; i < 64; i++) await client.say(part);
    await until(() => held !== undefined);
    // More than the buffers of both ends hold, so that some of it waits at the client.
    await new Promise((resolve) => setImmediate(resolve));
    expect(client.socket.bufferedAmount).toBeGreaterThan(0);
    held?.close(1000, 'enough');
    expect(await client.end()).toEqual({ code: 1000, reason: 'enough' });
  });

  it('notices a client that vanishes', async () => {
    const client = new SocketClient(address('/held'));
    held = undefined;
    await until(() => held !== undefined);
    client.socket.terminate();
    await until(() => held?.closed.aborted === true);
  });

  it('is affected by fault rules like any request', async () => {
    const { id } = await jar.faults.add({ match: { service: 'echo' }, effect: { status: 503 }, count: 1 });
    const refused = await new SocketClient(address('/echo/a')).refusal();
    expect(refused.status).toBe(503);
    await jar.faults.add({ match: { service: 'echo' }, effect: { drop: true }, count: 1 });
    expect((await new SocketClient(address('/echo/a')).end()).code).toBe(1006);
    expect(id).toBeDefined();
    await jar.faults.clear();
  });
});

describe('a request that is no proper handshake', () => {
  const handshake = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  };

  it('is told to upgrade', async () => {
    const answer = await raw({});
    expect([answer.statusCode, answer.headers.upgrade]).toEqual([426, 'websocket']);
    expect(JSON.parse(await text(answer)).error.message).toContain('WebSocket');
  });

  it.each([
    ['without a key', { ...handshake, 'sec-websocket-key': '' }],
    ['with a bad key', { ...handshake, 'sec-websocket-key': 'short' }],
    ['of an unknown version', { ...handshake, 'sec-websocket-version': '7' }],
  ])('%s is refused in the shape of the family', async (_, headers) => {
    const answer = await raw(headers);
    expect(answer.statusCode).toBe(400);
    expect(JSON.parse(await text(answer)).error.code).toBe('InvalidParameter');
  });

  it('to another method or address is answered as ever', async () => {
    const headers = { ...handshake, authorization: `Bearer ${await jar.token()}` };
    expect((await raw(headers, '/echo/a?api-version=2022-12-01', 'POST')).statusCode).toBe(405);
    expect((await raw(headers, '/nowhere?api-version=2022-12-01')).statusCode).toBe(404);
    expect((await raw(handshake, '/nowhere')).statusCode).toBe(404);
    expect((await raw(handshake, '/_jar/health')).statusCode).toBe(200);
    expect((await raw({ connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c' }, '/_jar/health')).statusCode).toBe(200);
  });

  it('and goes away in the middle harms nobody', async () => {
    const { hostname, port } = new URL(jar.url);
    for (let i = 0; i < 20; i++) {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      const lines = Object.entries(handshake).map(([name, value]) => `${name}: ${value}`);
      socket.write(`GET /echo/a HTTP/1.1\r\nhost: x\r\n${lines.join('\r\n')}\r\n\r\n`);
      socket.resetAndDestroy();
    }
    expect((await raw({}, '/_jar/health')).statusCode).toBe(200);
  });
});

describe('a jar that closes', () => {
  it.each(['http', 'https'])(
    'says so to its WebSockets over %s, and does not wait for those that are silent',
    async (scheme) => {
      const closing = await startJar({ services: [...SERVICES, ECHO] });
      const url = (scheme === 'http' ? closing.url : closing.httpsUrl).replace('http', 'ws');
      const client = new SocketClient(`${url}/echo/a`, { ca: closing.ca });
      const silent = new SocketClient(`${url}/echo/a`, { ca: closing.ca });
      await Promise.all([client.told('a'), silent.told('a')]);
      silent.socket.pause();
      await closing.close();
      expect(await client.end()).toEqual({ code: 1001, reason: 'the jar is closing' });
      silent.socket.terminate();
    },
  );
});
