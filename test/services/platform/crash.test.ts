import { describe, expect, it, type TestContext } from 'vitest';
import { usePostgresDatabase } from '../../support/use-postgres.ts';
import { after, JOBS, task } from './jobs/support.ts';
import { MortalJar } from './mortal-jar.ts';

const SOAK = process.env.CLOUDJAR_SOAK === '1';
const KILLS = SOAK ? 15 : 2;
/** Runs that are acknowledged before a kill, which then comes in the middle of others. */
const RUNS = 6;

const CHAIN = ['a', 'b', 'c', 'd', 'e'];
const INPUTS = [1, 2, 3, 4, 5, 6];

/** A chain, then iterations; the last link fails once, so that it is tried again. */
const SETTINGS = {
  name: 'mortal',
  max_concurrent_runs: 4,
  queue: { enabled: true },
  tasks: [
    ...CHAIN.map((key, index) => task(key, 'sleep 1', index === 0 ? {} : after(CHAIN[index - 1] as string))),
    {
      task_key: 'f',
      ...after('e'),
      for_each_task: { inputs: JSON.stringify(INPUTS), concurrency: 2, task: task('i', 'sleep 1') },
    },
    task('g', 'sleep 1; exit 1', { ...after('f'), max_retries: 1, min_retry_interval_millis: 1000 }),
  ],
};

/** Starts runs until the jar dies. A call whose answer is lost is sent again after the next start, under the same token. */
async function runUntilDeath(jar: MortalJar, job_id: number, from: number, made: Map<number, number>): Promise<number> {
  for (let number = from; ; number++) {
    const sent = { job_id, idempotency_token: `run-${number}` };
    const answer = await jar.send('POST', `${JOBS}/run-now`, sent);
    if (!answer) return number;
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
    made.set(number, answer.body.run_id);
  }
}

async function advanceUntilDeath(jar: MortalJar): Promise<void> {
  while (await jar.send('POST', '/_jar/clock/advance', { by: '1s' })) {}
}

async function survives(context: TestContext, engine: 'sqlite' | 'postgres'): Promise<void> {
  const url = engine === 'postgres' ? await usePostgresDatabase(context, 'killed') : undefined;
  const jar = new MortalJar(['--clock', 'virtual', ...(url === undefined ? [] : ['--database-url', url])]);
  await jar.start();
  const { value: rates } = await jar.need('GET', '/_jar/limits?name=platform.rate.*&use=0&$top=1000');
  const unlimited = (rates as { name: string }[]).map(({ name }) => ({ name, mode: 'unlimited' }));
  await jar.need('PATCH', '/_jar/limits', [...unlimited, { name: 'platform.running-tasks', limit: 5 }]);
  const { job_id } = await jar.need('POST', `${JOBS}/create`, SETTINGS);
  const made = new Map<number, number>();
  let next = 1;
  for (let kill = 0; kill < KILLS; kill++) {
    if (kill > 0) await jar.start();
    const before = made.size;
    const running = runUntilDeath(jar, job_id, next, made);
    const advancing = advanceUntilDeath(jar);
    await expect.poll(() => made.size - before, { interval: 1, timeout: 60_000 }).toBeGreaterThan(RUNS);
    await jar.kill();
    next = await running;
    await advancing;
  }
  await jar.start();
  await jar.need('POST', '/_jar/clock/advance', { by: '1d' });

  const numbers: number[] = [];
  for (const run_id of made.values()) {
    const run = await jar.need('GET', `${JOBS}/runs/get?run_id=${run_id}`);
    numbers.push(run.number_in_job);
    expect(run).toMatchObject({ job_id, state: { life_cycle_state: 'TERMINATED', result_state: 'FAILED' } });
    const attempts = (run.tasks as { task_key: string; attempt_number: number }[]).filter(
      ({ task_key: key }) => key === 'g',
    );
    expect(Math.max(...attempts.map(({ attempt_number }) => attempt_number))).toBe(1);
    const { run_id: forEach } = (run.tasks as { task_key: string; run_id: number }[]).find(
      ({ task_key: key }) => key === 'f',
    ) as { run_id: number };
    const { iterations } = await jar.need('GET', `${JOBS}/runs/get?run_id=${forEach}`);
    expect(iterations).toHaveLength(INPUTS.length);
  }
  // A token makes one run, however often it is sent.
  expect(new Set(numbers).size).toBe(made.size);
  expect(await jar.need('POST', `${JOBS}/run-now`, { job_id, idempotency_token: 'run-1' })).toMatchObject({
    run_id: made.get(1),
  });
  const used = async (name: string): Promise<number> => {
    const { value } = await jar.need('GET', `/_jar/limits?name=platform.${name}`);
    return (value[0].use as { used: number }[]).reduce((sum, each) => sum + each.used, 0);
  };
  expect(await used('running-tasks')).toBe(0);
  expect(await used('saved-jobs')).toBe(1);
}

describe('a jar that is killed while jobs run', () => {
  it('ends every run that it acknowledged, and counts none twice, on SQLite', (context) => survives(context, 'sqlite'));
  it('ends every run that it acknowledged, and counts none twice, on PostgreSQL', (context) =>
    survives(context, 'postgres'));
});
