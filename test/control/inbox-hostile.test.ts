import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { admitNewInbox } from '../../src/control/inbox/admit.ts';
import { MOST_BYTES, MOST_BYTES_IN_ALL, NEW_INBOXES } from '../../src/control/inbox/bounds.ts';
import { inboxes, inboxRequests } from '../../src/control/inbox/collections.ts';
import { makeRoomInAll } from '../../src/control/inbox/room.ts';
import { openJar, type RunningJar } from '../../src/jar/index.ts';
import { loadConfig } from '../../src/kernel/config/config.ts';
import { onAnyStore } from '../support/jars.ts';

onAnyStore('an inbox under hostile senders', (bench) => {
  const post = (path: string, body?: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    fetch(`${bench.jar.url}/_jar/inbox/${path}`, { method: 'POST', body: body ?? null, headers });

  it('keeps bodies with characters that databases dislike', async () => {
    const inbox = bench.jar.inbox('odd');
    for (const body of ['a\u0000b', '\ufeffbom', '\ud7ff\ue000', '']) await post('odd', body);
    expect((await inbox.requests()).map(({ body }) => body)).toEqual(['a\u0000b', '\ufeffbom', '\ud7ff\ue000', '']);
  });

  it('keeps compressed bodies and bodies without a content type as received', async () => {
    const bytes = new Uint8Array(gzipSync('hello'));
    await post('zip', bytes, { 'content-encoding': 'gzip' });
    const [kept] = await bench.jar.inbox('zip').requests();
    expect(Buffer.from(kept?.body ?? '', 'base64')).toEqual(Buffer.from(bytes));
  });

  it('refuses a body of more than 2 MiB and keeps nothing of it', async () => {
    const response = await post('huge', new Uint8Array(2 * 1024 * 1024 + 1));
    expect(response.status).toBe(413);
    expect(await bench.jar.inbox('huge').requests()).toEqual([]);
  });

  it.each(['%zz', '?a=%zz', '?a=%00', '/%00/x', '/..%2f..%2fhealth', '?=', `?${'a=1&'.repeat(500)}`, '/requests%2f1'])(
    'survives %j',
    async (path) => {
      const response = await post(`odd-paths${path}`, 'x');
      expect([200, 400]).toContain(response.status);
      expect((await fetch(`${bench.jar.url}/_jar/health`)).status).toBe(200);
    },
  );

  it('keeps a header that is given many times', async () => {
    await new Promise<void>((resolve, reject) => {
      const sent = request(
        `${bench.jar.url}/_jar/inbox/many`,
        { method: 'POST', headers: { 'x-many': ['a', 'b'], cookie: ['c=1', 'd=2'] } },
        (response) => response.resume().once('end', resolve),
      );
      sent.once('error', reject).end();
    });
    expect((await bench.jar.inbox('many').requests())[0]?.headers).toMatchObject({
      'x-many': 'a, b',
      cookie: 'c=1; d=2',
    });
  });

  it('does not wait for a sender that never finishes', async () => {
    const { hostname, port } = new URL(bench.jar.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write('POST /_jar/inbox/half HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nbegin');
    await post('half', 'whole');
    socket.destroy();
    expect((await bench.jar.inbox('half').requests()).map(({ body }) => body)).toEqual(['whole']);
  });
});

onAnyStore('an inbox that is not there', (bench) => {
  const send = (name: string, headers: Record<string, string>, method = 'POST') =>
    fetch(`${bench.jar.url}/_jar/inbox/${name}`, { method, headers });
  const names = async () => {
    const headers = { authorization: `Bearer ${bench.jar.adminKey}` };
    const { value } = (await (await fetch(`${bench.jar.url}/_jar/inbox`, { headers })).json()) as {
      value: { name: string }[];
    };
    return value.map(({ name }) => name);
  };
  const FOREIGN: [what: string, headers: Record<string, string>][] = [
    ['of another site', { origin: 'https://evil.example' }],
    ['of another port', { origin: 'http://localhost:3000' }],
    ['that hides where it is from', { origin: 'null' }],
    ['that shows an image', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ];

  it.each(FOREIGN)('is not made by a page %s, which may send to one that is there', async (_, headers) => {
    for (const method of ['POST', 'GET', 'PUT']) {
      const refused = await send('drive-by', headers, method);
      expect(refused.status).toBe(403);
      expect(await refused.json()).toMatchObject({ error: { code: 'ForeignOrigin' } });
    }
    expect(await names()).not.toContain('drive-by');
    expect((await send('known', {})).status).toBe(200);
    expect((await send('known', headers)).status).toBe(200);
  });

  it('is created by a page of the jar itself, and by clients that are not browsers', async () => {
    expect((await send('own', { origin: bench.jar.url, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    expect((await send('typed', { 'sec-fetch-site': 'none' })).status).toBe(200);
    expect(await names()).toEqual(expect.arrayContaining(['own', 'typed']));
  });

  it('is not created by a page that has bound its own name to this machine', async () => {
    const { hostname, port } = new URL(bench.jar.url);
    const headers = { host: `evil.example:${port}`, origin: `http://evil.example:${port}` };
    const asked = request({ hostname, port, method: 'POST', path: '/_jar/inbox/rebound', headers }).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(403);
    expect(await names()).not.toContain('rebound');
  });

  it('is created by such a page at most a hundred times if the browser sends no origin, as for a GET', async () => {
    const { hostname, port } = new URL(bench.jar.url);
    const get = async (name: string, host: string): Promise<number | undefined> => {
      const asked = request({
        hostname,
        port,
        path: `/_jar/inbox/${name}`,
        headers: { host: `${host}:${port}` },
      }).end();
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    };
    for (let made = 0; made < NEW_INBOXES.limit; made++) await get(`rebound-${made}`, 'evil.example');
    expect(await get('rebound', 'evil.example')).toBe(429);
    expect(await get('rebound-1', 'evil.example')).toBe(200);
    expect(await get('of-this-machine', 'localhost')).toBe(200);
  });
});

/** A jar whose internals the test can access. */
async function opened(): Promise<RunningJar> {
  const flags = { port: 0, httpsPort: 0, memory: true, clock: 'virtual' };
  const running = await openJar({ config: loadConfig({ flags, env: {}, cwd: '/' }), inProcess: true });
  onTestFinished(() => running.close());
  return running;
}

it('another machine makes so many inboxes in an hour only, and this machine as many as it likes', async () => {
  const { jar, url, advance } = await opened();
  const from = (remoteAddress: string) => ({ jar, remoteAddress, headers: {}, origin: url, secure: false });
  for (let n = 0; n < 100; n++) await admitNewInbox(from('198.51.100.7'));
  await expect(admitNewInbox(from('198.51.100.7'))).rejects.toMatchObject({
    status: 429,
    code: 'TooManyNewInboxes',
    headers: { 'retry-after': expect.stringMatching(/^[1-9]/) },
  });
  await admitNewInbox(from('198.51.100.8'));
  for (const own of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
    for (let n = 0; n < 150; n++) await admitNewInbox(from(own));
  }
  await advance('1h');
  await admitNewInbox(from('198.51.100.7'));
});

it('all inboxes together keep so many bytes: the largest loses its oldest requests, and a small one nothing', async () => {
  const { jar, url } = await opened();
  const post = (name: string, body: string) => fetch(`${url}/_jar/inbox/${name}`, { method: 'POST', body });
  await post('small', 'keep me');
  for (let n = 1; n <= 20; n++) await post('flood', String(n).padEnd(50_000, 'x'));
  for (let n = 1; n <= 5; n++) await post('middle', String(n).padEnd(20_000, 'y'));
  await makeRoomInAll(jar, 500_000);
  const { items } = await jar.store.query(inboxes, { limit: 10 });
  const [flood, middle, small] = items.map(({ value }) => value);
  expect((flood?.bytes ?? 0) + (middle?.bytes ?? 0) + (small?.bytes ?? 0)).toBeLessThanOrEqual(500_000);
  expect([flood?.next, middle?.kept, small?.kept]).toEqual([21, 5, 1]);
  const kept = await jar.store.query(inboxRequests, { prefix: 'flood/', limit: 100 });
  expect(kept.items).toHaveLength(flood?.kept ?? 0);
  expect(kept.items.at(-1)?.value.number).toBe(20);
  expect(kept.items.reduce((sum, { value }) => sum + value.size, 0)).toBe(flood?.bytes);
});

it('they are added up when one has grown', async () => {
  const { jar, url } = await opened();
  const full = { next: 9, kept: 8, bytes: MOST_BYTES, createdAt: 0, lastAt: null, failed: 0 };
  await jar.store.transact(async (tx) => {
    for (let n = 0; n < 50; n++) await tx.put(inboxes, `full-${n}`, { name: `full-${n}`, ...full });
  });
  const bytes = async () =>
    (await jar.store.query(inboxes, { limit: 100 })).items.reduce((sum, { value }) => sum + value.bytes, 0);
  await fetch(`${url}/_jar/inbox/one`, { method: 'POST', body: 'a little' });
  expect(await bytes()).toBeGreaterThan(MOST_BYTES_IN_ALL);
  await fetch(`${url}/_jar/inbox/one`, { method: 'POST', body: 'x'.repeat(100_000) });
  expect(await bytes()).toBeLessThanOrEqual(MOST_BYTES_IN_ALL);
});

it('there is a bounded number of inboxes, and those that are there still receive', async () => {
  const config = loadConfig({ flags: { port: 0, httpsPort: 0, memory: true }, env: {}, cwd: '/' });
  const { url, adminKey, jar, close } = await openJar({ config, inProcess: true });
  try {
    const fresh = { next: 1, kept: 0, bytes: 0, createdAt: 0, lastAt: null, failed: 0 };
    await jar.store.transact(async (tx) => {
      for (let i = 0; i < 999; i++) await tx.put(inboxes, `box-${i}`, { name: `box-${i}`, ...fresh });
    });
    const send = async (name: string) => (await fetch(`${url}/_jar/inbox/${name}`, { method: 'POST' })).status;
    const crowd = await Promise.all(['x', 'y', 'z'].map(send));
    expect(crowd.sort()).toEqual([200, 409, 409]);
    expect(await send('box-5')).toBe(200);
    const removed = await fetch(`${url}/_jar/inbox`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${adminKey}` },
    });
    expect(await removed.json()).toEqual({ removed: 1000 });
    expect(await send('another')).toBe(200);
  } finally {
    await close();
  }
});
