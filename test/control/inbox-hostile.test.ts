import { request } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { inboxes } from '../../src/control/inbox/collections.ts';
import { openJar } from '../../src/jar/index.ts';
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

  it('keeps what is compressed as it came, and what has no content type', async () => {
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
