import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { startJar, type TestJar } from '../../src/testing/index.ts';

const withKey = (jar: TestJar) => ({ authorization: `Bearer ${jar.adminKey}` });

test('the status of a jar has its process, its ports and what its services say', async () => {
  const jar = await startJar({ publicUrl: ['https://jar.company.example'] });
  onTestFinished(() => jar.close());
  expect((await fetch(`${jar.url}/_jar/status`)).status).toBe(401);
  const answer = await fetch(`${jar.url}/_jar/status`, { headers: withKey(jar) });
  expect(await answer.json()).toEqual({
    status: 'ready',
    troubles: [],
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    node: process.versions.node,
    pid: process.pid,
    startedAt: expect.stringMatching(/Z$/),
    host: '127.0.0.1',
    httpPort: Number(new URL(jar.url).port),
    httpsPort: Number(new URL(jar.httpsUrl).port),
    smtpPort: jar.smtpPort,
    publicUrl: ['https://jar.company.example'],
    data: null,
    store: 'memory',
    clock: 'virtual',
    now: jar.clock.now().toISOString(),
    services: expect.objectContaining({ mail: expect.stringContaining('smtp://') }),
  });
});

test('a jar inside another program is not ended by its control API', async () => {
  const jar = await startJar();
  onTestFinished(() => jar.close());
  const answer = await fetch(`${jar.url}/_jar/stop`, { method: 'POST', headers: withKey(jar) });
  expect([answer.status, await answer.json()]).toEqual([
    409,
    { error: { code: 'StopUnavailable', message: expect.stringContaining('inside another program') } },
  ]);
  expect((await fetch(`${jar.url}/_jar/health`)).status).toBe(200);
});

test('the control API is reached by the name of a public address, and tokens for it are accepted', async () => {
  const jar = await startJar({ publicUrl: ['https://jar.company.example'] });
  onTestFinished(() => jar.close());
  const statusFor = (host: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      request(`${jar.url}/_jar/clock`, { headers: { ...withKey(jar), host } })
        .once('error', reject)
        .once('response', (response) => resolve(response.resume().statusCode))
        .end();
    });
  expect(await statusFor('jar.company.example')).toBe(200);
  expect(await statusFor('other.company.example')).toBe(403);
  const token = await jar.token({ audience: 'https://jar.company.example' });
  const list = (bearer: string) =>
    fetch(`${jar.url}/subscriptions?api-version=2022-12-01`, { headers: { authorization: `Bearer ${bearer}` } });
  expect((await list(token)).status).toBe(200);
  expect((await list(await jar.token({ audience: 'https://other.company.example' }))).status).toBe(401);
});
