import { describe, expect, it, type TestContext } from 'vitest';
import { usePostgresDatabase } from '../../../../support/use-postgres.ts';
import { MortalJar } from '../../mortal-jar.ts';
import { after, JOBS, task } from '../support.ts';

const KILLS = process.env.CLOUDJAR_SOAK === '1' ? 15 : 2;
/** Calls that are answered before a kill. */
const CALLS = 25;

const SPEC = { spark_version: '16.4.x-scala2.12', node_type_id: 'Standard_DS3_v2', num_workers: 0 };

const SETTINGS = {
  max_concurrent_runs: 3,
  queue: { enabled: true },
  job_clusters: [{ job_cluster_key: 'shared', new_cluster: SPEC }],
  tasks: [
    task('own', 'sleep 20; exit 1', { new_cluster: SPEC, max_retries: 1 }),
    task('shared', 'sleep 30', { job_cluster_key: 'shared' }),
    task('again', 'sleep 10', { job_cluster_key: 'shared', ...after('shared') }),
  ],
};

interface ShownRun {
  readonly run_id: number;
  readonly status: { readonly state: string };
}

/** Runs are started, cancelled, repaired and listed until the jar dies. */
async function useUntilDeath(jar: MortalJar, job_id: number, answered: () => void): Promise<void> {
  let run_id = 0;
  for (let step = 0; ; step++) {
    const answer = await [
      () => jar.send('POST', `${JOBS}/run-now`, { job_id }),
      () => jar.send('POST', `${JOBS}/runs/cancel`, { run_id }),
      () => jar.send('POST', `${JOBS}/runs/repair`, { run_id, rerun_all_failed_tasks: true }),
      () => jar.send('POST', `${JOBS}/run-now`, { job_id }),
    ][step % 4]?.();
    if (!answer) return;
    // A run that is active, or has been repaired before, cannot be repaired.
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500);
    if (typeof answer.body.run_id === 'number') run_id = answer.body.run_id;
    answered();
  }
}

async function advanceUntilDeath(jar: MortalJar): Promise<void> {
  while (await jar.send('POST', '/_jar/clock/advance', { by: '40s' })) {}
}

async function survives(context: TestContext, engine: 'sqlite' | 'postgres'): Promise<void> {
  const url = engine === 'postgres' ? await usePostgresDatabase(context, 'killed') : undefined;
  const jar = new MortalJar(['--clock', 'virtual', ...(url === undefined ? [] : ['--database-url', url])]);
  await jar.start();
  const { value: rates } = await jar.need('GET', '/_jar/limits?name=platform.rate.*&use=0&$top=1000');
  const unlimited = (rates as { name: string }[]).map(({ name }) => ({ name, mode: 'unlimited' }));
  await jar.need('PATCH', '/_jar/limits', [...unlimited, { name: 'platform.running-tasks', limit: 5 }]);
  const { job_id } = await jar.need('POST', `${JOBS}/create`, SETTINGS);
  for (let kill = 0; kill < KILLS; kill++) {
    if (kill > 0) await jar.start();
    let calls = 0;
    const using = [1, 2].map(() => useUntilDeath(jar, job_id, () => calls++));
    const advancing = advanceUntilDeath(jar);
    await expect.poll(() => calls, { interval: 1, timeout: 60_000 }).toBeGreaterThan(CALLS);
    await jar.kill();
    await Promise.all([...using, advancing]);
  }
  await jar.start();
  // Longer than a run may wait in the queue.
  await jar.need('POST', '/_jar/clock/advance', { by: '3d' });
  const { runs = [] } = await jar.need('GET', `${JOBS}/runs/list?job_id=${job_id}&active_only=true`);
  expect(runs.map(({ status }: ShownRun) => status)).toEqual([]);
  const { clusters } = await jar.need('GET', '/api/2.0/clusters/list');
  expect(new Set(clusters.map(({ state }: { state: string }) => state))).toEqual(new Set(['TERMINATED']));
  const { value } = await jar.need('GET', '/_jar/limits?name=platform.running-tasks');
  expect((value[0].use as { used: number }[]).filter(({ used }) => used > 0)).toEqual([]);
  await jar.kill();
}

describe('a jar that is killed while runs are cancelled, repaired and queued', () => {
  it('ends every run and every cluster, on SQLite', (context) => survives(context, 'sqlite'));
  it('ends every run and every cluster, on PostgreSQL', (context) => survives(context, 'postgres'));
});
