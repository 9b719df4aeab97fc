import { expect, it } from 'vitest';
import { OutboundClient } from '../../../src/kernel/outbound/client.ts';
import { startJar } from '../../../src/testing/index.ts';

it("trusts the jar's own authority, which nobody else does", async () => {
  await using jar = await startJar();
  const client = new OutboundClient(async () => jar.ca);
  const answer = await client.request(`${jar.httpsUrl}/_jar/health`, { method: 'GET' });
  expect(await answer.body.json()).toMatchObject({ status: 'ready' });
  await client.close();

  await using stranger = await startJar();
  const wary = new OutboundClient(async () => stranger.ca);
  await expect(wary.request(`${jar.httpsUrl}/_jar/health`, { method: 'GET' })).rejects.toMatchObject({
    code: expect.stringMatching(/SELF_SIGNED|UNABLE_TO/),
  });
  await wary.close();
});
