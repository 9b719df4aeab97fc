import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { Calls } from '../../../src/kernel/outbound/calls.ts';
import { OutboundClient } from '../../../src/kernel/outbound/client.ts';
import { startJar } from '../../../src/testing/index.ts';

const options = { host: '127.0.0.1', allowHttpLoopback: false, ownPorts: () => [] };

it("trusts the jar's own authority, which other clients do not", async () => {
  await using jar = await startJar();
  const client = new OutboundClient({ ...options, authority: async () => jar.ca });
  const answer = await client.send({ url: `${jar.httpsUrl}/_jar/health`, method: 'GET' });
  expect(JSON.parse(answer.body.toString('utf8'))).toMatchObject({ status: 'ready' });
  await client.close();

  await using stranger = await startJar();
  const wary = new OutboundClient({ ...options, authority: async () => stranger.ca });
  await expect(wary.send({ url: `${jar.httpsUrl}/_jar/health`, method: 'GET' })).rejects.toMatchObject({
    failure: 'TlsError',
  });
  await wary.close();
});

it('leaves no connection behind that was just being opened when it is closed', async () => {
  // Accepts connections without answering, so that the TLS handshake never completes.
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new OutboundClient({ ...options, authority: async () => '' });
  const calls = new Calls();
  const connected = once(server, 'connection');
  const sent = client.send({ url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`, calls });
  const [socket] = (await connected) as [Socket];
  const ended = once(socket, 'close');
  socket.resume();
  calls.cancelCalls();
  await expect(sent).rejects.toMatchObject({ failure: 'Aborted' });
  await client.close();
  await ended;
  server.close();
  // Well before the connect timeout, which would also end it.
}, 25_000);
