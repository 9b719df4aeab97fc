import type { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { inboxStreamRoute } from '../../src/control/inbox/stream.ts';
import { openJar } from '../../src/jar/index.ts';
import { loadConfig } from '../../src/kernel/config/config.ts';
import type { Call } from '../../src/kernel/service/routes.ts';
import type { ReceivedRequest } from '../../src/testing/index.ts';
import { onAnyStore, withJar } from '../support/jars.ts';

type Event = Pick<ReceivedRequest, 'id' | 'path'>;

onAnyStore('the live stream of an inbox', (bench) => {
  const send = (path: string) => bench.call('POST', `/_jar/inbox/${path}`, { token: null });
  const open = async (path: string, headers: Record<string, string> = {}) => {
    const abort = new AbortController();
    const response = await fetch(`${bench.jar.url}/_jar/inbox/${path}`, {
      headers: { authorization: `Bearer ${bench.jar.adminKey}`, ...headers },
      signal: abort.signal,
    });
    const events = parse(response);
    // The first event says that the stream is open; later events are live.
    await events.next();
    return {
      take: async (count: number): Promise<string[]> => {
        const paths: string[] = [];
        while (paths.length < count) {
          const { value, done } = await events.next();
          if (done) throw new Error('the stream ended');
          if (value !== undefined) paths.push(`${value.id} ${value.path.split('/').at(-1)}`);
        }
        return paths;
      },
      close: () => abort.abort(),
    };
  };

  it('sends new requests in order, even if many arrive concurrently', async () => {
    await send('s/before');
    const stream = await open('s/stream');
    await send('s/after');
    expect(await stream.take(1)).toEqual(['2 after']);
    await Promise.all(Array.from({ length: 150 }, () => send('s/crowd')));
    expect(await stream.take(150)).toEqual(Array.from({ length: 150 }, (_, i) => `${i + 3} crowd`));
    stream.close();
  });

  it('sends everything from the start, and resumes after the last one seen', async () => {
    for (const name of ['a', 'b', 'c']) await send(`t/${name}`);
    const all = await open('t/stream?from=start');
    expect(await all.take(3)).toEqual(['1 a', '2 b', '3 c']);
    all.close();
    const resumed = await open('t/stream', { 'last-event-id': '2' });
    expect(await resumed.take(1)).toEqual(['3 c']);
    resumed.close();
  });

  it('begins anew with an inbox that does', async () => {
    await send('u/old');
    await send('u/old');
    const stream = await open('u/stream');
    await bench.jar.reset();
    await send('u/new');
    expect(await stream.take(1)).toEqual(['1 new']);
    stream.close();
  });

  it('contains only one inbox', async () => {
    const stream = await open('v/stream');
    await send('v2/other');
    await send('v/own');
    expect(await stream.take(1)).toEqual(['1 own']);
    stream.close();
  });
});

it('sends a recreated inbox to a slow reader, even if it has reached the same number', async () => {
  const config = loadConfig({ flags: { port: 0, httpsPort: 0, memory: true }, env: {}, cwd: '/' });
  const running = await openJar({ config, inProcess: true });
  try {
    const send = (path: string) =>
      fetch(`${running.url}/_jar/inbox/slow/${path}`, { method: 'POST' }).then((response) => response.text());
    await send('old');
    const call = {
      jar: running.jar,
      params: { name: 'slow' },
      headers: {},
      query: { from: 'start' },
      facts: {},
      signal: new AbortController().signal,
    };
    const stream = (await inboxStreamRoute.handle(call as unknown as Call)).body as Readable;
    const parts = stream.iterator();
    await parts.next();
    // Sent but not read: the stream continues when the client reads.
    await expect.poll(() => stream.readableLength).toBeGreaterThan(0);
    await running.reset();
    await send('new');
    let text = '';
    for await (const part of parts) {
      text += part;
      if (text.includes('/slow/new"')) break;
    }
    expect(text.match(/"path":"[^"]*/g)).toEqual(['"path":"/_jar/inbox/slow/old', '"path":"/_jar/inbox/slow/new']);
  } finally {
    await running.close();
  }
});

withJar((bench) => {
  it('refuses a place that no inbox has given out', async () => {
    const headers = { 'last-event-id': 'garbage' };
    const reply = await bench.call('GET', '/_jar/inbox/s/stream', { token: bench.jar.adminKey, headers });
    expect(reply).toMatchObject({ status: 400, body: { error: { code: 'BadEventId' } } });
  });

  it('keeps a bounded number of requests and of bytes, the newest', async () => {
    const { url, requests, clear } = bench.jar.inbox('full');
    for (let batch = 0; batch < 11; batch++)
      await Promise.all(Array.from({ length: 100 }, () => fetch(url, { method: 'POST' })));
    const ids = (await requests()).map(({ id }) => Number(id));
    expect(ids).toEqual(Array.from({ length: 1000 }, (_, i) => i + 101));
    await clear();
    const body = 'x'.repeat(250 * 1024);
    for (let i = 0; i < 40; i++) await fetch(url, { method: 'POST', body });
    const kept = await requests();
    expect(kept.at(-1)?.id).toBe('1140');
    expect(kept.length * body.length).toBeLessThanOrEqual(8 * 1024 * 1024);
    expect(kept.length).toBeGreaterThan(28);
    const [view] = (await bench.call('GET', '/_jar/inbox', { token: bench.jar.adminKey })).body.value;
    expect(view).toMatchObject({ received: 1140, kept: kept.length });
  });
});

/** The events of a stream; a comment is yielded as undefined. */
async function* parse(response: Response): AsyncGenerator<Event | undefined> {
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const messages = text.split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) {
      const data = /^data: (.*)$/m.exec(message)?.[1];
      const id = /^id: (.*)$/m.exec(message)?.[1];
      const event = data === undefined ? undefined : (JSON.parse(data) as Event);
      expect(id).toBe(event?.id);
      yield event;
    }
  }
}
