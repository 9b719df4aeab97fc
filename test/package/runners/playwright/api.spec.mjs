import { expect, test } from '@playwright/test';
import { startJar } from 'cloudjar/testing';

test('a program is throttled when the test says so', async ({ request }) => {
  const jar = await startJar();
  await jar.faults.add({ match: { path: '/subscriptions*' }, effect: { status: 429 }, count: 1 });
  const headers = { authorization: `Bearer ${await jar.token()}` };
  const statuses = [];
  for (let i = 0; i < 2; i++) {
    statuses.push((await request.get(`${jar.url}/subscriptions?api-version=2022-12-01`, { headers })).status());
  }
  expect(statuses).toEqual([429, 200]);
  await jar.close();
});
