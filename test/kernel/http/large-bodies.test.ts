import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MemoryBudget } from '../../../src/kernel/http/memory-budget.ts';
import { SERVICES } from '../../../src/services.ts';
import { startJar, type TestJar } from '../../../src/testing/index.ts';
import { eventually } from '../../support/eventually.ts';
import { JarProbe } from '../../support/jar-probe.ts';
import { MEGABYTE } from '../../support/process-memory.ts';
import { RawClient } from '../../support/raw-http.ts';

describe('the budget for large bodies', () => {
  const budget = () => new MemoryBudget({ bytes: 100, count: 3 });

  it('is bounded in number', () => {
    const memory = budget();
    const leases = [memory.lease(1), memory.lease(1), memory.lease(1)];
    expect(memory.lease(1)).toBeUndefined();
    leases[0]?.release();
    leases[0]?.release();
    expect(memory.held.bodies).toBe(2);
    expect(memory.lease(1)).toBeDefined();
  });

  it('is bounded in sum, by what has arrived and by what is announced', () => {
    const memory = budget();
    const first = memory.lease(80);
    expect(first?.grow(80)).toBe(true);
    expect(memory.lease(30)).toBeUndefined();
    const second = memory.lease(20);
    expect([second?.grow(20), second?.grow(1), first?.grow(1)]).toEqual([true, false, false]);
    first?.release();
    expect(second?.grow(80)).toBe(true);
    expect(memory.held).toEqual({ bytes: 100, bodies: 1, streams: 0 });
  });

  it('allows a single larger body', () => {
    const memory = budget();
    const alone = memory.lease(500);
    expect(alone?.grow(500)).toBe(true);
    expect(memory.lease(1)).toBeUndefined();
    alone?.release();
    expect(memory.held).toEqual({ bytes: 0, bodies: 0, streams: 0 });
  });

  it('counts streams separately', () => {
    const memory = budget();
    const ends = [memory.stream(), memory.stream(), memory.stream()];
    expect(memory.stream()).toBeUndefined();
    ends[1]?.();
    ends[1]?.();
    expect(memory.held.streams).toBe(2);
  });
});

describe('large bodies of callers who may send them', () => {
  const probe = new JarProbe();
  let jar: TestJar;
  let authorization: string;
  beforeAll(async () => {
    const settings = { largeBodyMegabytes: 8, largeBodies: 2 };
    jar = await startJar({ services: [...SERVICES, probe.service], ...settings });
    authorization = `authorization: Bearer ${await jar.token()}`;
  });
  afterAll(() => jar.close());

  const send = (bytes: number, ...more: readonly string[]): RawClient =>
    new RawClient(jar.url).head(
      'POST /api/v2.0/companies HTTP/1.1',
      'host: localhost',
      authorization,
      'content-type: application/octet-stream',
      `content-length: ${bytes}`,
      ...more,
    );
  const held = () => probe.jar.bodyMemory.held;
  const idle = { bytes: 0, bodies: 0, streams: 0 };

  it('beyond the sum get 503 with Retry-After in the shape of the API, and the room comes back', async () => {
    const first = send(20 * MEGABYTE);
    await first.fill(6 * MEGABYTE);
    await eventually(() => expect(held().bytes).toBe(6 * MEGABYTE));
    const second = send(3 * MEGABYTE, 'expect: 100-continue');
    const answer = await second.until(/\r\n\r\n[\s\S]*}/);
    expect(answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 1[\s\S]*"code":"Internal_TenantUnavailable"/i);
    second.close();
    first.close();
    await eventually(() => expect(held()).toEqual(idle));
    const third = send(3 * MEGABYTE, 'expect: 100-continue', 'connection: close');
    await third.until(/100 Continue/);
    await third.fill(3 * MEGABYTE);
    expect(await third.closed).toMatch(/HTTP\/1\.1 4\d\d /);
    await eventually(() => expect(held()).toEqual(idle));
  });

  it('beyond the number get 503, whether they say their length or not', async () => {
    const clients = [send(2 * MEGABYTE), send(2 * MEGABYTE)];
    await eventually(() => expect(held().bodies).toBe(2));
    const third = send(2 * MEGABYTE);
    expect(await third.until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 503 /);
    const chunked = new RawClient(jar.url).head(
      'POST /api/v2.0/companies HTTP/1.1',
      'host: localhost',
      authorization,
      'content-type: application/octet-stream',
      'transfer-encoding: chunked',
    );
    for (let sent = 0; sent < 20; sent++) chunked.socket.write(`10000\r\n${' '.repeat(0x10000)}\r\n`);
    expect(await chunked.until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 503 /);
    for (const client of [...clients, third, chunked]) client.close();
    await eventually(() => expect(held()).toEqual(idle));
  });

  it('that are streamed are bounded in number', async () => {
    const open = (name: string): RawClient =>
      new RawClient(jar.url).head(
        `PUT /_jar/snapshots/${name}/content HTTP/1.1`,
        'host: localhost',
        `authorization: Bearer ${jar.adminKey}`,
        'content-type: application/gzip',
        'content-length: 1000000',
      );
    const clients = [open('a'), open('b')];
    await eventually(() => expect(held().streams).toBe(2));
    const third = open('c');
    expect(await third.until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 1/i);
    for (const client of [...clients, third]) client.close();
    await eventually(() => expect(held()).toEqual(idle));
  });

  it('have room however many unauthenticated clients withhold bodies', async () => {
    const stranger = (): RawClient =>
      new RawClient(jar.url).head('POST /_jar/inbox/open HTTP/1.1', 'host: localhost', 'content-length: 1500000');
    const strangers = Array.from({ length: 9 }, stranger);
    await Promise.any(strangers.map((client) => client.until(/^HTTP\/1\.1 503 [\s\S]*retry-after: 1/i)));
    const caller = send(10 * MEGABYTE, 'expect: 100-continue');
    expect(await caller.until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 100 /);
    for (const client of [...strangers, caller]) client.close();
    await eventually(() => expect([held(), probe.jar.strangerMemory.held]).toEqual([idle, idle]));
  });

  it('are not the only ones counted for unauthenticated clients, of which a thousand could each withhold almost a megabyte', async () => {
    const stranger = async (bytes: number): Promise<RawClient> => {
      const client = new RawClient(jar.url).head(
        'POST /_jar/inbox/open HTTP/1.1',
        'host: localhost',
        `content-length: ${bytes + 1}`,
      );
      await client.fill(bytes);
      return client;
    };
    const strangers = await Promise.all(Array.from({ length: 4 }, () => stranger(600_000)));
    await Promise.any(strangers.map((client) => client.until(/^HTTP\/1\.1 503 [\s\S]*retry-after: 1/i)));
    expect(probe.jar.strangerMemory.held.bytes).toBeLessThanOrEqual(2 * MEGABYTE);
    const body = 'x'.repeat(50_000);
    expect((await fetch(jar.inbox('open').url, { method: 'POST', body })).status).toBe(200);
    for (const client of strangers) client.close();
    await eventually(() => expect(probe.jar.strangerMemory.held).toEqual(idle));
  });

  it('arrive as they were sent', async () => {
    const inbox = jar.inbox('large');
    const body = Buffer.alloc(1.5 * MEGABYTE, 'abcdefghij');
    expect((await fetch(inbox.url, { method: 'POST', body })).status).toBe(200);
    const [kept] = await inbox.requests();
    expect(kept?.body.startsWith('abcdefghijabcdefghij')).toBe(true);
    expect(kept?.bodyBytes).toBe(body.length);
  });
});
