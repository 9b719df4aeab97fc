import type { LookupAddress } from 'node:dns';
import { afterEach, expect, test } from 'vitest';
import { OutboundClient, type OutboundOptions, type OutboundRequest } from '../../../src/kernel/outbound/client.ts';
import { type Receiver, startReceiver } from '../delivery/receivers.ts';

const clients: OutboundClient[] = [];
const receivers: Receiver[] = [];

afterEach(async () => {
  await Promise.all([
    ...clients.splice(0).map((each) => each.close()),
    ...receivers.splice(0).map((each) => each.close()),
  ]);
});

function clientOf(options: Partial<OutboundOptions> = {}): OutboundClient {
  const client = new OutboundClient({
    host: '127.0.0.1',
    allowHttpLoopback: false,
    ownPorts: () => [],
    authority: async () => '',
    ...options,
  });
  clients.push(client);
  return client;
}

async function receiverOf(answer?: Receiver['answer']): Promise<Receiver> {
  const receiver = await startReceiver(answer);
  receivers.push(receiver);
  return receiver;
}

/** Resolves names to the given answers, one after another. */
const resolving =
  (...answers: string[][]): OutboundOptions['resolve'] =>
  (_, callback) => {
    const addresses = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
    callback(
      null,
      addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };

const http = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({ url, plainHttp: true, ...more });

test.for([
  'http://169.254.169.254/latest/meta-data',
  'http://[fe80::1]/',
  'http://[::ffff:169.254.169.254]/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://169.254.43518/',
  'http://169.254.169.254./',
  'http://0xA9.0xFE.0xA9.0xFE/',
  'http://0xa9.254.0251.254/',
  'http://%31%36%39.254.169.254/',
  'http://１６９.２５４.１６９.２５４/',
  'http://169。254。169。254/',
  'http://[::ffff:0:a9fe:a9fe]/',
  'http://[2001:0:808:808::5601:5601]/',
  'http://[64:ff9b:1::a9fe:a9fe]/',
  'http://[2606:4700::5efe:169.254.169.254]/',
  'http://0/',
  'http://0.0.0.0:80/',
  'http://[::]/',
  'http://metadata.google.internal/computeMetadata/v1/',
  'http://255.255.255.255/',
])('nothing is sent to %s', async (url) => {
  await expect(clientOf().send(http(url))).rejects.toMatchObject({ failure: 'Blocked' });
});

test.for([['169.254.169.254'], ['8.8.8.8', '169.254.1.1'], ['fe80::1'], ['::ffff:169.254.169.254']])(
  'nothing is sent to a name that resolves to %j',
  async (addresses) => {
    const client = clientOf({ resolve: resolving(addresses) });
    const sending = client.send(http('http://innocent.example/'));
    await expect(sending).rejects.toMatchObject({
      failure: 'Blocked',
      message: expect.stringContaining('innocent.example'),
    });
  },
);

test('a name that changes its mind is judged by the address that is connected to', async () => {
  const receiver = await receiverOf((_, response) => response.writeHead(200, { connection: 'close' }).end());
  const { port } = new URL(receiver.url);
  const client = clientOf({ resolve: resolving(['127.0.0.1'], ['169.254.169.254']) });
  expect(await client.send(http(`http://rebound.example:${port}/`))).toMatchObject({ status: 200 });
  await expect(client.send(http(`http://rebound.example:${port}/`))).rejects.toMatchObject({ failure: 'Blocked' });
  expect(receiver.received).toHaveLength(1);
});

test('a redirect is an answer like any other, and where it is followed each address is judged', async () => {
  const receiver = await receiverOf((request, response) => {
    const location = request.path === '/in' ? 'http://169.254.169.254/latest' : '/end';
    if (request.path === '/end') response.end('arrived');
    else response.writeHead(307, { location }).end();
  });
  const client = clientOf();
  expect(await client.send(http(`${receiver.url}/in`))).toMatchObject({ status: 307 });
  await expect(client.send(http(`${receiver.url}/in`, { redirects: 3 }))).rejects.toMatchObject({ failure: 'Blocked' });
  const followed = await client.send(http(`${receiver.url}/ok`, { redirects: 3, body: 'x' }));
  expect(followed.body.toString()).toBe('arrived');
  expect(receiver.received.at(-1)).toMatchObject({ method: 'POST', path: '/end', body: 'x' });
});

test('endless redirects are stopped, and secrets are not sent to other receivers', async () => {
  const other = await receiverOf();
  const receiver = await receiverOf((request, response) => {
    response.writeHead(302, { location: request.path === '/away' ? other.url : '/loop' }).end();
  });
  const client = clientOf();
  expect(await client.send(http(`${receiver.url}/loop`, { redirects: 5 }))).toMatchObject({ status: 302 });
  expect(receiver.received).toHaveLength(6);
  const headers = { authorization: 'Bearer secret', 'x-plain': 'kept' };
  await client.send(http(`${receiver.url}/away`, { redirects: 1, headers, body: 'x' }));
  expect(other.received[0]).toMatchObject({ method: 'GET', body: '', headers: { 'x-plain': 'kept' } });
  expect(other.received[0]?.headers.authorization).toBeUndefined();
});

test('a jar that others can reach sends nothing to this machine and its network, save to its own inboxes', async () => {
  const receiver = await receiverOf();
  const port = Number(new URL(receiver.url).port);
  const shared = { host: '0.0.0.0', resolve: resolving(['10.0.0.7']) };
  const stranger = clientOf(shared);
  for (const url of [receiver.url, `http://localhost:${port}/`, 'http://10.0.0.1/', 'http://inside.example/']) {
    await expect(stranger.send(http(url))).rejects.toMatchObject({ failure: 'Blocked' });
  }
  const itself = clientOf({ ...shared, ownPorts: () => [port] });
  for (const host of ['127.0.0.1', 'localhost', 'jar.localhost']) {
    expect(await itself.send({ url: `http://${host}:${port}/_jar/inbox/a` })).toMatchObject({ status: 200 });
    await expect(itself.send({ url: `http://${host}:${port}/_jar/reset` })).rejects.toMatchObject({
      failure: 'Blocked',
    });
    const around = `http://${host}:${port}/_jar/inbox/../reset`;
    await expect(itself.send({ url: around })).rejects.toMatchObject({ failure: 'Blocked' });
  }
  expect(receiver.received.map(({ path }) => path)).toEqual(Array(3).fill('/_jar/inbox/a'));
});

test('plain http is accepted for this machine if configured, and if the caller allows it', async () => {
  const receiver = await receiverOf();
  await expect(clientOf().send({ url: receiver.url })).rejects.toMatchObject({ failure: 'Blocked' });
  const allowing = clientOf({ allowHttpLoopback: true, resolve: resolving(['127.0.0.1']) });
  expect(await allowing.send({ url: receiver.url })).toMatchObject({ status: 200 });
  expect(await allowing.send({ url: receiver.url.replace('127.0.0.1', 'app.localhost') })).toMatchObject({
    status: 200,
  });
  await expect(allowing.send({ url: 'http://remote.example/' })).rejects.toMatchObject({ failure: 'Blocked' });
});

test.for(['ftp://example.com/', 'file:///etc/passwd', 'javascript:1', 'nothing', 'http://'])(
  '%s is no address',
  async (url) => {
    await expect(clientOf().send(http(url))).rejects.toMatchObject({ failure: 'BadAddress' });
  },
);

test('a name without an address is a failure of its own', async () => {
  const failing: OutboundOptions['resolve'] = (host, callback) =>
    callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }), []);
  await expect(clientOf({ resolve: failing }).send(http('http://nobody.example/'))).rejects.toMatchObject({
    failure: 'ResolutionError',
  });
  await expect(clientOf({ resolve: resolving([]) }).send(http('http://nobody.example/'))).rejects.toMatchObject({
    failure: 'ResolutionError',
  });
});
