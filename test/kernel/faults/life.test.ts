import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { openJar } from '../../../src/jar/index.ts';
import { MANAGEMENT } from '../../../src/kernel/arm/family.ts';
import { loadConfig } from '../../../src/kernel/config/config.ts';
import { SERVICES } from '../../../src/services.ts';
import { startJar, type TestJar } from '../../../src/testing/index.ts';
import { usePostgresDatabase } from '../../support/use-postgres.ts';
import { wholeService } from '../../support/whole-service.ts';

const LIST = '/subscriptions?api-version=2022-12-01';

const control = async (jar: { url: string; adminKey: string }, method: string, path: string, body?: unknown) => {
  const response = await fetch(`${jar.url}/_jar${path}`, {
    method,
    headers: { authorization: `Bearer ${jar.adminKey}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
};
const firstRule = async (jar: TestJar) => (await control(jar, 'GET', '/faults')).value[0];

describe('a rule', () => {
  it('outlives the process, with its counts', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cloudjar-faults-'));
    const config = loadConfig({
      flags: { port: 0, httpsPort: 0, data: folder, logLevel: 'silent' },
      env: {},
      cwd: folder,
    });
    try {
      const before = await openJar({ config });
      await control(before, 'POST', '/faults', { effect: { status: 500 }, every: 2, count: 1 });
      expect((await fetch(before.url + LIST)).status).toBe(401);
      await before.close();
      const after = await openJar({ config });
      expect((await fetch(after.url + LIST)).status).toBe(500);
      expect((await fetch(after.url + LIST)).status).toBe(401);
      expect((await control(after, 'GET', '/faults')).value).toMatchObject([{ hits: 1, state: 'exhausted' }]);
      await after.close();
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('is restored with a snapshot, active when the restore is answered, with its counts at that time', async () => {
    const jar = await startJar();
    const { id } = await jar.faults.add({ effect: { status: 418 }, count: 2 });
    expect((await fetch(jar.url + LIST)).status).toBe(418);
    await control(jar, 'PUT', '/snapshots/one');
    for (let round = 0; round < 5; round++) {
      expect((await fetch(jar.url + LIST)).status).toBe(round === 0 ? 418 : 401);
      await jar.faults.clear();
      expect((await fetch(jar.url + LIST)).status).toBe(401);
      await control(jar, 'POST', '/snapshots/one/restore');
      expect((await fetch(jar.url + LIST)).status).toBe(418);
      expect(await jar.faults.list()).toMatchObject([{ id, matched: 2, hits: 2, state: 'exhausted' }]);
    }
    await jar.close();
  });

  it('made on one node strikes on every node, and is counted once among them', async ({ skip }) => {
    const databaseUrl = await usePostgresDatabase({ skip }, 'faults_nodes');
    const secretKey = Buffer.alloc(32, 7).toString('base64url');
    const [one, two] = await Promise.all([startJar({ databaseUrl, secretKey }), startJar({ databaseUrl, secretKey })]);
    try {
      const { id } = await control(one, 'POST', '/faults', { effect: { status: 500 }, every: 2, count: 12 });
      // The second node receives the rule a moment later; its requests count from then on.
      await expect
        .poll(async () => {
          await fetch(two.url + LIST);
          return (await firstRule(one)).matched;
        })
        .toBeGreaterThan(0);
      const { matched, hits } = await firstRule(one);
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, i) => fetch((i % 2 ? one : two).url + LIST).then(({ status }) => status)),
      );
      expect(answers.filter((status) => status === 500)).toHaveLength(12 - hits);
      expect(await firstRule(two)).toMatchObject({ id, hits: 12, matched: 24, state: 'exhausted' });
      expect(matched).toBeLessThan(24);
      await control(two, 'DELETE', '/faults');
      await control(two, 'POST', '/faults', { effect: { status: 418 } });
      await expect.poll(async () => (await fetch(one.url + LIST)).status).toBe(418);
      await control(two, 'DELETE', '/faults');
      await expect.poll(async () => (await fetch(one.url + LIST)).status).toBe(401);
    } finally {
      await Promise.all([one.close(), two.close()]);
    }
  });
});

it('an answer that is lost is not left behind half sent', async () => {
  const body = Readable.from(['never', 'read']);
  const streaming = wholeService({
    name: 'streaming',
    title: 'Answers with a stream',
    family: { ...MANAGEMENT, name: 'streaming', steps: [] },
    mounts: [],
    routes: [
      { method: 'GET', path: '/streamed', operation: 'Get', summary: '', handle: async () => ({ status: 200, body }) },
    ],
  });
  const jar = await startJar({ services: [...SERVICES, streaming] });
  try {
    await jar.faults.add({ match: { path: '/streamed' }, effect: { dropAnswer: true } });
    await expect(fetch(`${jar.url}/streamed`)).rejects.toThrow('fetch failed');
    expect(body.destroyed).toBe(true);
  } finally {
    await jar.close();
  }
});

describe('a request that a rule delays', () => {
  const waiting = async (jar: TestJar): Promise<void> => {
    await control(jar, 'POST', '/faults', { effect: { latencyMs: 3_600_000 }, match: { method: 'GET' } });
  };

  it('is ended when the jar closes', async () => {
    const jar = await startJar();
    await waiting(jar);
    const slow = fetch(jar.url + LIST);
    await expect.poll(async () => (await firstRule(jar)).hits).toBe(1);
    await jar.close();
    const answer = await slow;
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ error: { code: 'ServiceUnavailable' } });
  });

  it('during its body is ended as well', async () => {
    const jar = await startJar();
    await jar.faults.add({ effect: { status: 200, body: 'slow as can be', slowBodyMs: 3_600_000 } });
    const answer = await fetch(jar.url + LIST);
    expect(answer.status).toBe(200);
    await jar.close();
    await expect(answer.text()).rejects.toThrow('terminated');
  });

  it('is not served after its client has disconnected', async () => {
    const seen: string[] = [];
    const jar = await startJar({ observe: ({ call }) => seen.push(call.method) });
    await control(jar, 'POST', '/faults', { effect: { latencyMs: 60_000 }, match: { method: 'PUT' } });
    const { hostname, port } = new URL(jar.url);
    const socket = connect(Number(port), hostname);
    socket.write('PUT /subscriptions HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n');
    await expect.poll(async () => (await firstRule(jar)).hits).toBe(1);
    socket.destroy();
    await expect
      .poll(async () => {
        await jar.clock.advance('1s');
        return (await control(jar, 'GET', '/clock')).nextDue;
      })
      .toBeNull();
    await jar.clock.advance('2m');
    expect(seen).not.toContain('PUT');
    await jar.close();
  });

  it('is served when the jar is reset', async () => {
    const jar = await startJar();
    await waiting(jar);
    const slow = fetch(jar.url + LIST);
    await expect.poll(async () => (await firstRule(jar)).hits).toBe(1);
    await jar.reset();
    expect((await slow).status).toBe(401);
    await jar.close();
  });

  it('may come from the jar itself: an advance continues to the awaited time', async () => {
    const answers: [status: number, at: number][] = [];
    let url = '';
    const caller = wholeService({
      name: 'caller',
      title: 'Calls the jar that it is part of',
      family: MANAGEMENT,
      mounts: [],
      routes: [],
      work: {
        'caller.call': {
          async run(_item, { clock }) {
            const { status } = await fetch(`${url}/_jar/inbox/slow`, { method: 'POST' });
            answers.push([status, clock.now()]);
          },
        },
      },
    });
    const config = loadConfig({
      flags: { port: 0, httpsPort: 0, memory: true, clock: 'virtual', clockStart: '2026-01-01T00:00:00Z' },
      env: {},
      cwd: '/',
    });
    const running = await openJar({ config, inProcess: true, services: [...SERVICES, caller] });
    url = running.url;
    const start = running.jar.clock.now();
    await control(running, 'POST', '/faults', { match: { path: '/_jar/inbox/*' }, effect: { latencyMs: 30_000 } });
    await running.jar.store.transact((tx) =>
      tx.schedule({ kind: 'caller.call', dueAt: start + 60_000, payload: null }),
    );
    await running.advance('1h');
    expect(answers).toEqual([[200, start + 90_000]]);
    await running.close();
  });
});
