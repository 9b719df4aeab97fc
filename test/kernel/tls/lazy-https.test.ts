import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as tlsConnect } from 'node:tls';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../../src/kernel/telemetry/log.ts';
import { loadAuthority, type ServerCredentials } from '../../../src/kernel/tls/authority.ts';
import { type LazyHttpsOptions, type LazyHttpsServer, lazyHttps } from '../../../src/kernel/tls/lazy-https.ts';
import { wantedNames } from '../../../src/kernel/tls/names.ts';
import { eventually } from '../../support/eventually.ts';

const authority = loadAuthority(undefined, { names: () => wantedNames('127.0.0.1'), wallNow: Date.now });
const ca = authority.caPem;
const running: LazyHttpsServer[] = [];

afterEach(async () => {
  for (const server of running.splice(0)) {
    server.closeAllConnections();
    if (server.listening) await new Promise((closed) => server.close(closed));
  }
});

const answerHello = (_: IncomingMessage, response: ServerResponse) => {
  response.end('hello');
};

async function listen(options: Partial<LazyHttpsOptions> = {}, host = '127.0.0.1') {
  const logged: string[] = [];
  const server = lazyHttps({
    loadCredentials: () => authority.serverCredentials(),
    onRequest: answerHello,
    wallNow: Date.now,
    log: createLogger({ level: 'debug', stream: { write: (line) => logged.push(line) } }),
    ...options,
  });
  running.push(server);
  server.listen(0, host);
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port, logged };
}

async function get(url: string, agent = new Agent()): Promise<{ status: number | undefined; body: string }> {
  const request = httpsRequest(url, { ca, agent }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: await text(response) };
}

describe('the HTTPS listener', () => {
  it.each([
    ['localhost', '127.0.0.1'],
    ['127.0.0.1', '127.0.0.1'],
    ['[::1]', '::1'],
  ])('answers a client that trusts the CA and nothing else on %s', async (name, host) => {
    const { port } = await listen({}, host);
    expect(await get(`https://${name}:${port}/`)).toEqual({ status: 200, body: 'hello' });
  });

  it('loads no certificate before the first client, and only one for many at once', async () => {
    const loadCredentials = vi.fn(async () => authority.serverCredentials());
    const { port } = await listen({ loadCredentials });
    expect(loadCredentials).not.toHaveBeenCalled();
    const agent = new Agent({ maxSockets: 20 });
    await Promise.all(Array.from({ length: 20 }, () => get(`https://localhost:${port}/`, agent)));
    expect(loadCredentials).toHaveBeenCalledTimes(1);
    agent.destroy();
  });

  it('tries again after the certificate could not be loaded', async () => {
    const loadCredentials = vi.fn(() => authority.serverCredentials());
    loadCredentials.mockImplementationOnce(() => {
      throw new Error('disk is away');
    });
    const { port, logged } = await listen({ loadCredentials });
    await expect(get(`https://localhost:${port}/`)).rejects.toThrow();
    expect((await get(`https://localhost:${port}/`)).status).toBe(200);
    await eventually(() => expect(logged.join('')).toContain('disk is away'));
  });

  it('takes new credentials when the old ones want renewal', async () => {
    let now = 0;
    const other = loadAuthority(undefined, { names: () => wantedNames('127.0.0.1'), wallNow: Date.now });
    const inTurn: ServerCredentials[] = [
      { ...authority.serverCredentials(), renewAt: 10 },
      { ...other.serverCredentials(), renewAt: 20 },
    ];
    const { port } = await listen({ loadCredentials: () => inTurn.shift()!, wallNow: () => now });
    expect((await get(`https://localhost:${port}/`)).status).toBe(200);
    now = 10;
    await expect(get(`https://localhost:${port}/`)).rejects.toThrow(/certificate/);
    expect(inTurn).toEqual([]);
  });

  it('speaks HTTP/1.1 to clients that offer more', async () => {
    const { port } = await listen();
    const socket = tlsConnect({ port, host: '127.0.0.1', ca, ALPNProtocols: ['h2', 'http/1.1'] });
    await once(socket, 'secureConnect');
    expect(socket.alpnProtocol).toBe('http/1.1');
    socket.destroy();
  });

  it('hands over upgrades', async () => {
    const { port } = await listen({
      webSockets: {
        takes: ({ headers }) => headers.upgrade === 'x',
        upgrade: (_, socket) =>
          socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nhi'),
      },
    });
    const headers = { connection: 'Upgrade', upgrade: 'x' };
    const request = httpsRequest({ port, host: 'localhost', ca, headers }).end();
    const [, socket, head] = await once(request, 'upgrade');
    expect(`${head}${head.length === 0 ? await text(socket) : ''}`).toBe('hi');
  });

  it('answers as ever who asks for an upgrade that nobody takes', async () => {
    const { port } = await listen({ webSockets: { takes: () => false, upgrade: (_, socket) => socket.destroy() } });
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': '' };
    const request = httpsRequest({ port, host: 'localhost', ca, headers }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    response.resume();
  });
});

describe('what is not TLS', () => {
  it('an HTTP request gets an answer that says what to do', async () => {
    const loadCredentials = vi.fn(() => authority.serverCredentials());
    const { port } = await listen({ loadCredentials });
    const request = httpRequest({ port, host: '127.0.0.1', method: 'POST' }).end('x'.repeat(300_000));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(400);
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(await text(response)).toContain('https://');
    expect(loadCredentials).not.toHaveBeenCalled();
  });

  it.each([
    ['noise', Buffer.from([0, 1, 2, 3])],
    ['a handshake that breaks off', Buffer.from([0x16, 3, 1, 0, 5, 1, 0, 0])],
    ['a handshake of nonsense', Buffer.from([0x16, 3, 1, 0, 5, 9, 9, 9, 9, 9])],
  ])('%s closes that connection and harms no other', async (_, bytes) => {
    const { port } = await listen();
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    socket.on('error', () => {});
    socket.resume();
    await once(socket, 'close');
    expect((await get(`https://localhost:${port}/`)).status).toBe(200);
  });

  it('a client that does not trust the CA is noted in the debug log', async () => {
    const { port, logged } = await listen();
    const socket = tlsConnect({ port, host: '127.0.0.1' });
    await once(socket, 'error');
    await eventually(() => expect(logged.join('')).toContain('a TLS handshake failed'));
  });

  it('a client that disconnects midway does no harm', async () => {
    const { port } = await listen();
    for (const bytes of [undefined, Buffer.from([0x16]), Buffer.from('GET / HT')]) {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      if (bytes) socket.write(bytes);
      socket.resetAndDestroy();
    }
    expect((await get(`https://localhost:${port}/`)).status).toBe(200);
  });
});

describe('closing', () => {
  it('finishes requests in flight and drops idle, silent and half-open connections', async () => {
    const started = Promise.withResolvers<ServerResponse>();
    const { server, port } = await listen({
      onRequest: (request, response) => (request.url === '/slow' ? started.resolve(response) : response.end('hello')),
    });
    const agent = new Agent({ keepAlive: true });
    await get(`https://localhost:${port}/`, agent);
    const silent = connect(port, '127.0.0.1').on('error', () => {});
    const secure = tlsConnect({ port, host: '127.0.0.1', ca }).on('error', () => {});
    await Promise.all([once(silent, 'connect'), once(secure, 'secureConnect')]);
    const slow = get(`https://localhost:${port}/slow`);
    const response = await started.promise;

    let closed = false;
    const closing = new Promise<void>((done) =>
      server.close(() => {
        closed = true;
        done();
      }),
    );
    await Promise.all([once(silent, 'close'), once(secure, 'close')]);
    expect(closed).toBe(false);
    response.end('finished');
    expect(await slow).toEqual({ status: 200, body: 'finished' });
    await closing;
    expect(closed).toBe(true);
    agent.destroy();
  });

  it('ends at once when nobody ever connected', async () => {
    const { server } = await listen();
    await new Promise((closed) => server.close(closed));
    expect(server.listening).toBe(false);
  });

  it('can be forced on requests that do not end', async () => {
    const started = Promise.withResolvers<void>();
    const { server, port } = await listen({ onRequest: () => started.resolve() });
    const hanging = get(`https://localhost:${port}/`);
    await started.promise;
    const closing = new Promise((closed) => server.close(closed));
    server.closeAllConnections();
    await expect(hanging).rejects.toThrow();
    await closing;
  });
});
