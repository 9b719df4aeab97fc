import { expect, it, onTestFinished } from 'vitest';
import { startJar, type TestJar } from '../../../src/testing/index.ts';
import { eventually } from '../../support/eventually.ts';
import { usePostgresDatabase } from '../../support/use-postgres.ts';
import { stopRedisAfterwards, useRedis } from '../../support/use-redis.ts';

stopRedisAfterwards();

/** Two nodes of one jar. */
async function twoNodes(databaseUrl: string, redisUrl?: string): Promise<readonly [TestJar, TestJar]> {
  const open = async () => {
    const jar = await startJar({ databaseUrl, redisUrl, secretKey: 'B'.repeat(43), clock: 'shifted' });
    onTestFinished(() => jar.close());
    return jar;
  };
  return [await open(), await open()];
}

async function control(jar: TestJar, method: string, path: string, sent?: object) {
  const headers = { authorization: `Bearer ${jar.adminKey}`, 'content-type': 'application/json' };
  const body = sent === undefined ? null : JSON.stringify(sent);
  const answer = await fetch(`${jar.url}/_jar${path}`, { method, headers, body });
  const text = await answer.text();
  return text === '' ? undefined : JSON.parse(text);
}

async function status({ url }: TestJar, key: string, characters = 10): Promise<number> {
  const headers = { 'Ocp-Apim-Subscription-Key': key, 'content-type': 'application/json' };
  const body = JSON.stringify([{ Text: 'a'.repeat(characters) }]);
  return (await fetch(`${url}/detect?api-version=3.0`, { method: 'POST', headers, body })).status;
}

/** How many of 60 concurrent requests to both nodes are admitted. */
async function admitted(nodes: readonly [TestJar, TestJar], key: string): Promise<number> {
  const asked = Array.from({ length: 60 }, (_, index) => status(nodes[index % 2] as TestJar, key));
  return (await Promise.all(asked)).filter((each) => each === 200).length;
}

/** Waits until the other node has received the changed limit. */
const everywhere = (other: TestJar, name: string, limit: number) =>
  eventually(async () => {
    const { value } = await control(other, 'GET', `/limits?name=${name}`);
    expect(value[0].overrides).toContainEqual(expect.objectContaining({ limit }));
  });

it('the month of a key is counted exactly, whichever node is asked', async (context) => {
  const [one, other] = await twoNodes(await usePostgresDatabase(context, 'month'));
  expect(await other.keys()).toEqual(await one.keys());
  const { key } = await control(one, 'PUT', '/translator/keys/free', { tier: 'F0' });
  const limit = 205;
  await control(one, 'PATCH', '/limits', { name: 'translator.monthly-characters-f0', limit });
  await everywhere(other, 'translator.monthly-characters-f0', limit);
  expect(await admitted([one, other], key)).toBe(20);
  expect([await status(one, key, 6), await status(other, key, 5), await status(one, key, 1)]).toEqual([403, 200, 403]);
});

it('the minute of a key is one for all nodes that share a Redis', async (context) => {
  const { url } = await useRedis(context);
  const [one, other] = await twoNodes(await usePostgresDatabase(context, 'minute'), url);
  const { key } = await control(one, 'PUT', '/translator/keys/paid', { tier: 'S1' });
  const limit = 205;
  await control(one, 'PATCH', '/limits', { name: 'translator.characters-s1', limit });
  await everywhere(other, 'translator.characters-s1', limit);
  expect(await admitted([one, other], key)).toBe(20);
});

it('a key that one node creates or removes is known to the other, even if it was looked up there before', async (context) => {
  const [one, other] = await twoNodes(await usePostgresDatabase(context, 'keys'));
  const key = 'a-key-of-both-nodes-1234';
  expect(await status(other, key)).toBe(401);
  await control(one, 'PUT', '/translator/keys/both', { key });
  await eventually(async () => expect(await status(other, key)).toBe(200));
  await control(one, 'DELETE', '/translator/keys/both');
  await eventually(async () => expect(await status(other, key)).toBe(401));
});
