import { expect, it, vi } from 'vitest';
import { startJar, type TestJar } from '../../../../src/testing/index.ts';
import { usePostgresDatabase } from '../../../support/use-postgres.ts';
import { stopRedisAfterwards, useRedis } from '../../../support/use-redis.ts';
import { Gates, gatedServices } from './gated.ts';

stopRedisAfterwards();

it('a request on one node waits for capacity that another node uses, and gets it', async (context) => {
  const { url: redisUrl } = await useRedis(context);
  const databaseUrl = await usePostgresDatabase(context, 'queue');
  const secretKey = 'B'.repeat(43);
  const gates = new Gates();
  const open = () => startJar({ databaseUrl, redisUrl, secretKey, clock: 'shifted', services: gatedServices(gates) });
  const [one, other] = [await open(), await open()];
  try {
    const headers = { authorization: `Bearer ${await one.token()}` };
    const ask = async (jar: TestJar, name: string) => (await fetch(`${jar.url}/gated/${name}`, { headers })).status;
    const names = ['1', '2', '3', '4', '5'];
    const running = names.map((name) => ask(one, name));
    await vi.waitFor(() => expect(gates.entered).toHaveLength(5), { timeout: 120_000 });
    const waiting = ask(other, '6');
    const usage = async () => {
      const answer = await fetch(`${other.url}/_jar/limits?name=business.queued`, {
        headers: { authorization: `Bearer ${other.adminKey}` },
      });
      return ((await answer.json()) as { value: { use: { used: number }[] }[] }).value[0]?.use[0]?.used;
    };
    await vi.waitFor(async () => expect(await usage()).toBe(1), { timeout: 120_000 });
    expect(gates.entered).not.toContain('6');
    gates.open('3');
    await vi.waitFor(() => expect(gates.entered).toContain('6'), { timeout: 120_000 });
    gates.openAll();
    expect(await Promise.all([...running, waiting])).toEqual(Array(6).fill(200));
  } finally {
    gates.openAll();
    await Promise.all([one.close(), other.close()]);
  }
});
