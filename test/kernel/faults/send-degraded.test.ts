import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { openClock } from '../../../src/kernel/clock/index.ts';
import { type Degradation, promisedLength, sendDegraded } from '../../../src/kernel/faults/send-degraded.ts';
import { openSqlite } from '../../../src/kernel/store/index.ts';

const ends = new AbortController().signal;

/** What a client receives of a body sent by `spoil`, and whether the response ended properly. */
async function received(body: Buffer | Readable, effect: Degradation['effect'], signal = ends) {
  const store = await openSqlite({ collections: [] });
  const clock = await openClock({ mode: 'system', store });
  const server = createServer((_request, response) => {
    const length = Buffer.isBuffer(body) ? { 'content-length': promisedLength(body.length, effect) } : {};
    response.writeHead(200, length);
    void sendDegraded(response, body, { effect, clock, signal });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    clock.close();
    await store.close();
  });
  const asked = get(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { agent: false });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const parts: string[] = [];
  response.setEncoding('utf8').on('data', (part: string) => parts.push(part));
  response.on('error', () => {});
  await new Promise((resolve) => response.once('close', resolve));
  return { text: parts.join(''), complete: response.complete };
}

const stream = (): Readable => Readable.from(['abc', 'def', 'ghi'].map((part) => Buffer.from(part)));

it.each([
  [{ cutBodyAfter: 0 }, '', false],
  [{ cutBodyAfter: 5 }, 'abcde', false],
  [{ cutBodyAfter: 9 }, 'abcdefghi', false],
  [{ cutBodyAfter: 100 }, 'abcdefghi', false],
  [{ slowBodyMs: 1 }, 'abcdefghi', true],
  [{ slowBodyMs: 1, cutBodyAfter: 4 }, 'abcd', false],
])('%j leaves %j of a body, and of a stream', async (effect, text, complete) => {
  expect(await received(Buffer.from('abcdefghi'), effect)).toEqual({ text, complete });
  const source = stream();
  expect(await received(source, effect)).toEqual({ text, complete });
  expect(source.destroyed).toBe(true);
});

it('a stream that breaks ends the connection, and so does an end to the waiting', async () => {
  const broken = Readable.from(
    (async function* () {
      yield Buffer.from('abc');
      throw new Error('broken');
    })(),
  );
  expect(await received(broken, { slowBodyMs: 1 })).toEqual({ text: 'abc', complete: false });
  expect(await received(stream(), { slowBodyMs: 60_000 }, AbortSignal.timeout(20))).toEqual({
    text: '',
    complete: false,
  });
});
