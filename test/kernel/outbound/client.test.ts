import { expect, it } from 'vitest';
import { OutboundClient } from '../../../src/kernel/outbound/client.ts';
import { startJar } from '../../../src/testing/index.ts';

const options = { host: '127.0.0.1', allowHttpLoopback: false, ownPorts: () => [] };

it("trusts the jar's own authority, which nobody else does", async () => {
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
