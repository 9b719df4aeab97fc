import type { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { readFilter } from '../../src/control/requests/filter.ts';
import { streamRequests } from '../../src/control/requests/stream.ts';
import type { Call } from '../../src/kernel/service/routes.ts';
import { RequestLog } from '../../src/kernel/telemetry/request-log.ts';

const ENTRIES = 50;

/** A stream that only the test reads. */
function open() {
  const log = new RequestLog({ entries: ENTRIES, characters: 1e6 });
  const closing = new AbortController();
  const jar = { closing: closing.signal, store: { onCommit: () => () => {} } };
  const call = { jar, headers: {}, signal: new AbortController().signal } as unknown as Call;
  const { body } = streamRequests(call, log, readFilter({}, []), {});
  const add = (url: string): void => {
    log.add({
      ...{
        direction: 'inbound',
        at: 1,
        systemAt: 1,
        service: 's',
        operation: 'o',
        method: 'GET',
        url,
        status: 200,
        ms: 1,
      },
      ...{ requestBytes: undefined, answerBytes: undefined, code: undefined, reason: undefined, fault: undefined },
      ...{ caller: undefined, requestId: 'r', clientRequestId: undefined, traceparent: undefined, delivery: undefined },
    });
  };
  return { stream: body as Readable, add, end: () => closing.abort() };
}

/** Reads to the end of the stream. */
async function textOf(stream: Readable): Promise<string> {
  let text = '';
  for await (const part of stream) text += part;
  return text;
}

it('a reader that does not read makes the jar keep nothing, and is told how many entries it has missed', async () => {
  const { stream, add, end } = open();
  // The first read starts the stream; read-ahead is bounded.
  stream.read(0);
  await new Promise(setImmediate);
  const sent = 100_000;
  for (let i = 1; i <= sent; i++) {
    add(`/${i}`);
    if (i % 1000 === 0) await new Promise(setImmediate);
  }
  expect(stream.readableLength).toBeLessThan(stream.readableHighWaterMark + 1000);
  const reading = textOf(stream);
  await new Promise(setImmediate);
  end();
  const text = await reading;
  const shown = [...text.matchAll(/"path":"\/(\d+)"/g)].map(([, number]) => Number(number));
  const dropped = [...text.matchAll(/data: \{"dropped":(\d+)\}/g)].map(([, number]) => Number(number));
  expect(dropped.length).toBeGreaterThan(0);
  expect(shown.length + dropped.reduce((sum, each) => sum + each, 0)).toBe(sent);
  expect(shown.slice(-ENTRIES)).toEqual(Array.from({ length: ENTRIES }, (_, i) => sent - ENTRIES + 1 + i));
  expect(shown).toEqual(shown.toSorted((a, b) => a - b));
});

it('a reader that keeps up misses nothing', async () => {
  const { stream, add, end } = open();
  const reading = textOf(stream);
  for (let i = 1; i <= 500; i++) {
    add(`/${i}`);
    if (i % 20 === 0) await new Promise(setImmediate);
  }
  await new Promise(setImmediate);
  end();
  const text = await reading;
  expect(text).not.toContain('dropped');
  expect([...text.matchAll(/"path":"\/\d+"/g)]).toHaveLength(500);
});
