import type { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { LiveHub } from '../../src/control/live/hub.ts';
import { prefixOf } from '../../src/control/live/requests.ts';
import { streamLive } from '../../src/control/live.ts';
import type { Call } from '../../src/kernel/service/routes.ts';
import { openSqlite } from '../../src/kernel/store/index.ts';
import { type NewEntry, RequestLog } from '../../src/kernel/telemetry/request-log.ts';
import { eventually } from '../support/eventually.ts';
import { MOST_BYTES } from './live-support.ts';

const ENTRY: NewEntry = {
  ...{ direction: 'inbound', at: 1, systemAt: 1, service: 's', operation: 'o', method: 'GET', url: '/', status: 200 },
  ...{ ms: 1, requestBytes: undefined, answerBytes: undefined, code: undefined, reason: undefined, fault: undefined },
  ...{ caller: undefined, requestId: 'r', clientRequestId: undefined, traceparent: undefined, delivery: undefined },
};

/** A hub on a store in memory, and a log of so many entries. */
async function open(entries = 4096) {
  const store = await openSqlite({ collections: [], report: () => {} });
  const requests = new RequestLog({ entries, characters: 1e9 });
  const gone = new AbortController();
  const troubles: { part: string; reason: string }[] = [];
  const clock = { mode: 'virtual', epoch: 0, now: () => 1_000, onMove: () => () => {} };
  const health = { report: () => ({ serving: true, troubles }) };
  const jar = { store, clock, health, closing: new AbortController().signal } as unknown as Call['jar'];
  const hub = new LiveHub({ jar, host: { replacements: 0 }, requests });
  const call = { jar, signal: gone.signal };
  const streams: Readable[] = [];
  const stream = (): Readable => {
    const { body } = streamLive(call, hub, undefined);
    streams.push(body as Readable);
    return body as Readable;
  };
  /** All clients disconnect. */
  const close = async (): Promise<void> => {
    gone.abort();
    for (const each of streams) each.destroy();
    await eventually(() => expect(hub.size).toBe(0));
    await store.close();
  };
  return { store, requests, hub, troubles, close, stream };
}

// biome-ignore lint/suspicious/noExplicitAny: frames are looked into
async function* framesOf(stream: Readable): AsyncGenerator<any> {
  let text = '';
  for await (const part of stream) {
    const blocks = (text + part).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data === undefined) continue;
      expect(Buffer.byteLength(data)).toBeLessThan(MOST_BYTES);
      yield JSON.parse(data);
    }
  }
}

it('a frame is bounded, whatever happens, and its counts are exact', async () => {
  const { store, requests, troubles, stream, close } = await open();
  const frames = framesOf(stream());
  await frames.next();
  const long = '\u0001"\\'.repeat(200);
  for (let n = 0; n < 3000; n++) {
    const url = `/${'"'.repeat(100)}/${n}/${'\\'.repeat(400)}/${'x'.repeat(1500)}?q=${n}`;
    requests.add({ ...ENTRY, method: 'PUT', url, status: 500, reason: long, caller: long, traceparent: long });
  }
  for (let n = 0; n < 200; n++) troubles.push({ part: `part-${n}`, reason: long });
  await store.transact(async (tx) => {
    for (let n = 0; n < 300; n++) {
      const data = { large: 'ä"'.repeat(n % 2 === 0 ? 50_000 : 300) };
      await tx.change({ source: 's', kind: 'write', subject: `/${n}/${long}`, outcome: 'Succeeded', at: 1, data });
    }
  });
  let [count, changes] = [0, 0];
  for (;;) {
    const { requests, changes: records, isWrittenCut, health } = (await frames.next()).value;
    count += requests.count;
    changes += records.count;
    if (requests.count > 0) {
      expect(requests.sample.length).toBeGreaterThan(0);
      expect(requests.sample.length).toBeLessThanOrEqual(20);
      expect(isWrittenCut).toBe(true);
      expect(health.status).toBe('degraded');
    }
    if (records.count > 0) expect(records.sample.length).toBeGreaterThan(0);
    if (count >= 3000 && changes >= 300) break;
  }
  expect([count, changes]).toEqual([3000, 300]);
  await close();
});

it('tells how many requests left the log before they were read', async () => {
  const { requests, stream, close } = await open(50);
  const frames = framesOf(stream());
  await frames.next();
  for (let n = 0; n < 1000; n++) requests.add(ENTRY);
  expect((await frames.next()).value.requests).toMatchObject({ count: 50, dropped: 950 });
  await close();
});

it('makes a frame once for all clients that keep up, and does nothing without clients', async () => {
  const { requests, hub, stream, close } = await open();
  const clients = Array.from({ length: 20 }, () => framesOf(stream()));
  await Promise.all(clients.map((client) => client.next()));
  requests.add(ENTRY);
  await Promise.all(clients.map((client) => client.next()));
  let read = 0;
  const { entry } = requests;
  requests.entry = (number) => {
    read += 1;
    return entry.call(requests, number);
  };
  for (let n = 0; n < 100; n++) requests.add(ENTRY);
  for (const client of clients) expect((await client.next()).value.requests.count).toBe(100);
  // Each entry is read for the figures, and the newest for the sample.
  expect(read).toBeLessThan(100 + 30);
  expect(hub.size).toBe(20);
  await close();
  expect(hub.newest).toBeUndefined();
  read = 0;
  for (let n = 0; n < 100; n++) requests.add(ENTRY);
  await new Promise(setImmediate);
  expect(read).toBe(0);
});

it('a client that does not read costs nothing, and then gets one frame of everything', async () => {
  const { requests, hub, stream, close } = await open();
  const slow = stream();
  const fast = framesOf(stream());
  await fast.next();
  const slowFrames = framesOf(slow);
  await slowFrames.next();
  slow.pause();
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 100; n++) requests.add(ENTRY);
    await fast.next();
  }
  expect(hub.size).toBe(2);
  let count = 0;
  while (count < 300) count += (await slowFrames.next()).value.requests.count;
  expect(count).toBe(300);
  await close();
});

it.each([
  ['/subscriptions/a/resourceGroups/b/providers/c?x=1', '/subscriptions/a/resourceGroups/b'],
  ['/_jar/faults/17', '/_jar/faults/17'],
  ['/', '/'],
  ['//a', '//a'],
  ['*', '/'],
  ['/a/b#c', '/a/b'],
])('the prefix of %s is %s', (url, prefix) => expect(prefixOf(url)).toBe(prefix));
