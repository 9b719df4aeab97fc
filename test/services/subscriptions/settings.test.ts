import { expect, it } from 'vitest';
import { startJar } from '../../../src/testing/index.ts';
import { ALIASES, NEW } from './support.ts';

it('the times of the configuration are in force from the start', async () => {
  await using jar = await startJar({ settings: { subscriptions: { provisioningTime: 'PT2H' } } });
  const ask = async (method: string, path: string, body?: unknown, token?: string) => {
    const headers = { authorization: `Bearer ${token ?? (await jar.token())}`, 'content-type': 'application/json' };
    const response = await fetch(jar.url + path, { method, headers, body: body ? JSON.stringify(body) : null });
    return response.json();
  };
  const settings = await ask('GET', '/_jar/subscriptions/settings', undefined, jar.adminKey);
  expect(JSON.stringify(settings)).toContain('"source":"configuration"');
  const alias = `${ALIASES}/slow?api-version=2021-10-01`;
  await ask('PUT', alias, { properties: NEW });
  await jar.clock.advance('1h59m');
  expect(await ask('GET', alias)).toMatchObject({ properties: { provisioningState: 'Accepted' } });
  await jar.clock.advance('1m');
  expect(await ask('GET', alias)).toMatchObject({ properties: { provisioningState: 'Succeeded' } });
});

it.each([
  ['an unknown setting', { provisioning: '1s' }, /provisioning/],
  ['a time that is none', { warnedTime: 'soon' }, /warnedTime/],
])('%s in the configuration keeps the jar from starting', async (_title, subscriptions, reason) => {
  await expect(startJar({ settings: { subscriptions } })).rejects.toThrow(reason);
});
