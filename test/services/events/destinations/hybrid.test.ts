import { createHmac } from 'node:crypto';
import hyco, { type RelayResponse, type RelayServer } from 'hyco-https';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sendToResource } from '../../../../src/services/events/destinations/send.ts';
import { trust } from '../../../support/trust.ts';
import { SocketClient, until } from '../../../support/web-socket.ts';
import { EVENT, messageTo, type OpenedJar, openedJar, patiently, RELAY } from './support.ts';

/** Listeners are the unchanged official package for the real relay; only the address, the key and the trusted certificate are set. */

interface RelayView {
  readonly keyName: string;
  readonly key: string;
  readonly url: string;
  readonly listeners: readonly { namespace: string; connection: string; id: string }[];
}

let opened: OpenedJar;
const servers: RelayServer[] = [];

beforeEach(async () => {
  opened = await openedJar();
  trust(opened.running);
});
afterEach(async () => {
  for (const server of servers.splice(0)) server.close(() => {});
  await opened.running.close();
});

async function relay(): Promise<RelayView> {
  const { httpsUrl, adminKey } = opened.running;
  const response = await fetch(`${httpsUrl}/_jar/events/relay`, { headers: { authorization: `Bearer ${adminKey}` } });
  expect(response.status).toBe(200);
  return (await response.json()) as RelayView;
}

type Handler = (body: string, response: RelayResponse, headers: Record<string, unknown>) => void;

async function addressOf(connection: string): Promise<string> {
  const { url } = await relay();
  return url.replace('{namespace}', 'shoprelay').replace('{connection}', connection);
}

async function listen(connection: string, handle: Handler): Promise<RelayServer> {
  const { keyName, key, listeners } = await relay();
  const address = await addressOf(connection);
  const server = hyco.createRelayedServer(
    { server: `${address}?sb-hc-action=listen`, token: () => hyco.createRelayToken(address, keyName, key) },
    (request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => handle(body, response, request.headers));
    },
  );
  servers.push(server);
  server.listen();
  await new Promise<void>((resolve) => server.on('listening', () => resolve()));
  await expect.poll(async () => (await relay()).listeners.length).toBe(listeners.length + 1);
  return server;
}

const toRelay = (connection = 'tasks', more = {}) =>
  messageTo('HybridConnection', { resourceId: `${RELAY}/hybridConnections/${connection}` }, more);

const send = (message = toRelay()) => sendToResource(message, opened.jar, patiently());

it('an event reaches a listener as an HTTP request, and its answer decides', async () => {
  const seen: { body: string; headers: Record<string, unknown> }[] = [];
  await listen('tasks', (body, response, headers) => {
    seen.push({ body, headers });
    response.setHeader('Retry-After', '9');
    response.statusCode = seen.length === 1 ? 200 : 503;
    response.end(`answer ${seen.length}`);
  });
  expect(await send()).toMatchObject({ outcome: 'Succeeded', status: 200, body: 'answer 1' });
  expect(await send()).toMatchObject({ outcome: 'Busy', status: 503, headers: { 'retry-after': '9' } });
  expect(JSON.parse(seen[0]?.body ?? '')).toEqual(EVENT);
  expect(seen[0]?.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'aeg-event-type': 'Notification',
    'aeg-subscription-name': 'MINE',
  });
});

it('an answer without a body, and one in several pieces, are understood one after the other', async () => {
  const answers: ((response: RelayResponse) => void)[] = [
    (response) => {
      response.statusCode = 204;
      response.end();
    },
    (response) => response.end(),
    (response) => {
      response.write('one ');
      response.write('two ');
      response.end('three');
    },
  ];
  await listen('tasks', (_, response) => answers.shift()?.(response));
  expect(await send()).toMatchObject({ status: 204, body: '' });
  expect(await send()).toMatchObject({ status: 200, body: '' });
  expect(await send()).toMatchObject({ status: 200, body: 'one two three' });
});

it('an event of more than 64 KB goes over a connection of its own, as does such an answer', async () => {
  const lengths: number[] = [];
  await listen('tasks', (body, response) => {
    lengths.push(body.length);
    response.end('y'.repeat(body.length));
  });
  const body = JSON.stringify({ ...EVENT, data: 'x'.repeat(200_000) });
  expect(await send(toRelay('tasks', { body }))).toMatchObject({ outcome: 'Succeeded', status: 200 });
  expect(lengths).toEqual([body.length]);
  const small = await listen('answers', (_, response) => response.end('z'.repeat(100_000)));
  expect(await send(toRelay('answers'))).toMatchObject({ status: 200, body: 'z'.repeat(1024) });
  expect(small.listenerCount('request')).toBe(1);
});

it('several listeners share the load, and those of another hybrid connection get nothing of it', async () => {
  const counts = [0, 0, 0];
  const count =
    (i: number): Handler =>
    (_, response) => {
      counts[i] = (counts[i] ?? 0) + 1;
      response.end('ok');
    };
  await listen('tasks', count(0));
  await listen('tasks', count(1));
  await listen('others', count(2));
  const replies = await Promise.all(Array.from({ length: 10 }, () => send()));
  expect(replies.every(({ outcome }) => outcome === 'Succeeded')).toBe(true);
  expect(counts).toEqual([5, 5, 0]);
});

it('without a listener the outcome is NotFound, also after the last listener has left', async () => {
  expect(await send()).toMatchObject({ outcome: 'NotFound' });
  const server = await listen('tasks', (_, response) => response.end('ok'));
  expect(await send()).toMatchObject({ outcome: 'Succeeded' });
  server.close();
  await expect.poll(async () => (await relay()).listeners).toEqual([]);
  expect(await send()).toMatchObject({ outcome: 'NotFound' });
});

it('a listener that disconnects before it answers is a SocketError; one that never answers times out', async () => {
  let arrived = 0;
  const server = await listen('tasks', () => {
    arrived++;
  });
  const first = send();
  await until(() => arrived === 1);
  server.close();
  expect(await first).toMatchObject({ outcome: 'SocketError' });
  await listen('silent', () => {
    arrived++;
  });
  const controller = new AbortController();
  const second = sendToResource(toRelay('silent'), opened.jar, controller.signal);
  await until(() => arrived === 2);
  controller.abort();
  expect(await second).toMatchObject({ outcome: 'Aborted' });
});

it('names of namespaces and connections are found in any casing', async () => {
  await listen('Tasks', (_, response) => response.end('ok'));
  const resourceId = `${RELAY.toUpperCase()}/HYBRIDCONNECTIONS/TASKS`;
  expect(await send(messageTo('HybridConnection', { resourceId }))).toMatchObject({ outcome: 'Succeeded' });
});

describe('who may listen', () => {
  const token = async (change: { key?: string; name?: string; address?: string; seconds?: number } = {}) => {
    const { keyName, key } = await relay();
    const address = encodeURIComponent(change.address ?? 'http://localhost/shoprelay/tasks');
    const expiry = Math.floor(opened.running.clock.now().getTime() / 1000) + (change.seconds ?? 3600);
    const signature = createHmac('sha256', change.key ?? key)
      .update(`${address}\n${expiry}`)
      .digest('base64');
    return `SharedAccessSignature sr=${address}&sig=${encodeURIComponent(signature)}&se=${expiry}&skn=${change.name ?? keyName}`;
  };
  const connect = async (query: string, headers: Record<string, string> = {}) =>
    new SocketClient(`${(await addressOf('tasks')).replace('localhost', '127.0.0.1')}?${query}`, {
      ca: opened.running.ca,
      headers,
    });
  const listeners = async (): Promise<number> => (await relay()).listeners.length;

  it('the token may be in the address or in a header, and be for the namespace or the whole jar', async () => {
    await connect(`sb-hc-action=listen&sb-hc-id=mine&sb-hc-token=${encodeURIComponent(await token())}`);
    await expect.poll(listeners).toBe(1);
    expect((await relay()).listeners[0]).toMatchObject({ id: 'mine', namespace: 'shoprelay', connection: 'tasks' });
    for (const address of ['http://localhost/shoprelay', 'sb://any.name/', 'http://localhost/%24hc/ShopRelay/Tasks/']) {
      await connect('sb-hc-action=listen', { ServiceBusAuthorization: await token({ address }) });
    }
    await expect.poll(listeners).toBe(4);
  });

  it.each([
    ['no token', 'sb-hc-action=listen', {}, 401],
    ['a wrong key', 'sb-hc-action=listen', { key: 'another key altogether' }, 401],
    ['another name of a key', 'sb-hc-action=listen', { name: 'Listen' }, 401],
    ['an expired token', 'sb-hc-action=listen', { seconds: -1 }, 401],
    ['a token for another connection', 'sb-hc-action=listen', { address: 'http://localhost/shoprelay/others' }, 403],
    ['a token for what is below', 'sb-hc-action=listen', { address: 'http://localhost/shoprelay/tasks/x' }, 403],
    ['no action', 'sb-hc-id=x', { seconds: 60 }, 400],
    ['a sender', 'sb-hc-action=connect', { seconds: 60 }, 400],
    ['an unknown request', 'sb-hc-action=request&sb-hc-id=x', { seconds: 60 }, 403],
  ])('%s is refused', async (_, query, change, status) => {
    const headers: Record<string, string> =
      Object.keys(change).length > 0 ? { ServiceBusAuthorization: await token(change) } : {};
    const client = await connect(query, headers);
    expect((await client.refusal()).status).toBe(status);
    expect(await listeners()).toBe(0);
  });

  it('the connection ends with the token, by the clock, unless the token is renewed', async () => {
    const lets = await connect('sb-hc-action=listen', { ServiceBusAuthorization: await token({ seconds: 600 }) });
    const renews = await connect('sb-hc-action=listen', { ServiceBusAuthorization: await token({ seconds: 600 }) });
    await expect.poll(listeners).toBe(2);
    await renews.say(JSON.stringify({ renewToken: { token: await token({ seconds: 3600 }) } }));
    // Messages are processed in order: once this one has been, the token has been, too.
    const reply = send();
    await until(() => renews.text.includes('requestTarget') || lets.text.includes('requestTarget'));
    for (const client of [lets, renews]) {
      const id = /"id":"([^"]+)"/.exec(client.text)?.[1];
      if (id) client.socket.send(JSON.stringify({ response: { requestId: id, statusCode: '200' } }));
    }
    await reply;
    const second = send();
    await until(() => lets.text.includes('requestTarget') && renews.text.includes('requestTarget'));
    for (const client of [lets, renews]) {
      for (const [, id] of client.text.matchAll(/"id":"([^"]+)"/g)) {
        client.socket.send(JSON.stringify({ response: { requestId: id, statusCode: 200, body: false } }));
      }
    }
    await second;
    await opened.running.clock.advance('10m');
    expect((await lets.end()).code).toBe(1008);
    await expect.poll(listeners).toBe(1);
    expect(renews.closed).toBeUndefined();
    await opened.running.clock.advance('1h');
    expect((await renews.end()).code).toBe(1008);
  });

  it('a reset leaves listeners connected, and their tokens as long as they were', async () => {
    const client = await connect('sb-hc-action=listen', { ServiceBusAuthorization: await token({ seconds: 600 }) });
    await expect.poll(listeners).toBe(1);
    await opened.running.reset();
    expect(await listeners()).toBe(1);
    await opened.running.clock.advance('11m');
    expect((await client.end()).code).toBe(1008);
  });

  it('an invalid renewal, or a message outside of the protocol, ends the connection', async () => {
    for (const message of [
      JSON.stringify({ renewToken: { token: await token({ key: 'another key altogether' }) } }),
      'no JSON at all',
      '17',
    ]) {
      const client = await connect('sb-hc-action=listen', { ServiceBusAuthorization: await token() });
      await client.say(message);
      expect((await client.end()).code).toBe(1008);
    }
  });

  it('an invalid status is a SocketError, and an answer to an unknown request is ignored', async () => {
    const client = await connect('sb-hc-action=listen', { ServiceBusAuthorization: await token() });
    await expect.poll(listeners).toBe(1);
    const reply = send();
    await client.told('requestTarget');
    const id = /"id":"([^"]+)"/.exec(client.text)?.[1];
    client.socket.send(JSON.stringify({ response: { requestId: 'nobody', statusCode: 200, body: false } }));
    client.socket.send(JSON.stringify({ response: { requestId: id, statusCode: 'fine', body: false } }));
    expect(await reply).toMatchObject({ outcome: 'SocketError' });
  });

  it('the twenty-sixth listener of a connection is refused', async () => {
    const ServiceBusAuthorization = await token();
    for (let i = 0; i < 25; i++) await connect('sb-hc-action=listen', { ServiceBusAuthorization });
    await expect.poll(listeners).toBe(25);
    const client = await connect('sb-hc-action=listen', { ServiceBusAuthorization });
    expect((await client.refusal()).status).toBe(403);
  });
});

it('the key is the configured one', async () => {
  const configured = await openedJar({ settings: { events: { relayKey: 'a key of sixteen or more' } } });
  const { url, adminKey } = configured.running;
  const response = await fetch(`${url}/_jar/events/relay`, { headers: { authorization: `Bearer ${adminKey}` } });
  expect(await response.json()).toMatchObject({
    keyName: 'RootManageSharedAccessKey',
    key: 'a key of sixteen or more',
  });
  await configured.running.close();
});
