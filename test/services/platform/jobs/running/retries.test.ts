import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../../support/jars.ts';
import { type Ask, good, person } from '../../support.ts';
import { getRun, JOBS, task, withoutRates } from '../support.ts';

interface ShownTask {
  readonly task_key: string;
  readonly start_time: number;
  readonly attempt_number: number;
  readonly original_attempt_run_id: number;
  readonly run_id: number;
}

onAnyStore('data platform: retries and durations', (bench) => {
  let ask: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
  });

  const submit = async (tasks: readonly object[]): Promise<number> =>
    (await good(ask('POST', `${JOBS}/runs/submit`, { tasks }))).run_id;

  /** Seconds from the start of the run to that of each attempt. */
  async function startsOf(run_id: number): Promise<number[]> {
    const { start_time, tasks } = await getRun(ask, run_id, '&include_history=true');
    return tasks.map((each: ShownTask) => (each.start_time - start_time) / 1000).sort((a: number, b: number) => a - b);
  }

  it('the interval between retries counts from the start of the attempt that failed', async () => {
    const quick = { max_retries: 2, min_retry_interval_millis: 60_000 };
    const soon = await submit([task('a', 'sleep 20; exit 1', quick)]);
    const late = await submit([task('a', 'sleep 90; exit 1', quick)]);
    await bench.jar.clock.advance('10m');
    expect(await startsOf(soon)).toEqual([0, 60, 120]);
    expect(await startsOf(late)).toEqual([0, 90, 180]);
    const { tasks } = await getRun(ask, soon, '&include_history=true');
    expect(new Set(tasks.map((each: ShownTask) => each.original_attempt_run_id)).size).toBe(1);
    expect(tasks.map((each: ShownTask) => each.attempt_number).sort()).toEqual([0, 1, 2]);
  });

  it('a for-each task is retried with the iterations that failed, and so is a task whose program is not there', async () => {
    const each = {
      task_key: 'each',
      max_retries: 1,
      for_each_task: { inputs: '[1,2]', concurrency: 2, task: task('i', 'sleep 10; [ {{input}} = 1 ]') },
    };
    const run_id = await submit([each]);
    const missing = await submit([
      { task_key: 'm', max_retries: 2, spark_python_task: { python_file: '/Shared/none.py' } },
    ]);
    await bench.jar.clock.advance('5m');
    expect(await startsOf(run_id)).toEqual([0, 10]);
    const { tasks } = await getRun(ask, run_id);
    expect(tasks).toMatchObject([
      {
        attempt_number: 1,
        state: { result_state: 'FAILED' },
        for_each_task: { stats: { task_run_stats: { total_iterations: 2, failed_iterations: 1 } } },
      },
    ]);
    expect((await getRun(ask, tasks[0].run_id)).iterations).toMatchObject([{ iteration_index: 1 }]);
    expect((await getRun(ask, missing)).tasks).toMatchObject([{ attempt_number: 2 }]);
  });

  it('durations of a run with one task are those of the task; of several there is only the whole', async () => {
    const one = await submit([task('a', 'sleep 30')]);
    const two = await submit([task('a', 'sleep 30'), task('b', 'sleep 10; exit 1')]);
    await bench.jar.clock.advance('1m');
    expect(await getRun(ask, one)).toMatchObject({ execution_duration: 30_000, run_duration: 30_000 });
    expect(await getRun(ask, two)).toMatchObject({ execution_duration: 0, setup_duration: 0, run_duration: 30_000 });
    // Time between a run and its repair belongs to neither.
    await bench.jar.clock.advance('1h');
    await good(ask('POST', `${JOBS}/runs/repair`, { run_id: two, rerun_tasks: ['b'] }));
    await bench.jar.clock.advance('1m');
    const repaired = await getRun(ask, two, '&include_history=true');
    expect(repaired).toMatchObject({
      run_duration: 40_000,
      repair_history: [{ type: 'ORIGINAL', state: { result_state: 'FAILED' } }, { type: 'REPAIR' }],
    });
    const [original, repair] = repaired.repair_history;
    expect([original.end_time - original.start_time, repair.end_time - repair.start_time]).toEqual([30_000, 10_000]);
  });

  it('a task with iterations or another run times out as well, and ends these', async () => {
    const other = (await good(ask('POST', `${JOBS}/create`, { tasks: [task('x', 'sleep 600')] }))).job_id;
    const run_id = await submit([
      {
        task_key: 'each',
        timeout_seconds: 90,
        for_each_task: { inputs: '[1,2,3,4]', concurrency: 2, task: task('i', 'sleep 60') },
      },
      { task_key: 'other', timeout_seconds: 90, run_job_task: { job_id: other } },
    ]);
    await bench.jar.clock.advance('100s');
    const { tasks, state } = await getRun(ask, run_id);
    expect(tasks).toMatchObject([
      { state: { result_state: 'TIMEDOUT' }, execution_duration: 90_000 },
      { state: { result_state: 'TIMEDOUT' }, execution_duration: 90_000 },
    ]);
    expect(state.result_state).toBe('FAILED');
    const { iterations } = await getRun(ask, tasks[0].run_id);
    expect(iterations.map((each: { state: { result_state: string } }) => each.state.result_state)).toEqual([
      'SUCCESS',
      'SUCCESS',
      'CANCELED',
      'CANCELED',
    ]);
    expect((await getRun(ask, tasks[1].run_job_task.run_id)).state).toMatchObject({ result_state: 'CANCELED' });
  });

  it('a run whose task failed is in an internal error, as waiting clients expect; the messages of iterations are counted', async () => {
    const run_id = await submit([
      {
        task_key: 'each',
        for_each_task: {
          inputs: '[1,2,3,4]',
          concurrency: 4,
          task: task('i', 'echo "no {{input}}" | true; exit {{input}}'),
        },
      },
      task('after', 'true', { depends_on: [{ task_key: 'each' }] }),
    ]);
    await bench.jar.clock.advance('1m');
    const run = await getRun(ask, run_id);
    expect(run).toMatchObject({
      state: {
        life_cycle_state: 'TERMINATED',
        result_state: 'FAILED',
        state_message:
          'Task each failed with message: 4 of 4 iterations failed. This caused all downstream tasks to get skipped.',
      },
      status: { state: 'TERMINATED', termination_details: { code: 'RUN_EXECUTION_ERROR', type: 'CLIENT_ERROR' } },
    });
    expect(run.tasks[0].state).toMatchObject({ life_cycle_state: 'TERMINATED', result_state: 'FAILED' });
    const { error_message_stats: stats } = run.tasks[0].for_each_task.stats;
    expect(stats.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(4);
  });

  it('tasks of a continuous job are retried while another task is active, if its settings say so', async () => {
    const { job_id } = await good(
      ask('POST', `${JOBS}/create`, {
        tasks: [task('long', 'sleep 100'), task('flaky', 'sleep 30; exit 1')],
        continuous: { task_retry_mode: 'ON_FAILURE' },
      }),
    );
    await bench.jar.clock.advance('125s');
    const { runs } = await good(ask('GET', `${JOBS}/runs/list?job_id=${job_id}&completed_only=true`));
    expect(runs).toHaveLength(1);
    const { tasks } = await getRun(ask, runs[0].run_id, '&include_history=true');
    expect(tasks.filter(({ task_key }: ShownTask) => task_key === 'flaky')).toHaveLength(4);
  });
});
