import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { createJob, getRun, JOBS, runNow, runsOf, task, withoutRates } from '../jobs/support.ts';
import { type Ask, control, good, person } from '../support.ts';

const CONDITION = { task_key: 'c', condition_task: { op: 'EQUAL_TO', left: '1', right: '1' } };

onAnyStore('data platform: jobs that take no time', (bench) => {
  let ask: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
  });

  const numberOfRuns = async (job_id: number): Promise<number> => (await runsOf(ask, job_id))[0]?.number_in_job ?? 0;

  it('a continuous job whose runs end as soon as they begin goes on at intervals', async () => {
    const empty = await createJob(ask, { continuous: {}, tasks: [] });
    const decided = await createJob(ask, { continuous: {}, tasks: [CONDITION] });
    await bench.jar.clock.advance('5m');
    expect(await numberOfRuns(empty)).toBe(31);
    expect(await numberOfRuns(decided)).toBe(31);
  });

  it('a continuous job that fails at once is tried less and less often', async () => {
    const job_id = await createJob(ask, { continuous: {}, tasks: [task('a', 'exit 1')] });
    await bench.jar.clock.advance('1d');
    expect(await numberOfRuns(job_id)).toBeLessThan(40);
  });

  it('a task that fails at once and is tried for ever lets time go on', async () => {
    const settings = { max_retries: -1, min_retry_interval_millis: 0 };
    const job_id = await createJob(ask, { tasks: [task('a', 'exit 1', settings)] });
    const run_id = await runNow(ask, job_id);
    await bench.jar.clock.advance('1m');
    expect(await getRun(ask, run_id)).toMatchObject({ state: { life_cycle_state: 'RUNNING' } });
    await good(ask('POST', `${JOBS}/runs/cancel`, { run_id }));
    expect(await getRun(ask, run_id)).toMatchObject({ state: { result_state: 'CANCELED' } });
  });

  it('a task that runs another job is tried again', async () => {
    const inner = await createJob(ask, { tasks: [task('a', 'exit 1')] });
    const tasks = [{ task_key: 'r', run_job_task: { job_id: inner }, max_retries: 1 }];
    const run_id = await runNow(ask, await createJob(ask, { tasks }));
    await bench.jar.clock.advance('1m');
    expect(await getRun(ask, run_id)).toMatchObject({ state: { result_state: 'FAILED' } });
    expect(await runsOf(ask, inner)).toHaveLength(2);
  });

  it('a task waits for no room that a program which could not start has given back', async () => {
    await good(control(bench, 'PATCH', 'limits', { name: 'platform.running-tasks', limit: 1 }));
    const missing = { task_key: 'n', notebook_task: { notebook_path: '/Shared/there-is-none' } };
    const run_id = await runNow(ask, await createJob(ask, { tasks: [missing, task('o')] }));
    await bench.jar.clock.advance('1m');
    expect(await getRun(ask, run_id)).toMatchObject({
      state: { life_cycle_state: 'TERMINATED', result_state: 'FAILED' },
    });
  });

  it('a job that runs itself ends, with places for all of its runs and with one', async () => {
    for (const most of [1000, 1]) {
      const job_id = await createJob(ask, { tasks: [task('a')] });
      const tasks = [{ task_key: 'self', run_job_task: { job_id } }];
      const new_settings = { max_concurrent_runs: most, queue: { enabled: most === 1 }, tasks };
      await good(ask('POST', `${JOBS}/reset`, { job_id, new_settings }));
      const run_id = await runNow(ask, job_id);
      await bench.jar.clock.advance('3d');
      expect(await getRun(ask, run_id)).toMatchObject({ state: { result_state: 'FAILED' } });
      expect(await runsOf(ask, job_id)).toHaveLength(most === 1 ? 2 : 4);
    }
  });

  it('runs of a full job hold up no run of another job in the queue, and begin when it gets more places', async () => {
    const full = await createJob(ask, { tasks: [task('a', 'sleep 100000')], queue: { enabled: true } });
    const other = await createJob(ask, { tasks: [task('a', 'sleep 10')], queue: { enabled: true } });
    const ids: number[] = [];
    for (let run = 0; run < 102; run++) ids.push(await runNow(ask, full));
    await runNow(ask, other);
    const last = await runNow(ask, other);
    await bench.jar.clock.advance('11s');
    expect(await getRun(ask, last)).toMatchObject({ state: { life_cycle_state: 'RUNNING' } });
    const more = { job_id: full, new_settings: { max_concurrent_runs: 3 } };
    await good(ask('POST', `${JOBS}/update`, more));
    await bench.jar.clock.advance('1s');
    const states = await Promise.all(ids.slice(0, 4).map((id) => getRun(ask, id)));
    expect(states.map(({ state }) => state.life_cycle_state)).toEqual(['RUNNING', 'RUNNING', 'RUNNING', 'QUEUED']);
  });
});
