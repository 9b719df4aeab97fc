import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../../support/jars.ts';
import { type Ask, good, person } from '../../support.ts';
import { getRun, JOBS, task, withoutRates } from '../support.ts';

interface ShownTask {
  readonly task_key: string;
  readonly start_time: number;
  readonly attempt_number: number;
  readonly original_attempt_run_id: number;
  readonly run_id: number;
}

onBothStores('data platform: retries and durations', (bench) => {
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

  it('a for-each task is retried as a whole, and so is a task whose program is not there', async () => {
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
    expect((await getRun(ask, tasks[0].run_id)).iterations).toHaveLength(2);
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
});
