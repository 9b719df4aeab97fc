import { describe, expect, it, type TestContext } from 'vitest';
import { usePostgresDatabase } from '../../../support/use-postgres.ts';
import { MortalJar } from '../mortal-jar.ts';

const ML = '/api/2.0/mlflow';
const KILLS = process.env.CLOUDJAR_SOAK === '1' ? 10 : 2;
/** Number of points of a batch, which is stored as a whole or not at all. */
const POINTS = 50;

async function survives(context: TestContext, engine: 'sqlite' | 'postgres'): Promise<void> {
  const url = engine === 'postgres' ? await usePostgresDatabase(context, 'tracked') : undefined;
  const jar = new MortalJar(['--clock', 'virtual', ...(url === undefined ? [] : ['--database-url', url])]);
  await jar.start();
  await jar.need('PATCH', '/_jar/limits', [{ name: 'platform.rate.ml-runs-log-batch', mode: 'unlimited' }]);
  const { experiment_id } = await jar.need('POST', `${ML}/experiments/create`, { name: '/Shared/mortal' });
  const run_id = (await jar.need('POST', `${ML}/runs/create`, { experiment_id })).run.info.run_id;
  const acknowledged = new Set<number>();
  let next = 0;
  const logUntilDeath = async (): Promise<void> => {
    for (;;) {
      const batch = next++;
      const metrics = Array.from({ length: POINTS }, (_, i) => ({
        key: `m${i % 2}`,
        value: batch,
        timestamp: batch,
        step: i,
      }));
      const answer = await jar.send('POST', `${ML}/runs/log-batch`, {
        run_id,
        metrics,
        tags: [{ key: `batch-${batch}`, value: 'x' }],
      });
      if (!answer) return;
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      acknowledged.add(batch);
    }
  };
  for (let kill = 0; kill < KILLS; kill++) {
    if (kill > 0) await jar.start();
    const before = acknowledged.size;
    const logging = [logUntilDeath(), logUntilDeath(), logUntilDeath()];
    await expect.poll(() => acknowledged.size - before, { interval: 1, timeout: 60_000 }).toBeGreaterThan(5);
    await jar.kill();
    await Promise.all(logging);
  }
  await jar.start();
  const { data } = (await jar.need('GET', `${ML}/runs/get?run_id=${run_id}`)).run;
  const tagged = (data.tags as { key: string }[])
    .flatMap(({ key }) => /^batch-(\d+)$/.exec(key)?.[1] ?? [])
    .map(Number);
  const counts = new Map<number, number>();
  for (const key of ['m0', 'm1']) {
    const { metrics = [] } = await jar.need('GET', `${ML}/metrics/get-history?run_id=${run_id}&metric_key=${key}`);
    for (const { value } of metrics as { value: number }[]) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  expect([...counts.values()].every((count) => count === POINTS)).toBe(true);
  expect(new Set(counts.keys())).toEqual(new Set(tagged));
  expect([...acknowledged].filter((batch) => !counts.has(batch))).toEqual([]);
  const { value } = await jar.need('GET', '/_jar/limits?name=platform.run-metric-steps');
  expect(value[0].use[0].used).toBe(counts.size * POINTS);
  await jar.kill();
}

describe('a jar that is killed while metrics are logged', () => {
  it('has every acknowledged batch, and of none a part, on SQLite', (context) => survives(context, 'sqlite'));
  it('has every acknowledged batch, and of none a part, on PostgreSQL', (context) => survives(context, 'postgres'));
});
