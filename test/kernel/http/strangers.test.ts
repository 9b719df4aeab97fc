import { request } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MANAGEMENT } from '../../../src/kernel/arm/family.ts';
import type { Finished } from '../../../src/kernel/http/server.ts';
import { route } from '../../../src/kernel/service/routes.ts';
import { SERVICES } from '../../../src/services.ts';
import { startJar, type TestJar } from '../../../src/testing/index.ts';
import { startCli } from '../../cli/cli.ts';
import { MEGABYTE, peakMemoryOf } from '../../support/process-memory.ts';
import { RawClient } from '../../support/raw-http.ts';
import { wholeService } from '../../support/whole-service.ts';

const SOAK = process.env.CLOUDJAR_SOAK === '1';
const BODY_BYTES = (SOAK ? 300 : 30) * MEGABYTE;
const GROUP = '/subscriptions/10000000-0000-4000-8000-0000000000f1/resourceGroups/x?api-version=2025-04-01';

const TARGETS = [
  ['the business application', 'POST', '/api/v2.0/companies'],
  ['management', 'PUT', GROUP],
  ['app lifecycle', 'POST', '/v0.1/apps'],
  ['logs of apps', 'POST', '/logs'],
  ['signed uploads', 'PUT', '/lifecycle-files/nothing?sig=x'],
  ['the control API', 'POST', '/_jar/reset'],
  ['the import of snapshots', 'PUT', '/_jar/snapshots/x/content'],
  ['translator', 'POST', '/detect?api-version=3.0'],
] as const;

const head = (method: string, path: string, ...more: readonly string[]): string[] => [
  `${method} ${path} HTTP/1.1`,
  'host: localhost',
  'content-type: application/json',
  ...more,
];

describe('unauthenticated clients with large bodies', () => {
  it('four at once cost less than 20 MB', async () => {
    const jar = await startCli();
    // Opens the services and fills Node's buffers.
    for (const [, method, path] of TARGETS) await fetch(jar.url + path, { method, body: '{}' });
    const before = peakMemoryOf(jar.pid);
    const clients = TARGETS.slice(0, 4).map(([, method, path]) => {
      const client = new RawClient(jar.url).head(...head(method, path, `content-length: ${BODY_BYTES}`));
      void client.fill(BODY_BYTES);
      return client;
    });
    for (const client of clients) expect(await client.until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 (401|403) /);
    await Promise.all(clients.map((client) => client.closed));
    expect((peakMemoryOf(jar.pid) - before) / MEGABYTE).toBeLessThan(20);
  });

  it('cost no more than their bytes where each byte is a chunk of its own', async () => {
    const jar = await startCli();
    const chunks = async (count: number): Promise<void> => {
      const path = '/_jar/inbox/bytes';
      const client = new RawClient(jar.url).head(
        ...head('POST', path, 'transfer-encoding: chunked', 'connection: close'),
      );
      for (let sent = 0; sent < count; sent += 10_000) client.socket.write('1\r\nx\r\n'.repeat(10_000));
      client.socket.write('0\r\n\r\n');
      expect(await client.closed).toMatch(/^HTTP\/1\.1 200 /);
    };
    await chunks(50_000);
    const before = peakMemoryOf(jar.pid);
    await chunks(600_000);
    expect((peakMemoryOf(jar.pid) - before) / MEGABYTE).toBeLessThan(80);
  });
});

describe('a request that is refused before its body', () => {
  let jar: TestJar;
  beforeAll(async () => {
    jar = await startJar();
  });
  afterAll(() => jar.close());

  it.each(TARGETS)('is answered by %s without a byte of the body, and ends the connection', async (_, method, path) => {
    const client = new RawClient(jar.url).head(...head(method, path, `content-length: ${BODY_BYTES}`));
    expect(await client.until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 (401|403) [\s\S]*connection: close/i);
    client.close();
  });

  it('gets its response even while the client sends and does not read', async () => {
    const client = new RawClient(jar.url).head(...head('PUT', GROUP, `content-length: ${BODY_BYTES}`));
    client.socket.pause();
    void client.fill(BODY_BYTES);
    await new Promise<void>((resolve) => client.socket.once('readable', resolve));
    client.socket.resume();
    expect(await client.closed).toMatch(/^HTTP\/1\.1 401 [\s\S]*"code":"AuthenticationFailed"/);
  });

  it('gets its response in fetch, with a body of known and of unknown length', async () => {
    const known = await fetch(jar.url + GROUP, { method: 'PUT', body: new Uint8Array(8 * MEGABYTE) });
    expect([known.status, await known.text()]).toEqual([401, expect.stringContaining('AuthenticationFailed')]);
    const stream = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)) });
    const unknown = await fetch(jar.url + GROUP, { method: 'PUT', body: stream, duplex: 'half' } as RequestInit);
    expect([unknown.status, await unknown.text()]).toEqual([401, expect.stringContaining('AuthenticationFailed')]);
  });

  it('keeps its connection where the body is small', async () => {
    const client = new RawClient(jar.url).head(...head('PUT', GROUP, 'content-length: 4000'));
    expect(await client.until(/\r\n\r\n/)).not.toMatch(/connection: close/i);
    await client.fill(4000);
    client.head('GET /_jar/health HTTP/1.1', 'host: localhost', 'connection: close');
    expect(await client.closed).toMatch(/^HTTP\/1\.1 401 [\s\S]*HTTP\/1\.1 200 /);
  });

  it('is answered the same over HTTPS', async () => {
    const outgoing = request(jar.httpsUrl + GROUP, { method: 'PUT', ca: jar.ca, agent: false });
    outgoing.on('error', () => {}).write(Buffer.alloc(8 * MEGABYTE));
    const status = await new Promise((resolve) => outgoing.on('response', ({ statusCode }) => resolve(statusCode)));
    outgoing.destroy();
    expect(status).toBe(401);
  });
});

it('a client that leaves while its caller is being checked is not waited for', async () => {
  const checking = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const finished = Promise.withResolvers<Finished>();
  const service = wholeService({
    name: 'slow',
    title: 'Slow',
    family: {
      ...MANAGEMENT,
      name: 'slow',
      steps: [
        async () => {
          checking.resolve();
          await left.promise;
        },
      ],
    },
    mounts: ['/slow'],
    routes: [route({ method: 'POST', path: '/slow', operation: 'Slow', summary: '', handle: () => ({ status: 204 }) })],
  });
  const jar = await startJar({
    services: [...SERVICES, service],
    observe: (it) => it.call.operation === 'Slow' && finished.resolve(it),
  });
  try {
    const client = new RawClient(jar.url).head(...head('POST', '/slow', 'content-length: 500'));
    await checking.promise;
    client.close();
    // When this is answered, the jar's event loop has seen the closed connection.
    await fetch(`${jar.url}/_jar/health`);
    left.resolve();
    expect((await finished.promise).answer.status).toBe(400);
  } finally {
    await jar.close();
  }
});

describe('Expect', () => {
  let jar: TestJar;
  let authorization: string;
  beforeAll(async () => {
    jar = await startJar();
    authorization = `authorization: Bearer ${await jar.token()}`;
  });
  afterAll(() => jar.close());

  it('100-continue gets 100 once the caller is admitted, and then the answer', async () => {
    const client = new RawClient(jar.url).head(
      ...head('PUT', GROUP, authorization, 'content-length: 21', 'expect: 100-continue', 'connection: close'),
    );
    expect(await client.until(/\r\n\r\n/)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    client.socket.write('{"location":"westus"}');
    expect(await client.closed).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
  });

  it.each(TARGETS)(
    '100-continue of an unauthenticated client gets the rejection of %s alone',
    async (_, method, path) => {
      const client = new RawClient(jar.url).head(
        ...head(method, path, `content-length: ${BODY_BYTES}`, 'expect: 100-continue'),
      );
      expect(await client.until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 (401|403) [\s\S]*connection: close/i);
      client.close();
    },
  );

  it('100-continue for a body that is too large gets 413 alone', async () => {
    const client = new RawClient(jar.url).head(
      ...head('PUT', GROUP, authorization, 'content-length: 5000000', 'expect: 100-continue'),
    );
    expect(await client.until(/\r\n\r\n[\s\S]*}/)).toMatch(/^HTTP\/1\.1 413 [\s\S]*RequestContentTooLarge/);
    client.close();
  });

  it('anything else gets 417 in the shape of the family', async () => {
    const client = new RawClient(jar.url).head(
      ...head('PUT', GROUP, authorization, 'content-length: 2', 'expect: a-miracle'),
    );
    client.socket.write('{}');
    expect(await client.until(/\r\n\r\n[\s\S]*}/)).toMatch(/^HTTP\/1\.1 417 [\s\S]*"code":"ExpectationFailed"/);
    client.close();
  });

  it('of HTTP/1.0 is no expectation', async () => {
    const client = new RawClient(jar.url);
    client.head('GET /_jar/health HTTP/1.0', 'host: localhost', 'expect: 100-continue');
    expect(await client.closed).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('a body of unknown length is counted while it is read', async () => {
    const client = new RawClient(jar.url).head(...head('PUT', GROUP, authorization, 'transfer-encoding: chunked'));
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    for (let sent = 0; sent < 80 && !client.received; sent++) client.socket.write(chunk);
    expect(await client.until(/\r\n\r\n[\s\S]*}/)).toMatch(
      /^HTTP\/1\.1 413 [\s\S]*connection: close[\s\S]*RequestContentTooLarge/i,
    );
    client.close();
  });
});
