import { fork } from 'node:child_process';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Rates } from '../../../src/kernel/limits/rates.ts';
import { startJar } from '../../../src/testing/index.ts';
import { bundled } from '../../support/bundled.ts';
import { startRedis } from '../../support/redis.ts';
import { stopRedisAfterwards, useRedis } from '../../support/use-redis.ts';
import { bucket, redisRates, slots, TestRules, window } from './rows.ts';

const NOW = 1_800_000_000_000;
const SUBSCRIPTION = '10000000-0000-4000-8000-0000000000f1';

stopRedisAfterwards();

const opened = async (url: string, jarId?: string): Promise<Rates> => {
  const rates = await redisRates(url, new TestRules(), jarId);
  onTestFinished(() => rates.close());
  return rates;
};

it('two nodes of a jar share what they count, and two jars do not', async ({ skip }) => {
  const { url } = await useRedis({ skip });
  const [first, second, other] = [await opened(url, 'one'), await opened(url, 'one'), await opened(url, 'two')];
  const use = { limit: bucket(2, 0), scope: ['a'] };
  expect((await first.take([use], NOW)).allowed).toBe(true);
  expect((await second.take([use], NOW)).allowed).toBe(true);
  expect((await first.take([use], NOW)).allowed).toBe(false);
  expect((await other.take([use], NOW)).allowed).toBe(true);
  await other.clear();
  expect((await second.take([use], NOW)).allowed).toBe(false);
  await second.clear();
  expect((await first.take([use], NOW)).allowed).toBe(true);
});

it('64 clients in four processes get exactly as many through as the limit says', async ({ skip }) => {
  const { url } = await useRedis({ skip });
  const program = await bundled(join(import.meta.dirname, 'redis-clients.ts'));
  const processes = Array.from({ length: 4 }, () => {
    const child = fork(program, [url], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    return new Promise<number>((resolve, reject) => {
      child.once('message', (accepted) => resolve(Number(accepted)));
      child.once('exit', (code) => reject(new Error(`a client ended with status ${code}`)));
    });
  });
  const accepted = await Promise.all(processes);
  expect(accepted.reduce((sum, each) => sum + each, 0)).toBe(500);
});

it('a server that has lost the script is given it again', async ({ skip }) => {
  const { url } = await useRedis({ skip });
  const rates = await opened(url);
  const { default: redis } = await import('@redis/client');
  const client = redis.createClient({ url });
  await client.connect();
  onTestFinished(() => client.destroy());
  await client.sendCommand(['SCRIPT', 'FLUSH']);
  const use = { limit: bucket(1, 0), scope: ['a'] };
  expect((await rates.take([use], NOW)).allowed).toBe(true);
  expect((await rates.take([use], NOW)).allowed).toBe(false);
});

it('counts expire in Redis after they are obsolete', async ({ skip }) => {
  const { url } = await useRedis({ skip });
  const rates = await opened(url, 'expiry');
  await rates.take([{ limit: bucket(100, 1), scope: ['a'] }], NOW);
  await rates.take([{ limit: window('fixed', 9, 600_000), scope: ['a'] }], NOW);
  await rates.take([{ limit: window('sliding', 9, 600_000), scope: ['a'] }], NOW);
  await rates.take([{ limit: slots(9, { leaseMs: 600_000 }), scope: ['a'] }], NOW);
  const { default: redis } = await import('@redis/client');
  const client = redis.createClient({ url });
  await client.connect();
  onTestFinished(() => client.destroy());
  const keys = (await client.sendCommand(['KEYS', 'cloudjar:{expiry}:*'])) as unknown as string[];
  expect(keys).toHaveLength(4);
  for (const key of keys) {
    const ms = Number(await client.sendCommand(['PTTL', key]));
    expect(ms).toBeGreaterThan(100_000);
    expect(ms).toBeLessThan(800_000);
  }
});

it('a slot whose jar died is free again when its lease is over', async ({ skip }) => {
  const { url } = await useRedis({ skip });
  const rates = await opened(url);
  const use = { limit: slots(1, { leaseMs: 50 }), scope: ['a'] };
  expect((await rates.take([use], NOW)).allowed).toBe(true);
  await expect.poll(async () => (await rates.take([use], NOW)).allowed).toBe(true);
});

it('while Redis is away a node counts for itself, and shares again when it is back', async ({ skip }) => {
  await useRedis({ skip });
  const own = await startRedis();
  onTestFinished(() => own.stop());
  const rates = await opened(own.url, 'outage');
  const use = { limit: bucket(3, 0), scope: ['a'] };
  expect(await rates.take([use], NOW)).toMatchObject({ readings: [{ remaining: 2 }] });
  await own.stop();
  for (const remaining of [2, 1, 0]) {
    expect(await rates.take([use], NOW)).toMatchObject({ allowed: true, readings: [{ remaining }] });
  }
  expect((await rates.take([use], NOW)).allowed).toBe(false);
  const back = await startRedis(own.port);
  onTestFinished(() => back.stop());
  // The new server has no counts: when it is used again, all three units are available.
  await expect.poll(async () => (await rates.take([use], NOW)).allowed).toBe(true);
});

it('a Redis that hangs holds calls up once and not again and again', async ({ skip }) => {
  await useRedis({ skip });
  const own = await startRedis();
  const rates = await opened(own.url, 'frozen');
  const use = { limit: bucket(1000, 0), scope: ['a'] };
  await rates.take([use], NOW);
  own.freeze();
  expect((await rates.take([use], NOW)).allowed).toBe(true);
  // Redis is marked as down now: these decisions are made without waiting, so they are not promises.
  const decisions = Array.from({ length: 100 }, () => rates.take([use], NOW));
  expect(decisions.some((each) => each instanceof Promise)).toBe(false);
  own.thaw();
  await expect.poll(() => rates.take([use], NOW) instanceof Promise).toBe(true);
  await own.stop();
});

it.each([
  ['count', [true, true, false]],
  ['open', [true, true, true]],
] as const)('while a Redis hangs, limits are as the setting %s says', async (failure, expected) => {
  const own = await startRedis();
  onTestFinished(() => own.stop());
  const rates = await redisRates(own.url, new TestRules(), `failing-${failure}`, failure);
  onTestFinished(() => rates.close());
  const use = { limit: bucket(2, 0), scope: ['a'] };
  own.freeze();
  onTestFinished(() => own.thaw());
  const allowed: boolean[] = [];
  for (const _ of expected) allowed.push((await rates.take([use], NOW)).allowed);
  expect(allowed).toEqual(expected);
});

it('while a Redis hangs, calls get 503 if limits are to be closed then, and health is degraded', async () => {
  const own = await startRedis();
  onTestFinished(() => own.stop());
  const jar = await startJar({ redisUrl: own.url, redisFailure: 'closed' });
  onTestFinished(() => jar.close());
  const headers = { authorization: `Bearer ${await jar.token()}` };
  const list = () => fetch(`${jar.url}/subscriptions?api-version=2022-12-01`, { headers });
  const health = async () => {
    const answer = await fetch(`${jar.url}/_jar/health`);
    return { status: answer.status, body: await answer.json() };
  };
  expect((await list()).status).toBe(200);
  own.freeze();
  onTestFinished(() => own.thaw());
  const refused = await list();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await refused.json()).toMatchObject({ error: { code: expect.any(String), message: /Rate limits/ } });
  expect(await health()).toMatchObject({ status: 503, body: { status: 'degraded', troubles: [{ part: 'redis' }] } });
  own.thaw();
  await expect.poll(async () => (await list()).status).toBe(200);
  expect(await health()).toMatchObject({ status: 200, body: { status: 'ready' } });
});

it('slots taken by a hanging server are freed when it answers again', { timeout: 600_000 }, async () => {
  const own = await startRedis();
  onTestFinished(() => own.stop());
  const rates = await opened(own.url, 'owed');
  const use = { limit: slots(2), scope: ['a'] };
  const before = await rates.take([use], NOW);
  own.freeze();
  // Decided by this node's own count; the server may still take the slot when it continues.
  expect((await rates.take([use], NOW)).allowed).toBe(true);
  before.release?.();
  own.thaw();
  const other = await opened(own.url, 'owed');
  const look = { ...use, cost: 0 };
  await expect
    .poll(
      async () => {
        await rates.take([look], NOW);
        return (await other.take([look], NOW)).readings[0]?.remaining;
      },
      { timeout: 120_000 },
    )
    .toBe(2);
});

it('use can be looked at while the server goes away', { timeout: 600_000 }, async () => {
  const own = await startRedis();
  const rates = await opened(own.url, 'going');
  const limit = bucket(1000, 0);
  for (let n = 0; n < 200; n++) await rates.take([{ limit, scope: [`s${n}`] }], NOW);
  const looked = rates.usage(limit, { where: new Map(), most: 10 }, NOW);
  await own.stop();
  expect(await looked).toBeInstanceOf(Array);
});

it('a jar whose Redis does not answer says so at start, without its password', async () => {
  const url = 'redis://user:secret@127.0.0.1:1';
  const failed = await startJar({ redisUrl: url }).catch((error: Error) => error);
  expect(failed).toMatchObject({ message: expect.stringContaining('no Redis answers at 127.0.0.1:1') });
  expect(String(failed)).not.toContain('secret');
});

it('two jars on one database and one Redis throttle a caller together, and a reset clears the count', async ({
  skip,
}) => {
  const { url } = await useRedis({ skip });
  const { usePostgresDatabase } = await import('../../support/use-postgres.ts');
  const databaseUrl = await usePostgresDatabase({ skip }, 'shared_limits');
  const secretKey = 'B'.repeat(43);
  const open = () => startJar({ databaseUrl, secretKey, redisUrl: url, clock: 'shifted' });
  const [first, second] = [await open(), await open()];
  onTestFinished(async () => {
    await Promise.all([first.close(), second.close()]);
  });
  const authorization = `Bearer ${await first.token({ ttl: '10d' })}`;
  const remaining = async (jar: typeof first) => {
    const path = `/subscriptions/${SUBSCRIPTION}/resourceGroups/none?api-version=2025-04-01`;
    const answer = await fetch(jar.url + path, { method: 'DELETE', headers: { authorization } });
    return Number(answer.headers.get('x-ms-ratelimit-remaining-subscription-deletes'));
  };
  await fetch(`${first.url}/_jar/limits`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${first.adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'management.deletes', refillPerSecond: 0 }),
  });
  expect(await remaining(first)).toBe(199);
  await expect.poll(() => remaining(second)).toBeLessThan(199);
  const left = await remaining(second);
  expect(await remaining(first)).toBe(left - 1);
  await second.reset();
  expect(await remaining(first)).toBe(199);
});

it('a Redis that answers but refuses to write counts as away: limits stay in force', async () => {
  const own = await startRedis();
  onTestFinished(() => own.stop());
  const rates = await opened(own.url, 'read-only');
  const { default: redis } = await import('@redis/client');
  const client = redis.createClient({ url: own.url });
  await client.connect();
  onTestFinished(() => client.destroy());
  // A replica after a failover: it answers, but accepts no writes.
  await client.sendCommand(['REPLICAOF', '127.0.0.1', '1']);
  const use = { limit: bucket(2, 0), scope: ['a'] };
  const allowed: boolean[] = [];
  // Long enough for several probes.
  for (let round = 0; round < 15; round++) {
    allowed.push((await rates.take([use], NOW)).allowed);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(allowed.filter((each) => each)).toHaveLength(2);
  await client.sendCommand(['REPLICAOF', 'NO', 'ONE']);
  await expect.poll(async () => (await rates.take([use], NOW)).allowed, { timeout: 60_000 }).toBe(true);
});
