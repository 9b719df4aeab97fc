import { beforeEach, expect, it } from 'vitest';
import { onAnyStore, onBothStores } from '../../../../support/jars.ts';
import { type Ask, control, good, person } from '../../support.ts';
import { after, createJob, getRun, JOBS, runNow, task, withoutRates } from '../support.ts';

/** Statements of the published reference about the graph of a run: which tasks run, how tasks that do not run end, and how the run ends. */

const CHECK = { task_key: 'check', condition_task: { op: 'EQUAL_TO', left: '1', right: '1' } };
const other = { depends_on: [{ task_key: 'check', outcome: 'false' }] };

/** Tasks that end in each way; `x` is on the branch that is not taken, `d` is disabled. */
const UPSTREAM = {
  s: [task('s', 'true')],
  t: [task('t', 'true')],
  f: [task('f', 'exit 1')],
  g: [task('g', 'exit 1')],
  x: [CHECK, task('x', 'true', other)],
  y: [CHECK, task('y', 'true', other)],
  d: [task('d', 'true', { disabled: true })],
  // Downstream of a failure: it fails without running.
  u: [task('f', 'exit 1'), task('u', 'true', after('f'))],
} as const;

type Key = keyof typeof UPSTREAM;

const RUN_IF: readonly (readonly [runIf: string, upstream: readonly Key[], expected: string])[] = [
  ['ALL_SUCCESS', ['s', 't'], 'SUCCESS'],
  ['ALL_SUCCESS', ['s', 'f'], 'UPSTREAM_FAILED'],
  ['ALL_SUCCESS', ['s', 'u'], 'UPSTREAM_FAILED'],
  ['ALL_SUCCESS', ['s', 'x'], 'SUCCESS'],
  ['ALL_SUCCESS', ['s', 'd'], 'SUCCESS'],
  ['ALL_SUCCESS', ['x'], 'EXCLUDED'],
  ['ALL_SUCCESS', ['d'], 'EXCLUDED'],
  ['ALL_SUCCESS', ['x', 'f'], 'UPSTREAM_FAILED'],
  ['AT_LEAST_ONE_SUCCESS', ['s', 'f'], 'SUCCESS'],
  ['AT_LEAST_ONE_SUCCESS', ['s', 'x', 'f'], 'SUCCESS'],
  ['AT_LEAST_ONE_SUCCESS', ['f', 'g'], 'UPSTREAM_FAILED'],
  ['AT_LEAST_ONE_SUCCESS', ['x', 'f'], 'UPSTREAM_FAILED'],
  ['AT_LEAST_ONE_SUCCESS', ['x', 'y'], 'EXCLUDED'],
  ['NONE_FAILED', ['s', 'x'], 'SUCCESS'],
  ['NONE_FAILED', ['s', 't'], 'SUCCESS'],
  ['NONE_FAILED', ['s', 'f'], 'UPSTREAM_FAILED'],
  ['NONE_FAILED', ['x', 'y'], 'EXCLUDED'],
  ['ALL_DONE', ['s', 'f', 'x', 'd'], 'SUCCESS'],
  ['ALL_DONE', ['f', 'u'], 'SUCCESS'],
  ['ALL_DONE', ['x', 'y'], 'SUCCESS'],
  ['AT_LEAST_ONE_FAILED', ['s', 'f'], 'SUCCESS'],
  ['AT_LEAST_ONE_FAILED', ['x', 'f'], 'SUCCESS'],
  ['AT_LEAST_ONE_FAILED', ['s', 'x'], 'EXCLUDED'],
  ['AT_LEAST_ONE_FAILED', ['s', 't'], 'EXCLUDED'],
  ['ALL_FAILED', ['f', 'g'], 'SUCCESS'],
  ['ALL_FAILED', ['f', 's'], 'EXCLUDED'],
  ['ALL_FAILED', ['f', 'x'], 'EXCLUDED'],
  ['ALL_FAILED', ['x', 'y'], 'EXCLUDED'],
];

/** The old and the new state of each ending, as paired by the table of the reference. */
const STATES: Readonly<Record<string, readonly [lifeCycle: string, code: string, type: string]>> = {
  SUCCESS: ['TERMINATED', 'SUCCESS', 'SUCCESS'],
  FAILED: ['TERMINATED', 'RUN_EXECUTION_ERROR', 'CLIENT_ERROR'],
  UPSTREAM_FAILED: ['TERMINATED', 'SKIPPED', 'CLIENT_ERROR'],
  EXCLUDED: ['SKIPPED', 'SKIPPED', 'SUCCESS'],
  DISABLED: ['SKIPPED', 'DISABLED', 'SUCCESS'],
};

interface Task {
  readonly task_key: string;
  readonly run_id: number;
  readonly state: { readonly result_state: string; readonly life_cycle_state: string };
  readonly status: { readonly termination_details: { readonly code: string; readonly type: string } };
}

onAnyStore('data platform: what the reference says about graphs of tasks', (bench) => {
  let ask: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
  });

  async function ranTo(tasks: readonly object[], more: object = {}) {
    const { run_id } = await good(ask('POST', `${JOBS}/runs/submit`, { tasks, ...more }));
    await bench.jar.clock.advance('10m');
    return getRun(ask, run_id);
  }

  const distinct = (tasks: readonly { readonly task_key: string }[]) => [
    ...new Map(tasks.map((each) => [each.task_key, each])).values(),
  ];

  it.each(RUN_IF)('run_if %s after %j gives %s', async (run_if, upstream, expected) => {
    const tasks = distinct(upstream.flatMap((key) => [...UPSTREAM[key]]));
    const run = await ranTo([...tasks, task('last', 'true', { ...after(...upstream), run_if })]);
    const found: readonly Task[] = run.tasks;
    const last = found.find(({ task_key }) => task_key === 'last');
    expect(last?.state.result_state).toBe(expected);
    for (const { task_key, state, status } of found) {
      const { code, type } = status.termination_details;
      expect([state.life_cycle_state, code, type], task_key).toEqual(STATES[state.result_state]);
    }
  });

  it.each([
    ['all last tasks succeed', [task('a', 'true'), task('b', 'true')], 'SUCCESS'],
    ['a last task fails', [task('a', 'true'), task('b', 'exit 1')], 'FAILED'],
    [
      'only a task before the last fails',
      [task('a', 'exit 1'), task('b', 'true', { ...after('a'), run_if: 'ALL_DONE' })],
      'SUCCESS_WITH_FAILURES',
    ],
    [
      'the last is left out, and what it waited for succeeded',
      [task('a', 'true'), task('b', 'true', { ...after('a'), run_if: 'ALL_FAILED' })],
      'SUCCESS',
    ],
    [
      'the last is disabled behind a failure',
      [task('a', 'exit 1'), task('b', 'true', { ...after('a'), disabled: true })],
      'FAILED',
    ],
  ] as const)('a run whose %s', async (_what, tasks, expected) => {
    const { state, status } = await ranTo(tasks);
    expect(state).toMatchObject({ life_cycle_state: 'TERMINATED', result_state: expected });
    const code = expected === 'FAILED' ? 'RUN_EXECUTION_ERROR' : expected;
    expect(status).toMatchObject({ state: 'TERMINATED', termination_details: { code } });
    if (expected === 'FAILED') expect(state.state_message).toMatch(/^Task \w failed with message: /);
  });

  it('references resolve as documented, and unknown ones stay unresolved', async () => {
    const names = [
      'job.id',
      'job.name',
      'job.run_id',
      'job.repair_count',
      'job.start_time.iso_date',
      'job.trigger.type',
      'job.parameters.p',
      'task.name',
      'task.run_id',
      'task.execution_count',
      'tasks.first.run_id',
      'tasks.first.result_state',
      'tasks.first.error_code',
      'tasks.bad.result_state',
      'tasks.bad.error_code',
      'tasks.first.values.v',
      'workspace.id',
      'workspace.url',
      'no.such.thing',
    ];
    const parameters = names.map((name) => `{{${name}}}`);
    const job_id = await createJob(ask, {
      name: 'named',
      parameters: [{ name: 'p', default: 'd' }],
      tasks: [
        task('first', `echo '::cloudjar::value {"key":"v","value":[1]}'`),
        task('bad', 'exit 1'),
        {
          task_key: 'last',
          run_if: 'ALL_DONE',
          ...after('first', 'bad'),
          spark_jar_task: { main_class_name: 'M', parameters },
        },
      ],
    });
    const run_id = await runNow(ask, job_id);
    await bench.jar.clock.advance('5m');
    const run = await getRun(ask, run_id, '&include_resolved_values=true');
    const [first, , last] = run.tasks;
    const url = last.resolved_values.spark_jar_task.parameters[17];
    expect(url).toMatch(/^https?:/);
    expect(last.resolved_values.spark_jar_task.parameters).toEqual([
      String(job_id),
      'named',
      String(run_id),
      '0',
      new Date(run.start_time).toISOString().slice(0, 10),
      'onetime',
      'd',
      'last',
      String(last.run_id),
      '1',
      String(first.run_id),
      'success',
      '',
      'failed',
      'RunExecutionError',
      '[1]',
      expect.stringMatching(/^\d+$/),
      url,
      '{{no.such.thing}}',
    ]);
  });

  it('a task value has at most 48 KiB as JSON', async () => {
    const sized = (bytes: number) => `echo '::cloudjar::value {"key":"v","value":"${'x'.repeat(bytes - 2)}"}'`;
    const run = await ranTo(
      [
        task('fits', sized(48 * 1024)),
        task('large', sized(48 * 1024 + 1)),
        {
          task_key: 'last',
          ...after('fits', 'large'),
          condition_task: { op: 'EQUAL_TO', left: '{{tasks.large.values.v}}', right: '{{tasks.fits.values.v}}' },
        },
      ],
      {},
    );
    expect(run.tasks[2].condition_task.outcome).toBe('false');
    const { left, right } = (await getRun(ask, run.run_id, '&include_resolved_values=true')).tasks[2].resolved_values
      .condition_task;
    expect([left, right.length]).toEqual(['{{tasks.large.values.v}}', 48 * 1024 - 2]);
  });

  it('output is cut after 5 MB, and says so', async () => {
    const lines = (count: number) =>
      `x=${'x'.repeat(49_999)}; i=0; while [ $i -lt ${count} ]; do echo $x; i=$((i+1)); done`;
    for (const [count, length, isCut] of [
      [100, 5_000_000, false],
      [110, 5 * 1024 * 1024, true],
    ] as const) {
      const run = await ranTo([task('a', lines(count))]);
      const { logs, logs_truncated } = await good(ask('GET', `${JOBS}/runs/get-output?run_id=${run.tasks[0].run_id}`));
      expect([logs.length, logs_truncated]).toEqual([length, isCut]);
    }
  });
});

onBothStores('data platform: what the reference says about for-each tasks', (bench) => {
  let ask: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
  });

  const forEach = (inputs: unknown, script: string, more: object = {}, ofTask: object = {}) => ({
    task_key: 'each',
    for_each_task: { inputs: JSON.stringify(inputs), task: task('inner', script, ofTask), concurrency: 100, ...more },
  });

  async function ranTo(tasks: readonly object[]) {
    const { run_id } = await good(ask('POST', `${JOBS}/runs/submit`, { tasks }));
    await bench.jar.clock.advance('1h');
    return getRun(ask, run_id, '&include_resolved_values=true');
  }

  const statsOf = (run: { tasks: { for_each_task: { stats: { task_run_stats: object } } }[] }) =>
    run.tasks[0]?.for_each_task.stats.task_run_stats;

  /** All entries, page by page. Later pages contain only arrays that have further entries. */
  async function iterationsOf(run_id: number): Promise<readonly { iteration_index: number; run_id: number }[]> {
    const found = [];
    for (let token = ''; ; ) {
      const page = await getRun(ask, run_id, token === '' ? '' : `&page_token=${token}`);
      expect(page.iterations.length).toBeLessThanOrEqual(100);
      found.push(...page.iterations);
      if (!page.has_more) return found;
      token = page.next_page_token;
    }
  }

  it('there is one iteration for each input, in order, shown by pages of 100, with stats', async () => {
    const inputs = Array.from({ length: 250 }, (_, index) => ({ n: index }));
    const run = await ranTo([forEach(inputs, '[ {{input.n}} != 7 ]')]);
    expect(run.state).toMatchObject({ result_state: 'FAILED' });
    expect(statsOf(run)).toEqual({
      total_iterations: 250,
      scheduled_iterations: 250,
      active_iterations: 0,
      completed_iterations: 250,
      succeeded_iterations: 249,
      failed_iterations: 1,
    });
    expect(run.tasks[0].for_each_task.stats.error_message_stats).toMatchObject([{ count: 1 }]);
    expect(JSON.parse(run.tasks[0].resolved_values.for_each_task.inputs)).toEqual(inputs);
    const iterations = await iterationsOf(run.tasks[0].run_id);
    expect(iterations.map(({ iteration_index }) => iteration_index)).toEqual(inputs.map(({ n }) => n));
    const whole = await good(ask('GET', `/api/2.1/jobs/runs/get?run_id=${run.tasks[0].run_id}`));
    expect(whole.iterations).toHaveLength(250);
  });

  it('a retry repeats only failed iterations', async () => {
    const script = '[ $CLOUDJAR_ATTEMPT -gt 0 ] || [ {{input}} -lt 3 ]';
    const run = await ranTo([{ ...forEach([1, 2, 3, 4], script), max_retries: 1 }]);
    const [each] = run.tasks;
    expect(each).toMatchObject({ attempt_number: 1, state: { result_state: 'FAILED' } });
    // The inner task's attempt count restarts, so 3 and 4 fail again.
    expect(statsOf(run)).toMatchObject({
      total_iterations: 4,
      completed_iterations: 4,
      succeeded_iterations: 2,
      failed_iterations: 2,
    });
    expect((await iterationsOf(each.run_id)).map(({ iteration_index }) => iteration_index)).toEqual([2, 3]);
    expect(JSON.parse(each.resolved_values.for_each_task.inputs)).toEqual([1, 2, 3, 4]);
    const { tasks } = await getRun(ask, run.run_id, '&include_history=true');
    expect((await iterationsOf(tasks[0].run_id)).map(({ iteration_index }) => iteration_index)).toEqual([0, 1, 2, 3]);
  });

  it('so does a repair, unless the inputs are others or all of them had succeeded', async () => {
    const job_id = await createJob(ask, { tasks: [forEach([1, 2, 3], '[ {{input}} != 2 ]')] });
    const run_id = await runNow(ask, job_id);
    await bench.jar.clock.advance('5m');
    let latest_repair_id: number | undefined;
    const repaired = async (inputs: readonly number[], script: string) => {
      await good(ask('POST', `${JOBS}/update`, { job_id, new_settings: { tasks: [forEach(inputs, script)] } }));
      const body = { run_id, rerun_tasks: ['each'], ...(latest_repair_id !== undefined && { latest_repair_id }) };
      latest_repair_id = (await good(ask('POST', `${JOBS}/runs/repair`, body))).repair_id;
      await bench.jar.clock.advance('5m');
      const run = await getRun(ask, run_id);
      const iterations = await iterationsOf(run.tasks[0].run_id);
      return [run.state.result_state, ...iterations.map(({ iteration_index }) => iteration_index)];
    };
    expect(await repaired([1, 2, 3], 'exit 1')).toEqual(['FAILED', 1]);
    expect(await repaired([1, 2, 3], 'true')).toEqual(['SUCCESS', 1]);
    expect(await repaired([1, 2, 3], 'true')).toEqual(['SUCCESS', 0, 1, 2]);
    expect(await repaired([1, 2], '[ {{input}} != 2 ]')).toEqual(['FAILED', 0, 1]);
  });

  it('a cancelled one ends with all its iterations', async () => {
    const { run_id } = await good(
      ask('POST', `${JOBS}/runs/submit`, { tasks: [forEach([1, 2, 3, 4, 5], 'sleep 1000', { concurrency: 2 })] }),
    );
    await bench.jar.settled();
    await good(ask('POST', `${JOBS}/runs/cancel`, { run_id }));
    await bench.jar.settled();
    const run = await getRun(ask, run_id);
    expect(run.state).toMatchObject({ life_cycle_state: 'TERMINATED', result_state: 'CANCELED' });
    const iterations = await iterationsOf(run.tasks[0].run_id);
    expect(iterations).toMatchObject([
      { state: { result_state: 'CANCELED' } },
      { state: { result_state: 'CANCELED' } },
    ]);
    expect(statsOf(run)).toMatchObject({ total_iterations: 5, active_iterations: 0 });
    const { items } = await good(control(bench, 'GET', 'limits?name=platform.running-tasks'));
    expect((items ?? []).every(({ used = 0 }: { used?: number }) => used === 0)).toBe(true);
  });

  it('its inputs go with the run', async () => {
    const run = await ranTo([
      forEach(
        Array.from({ length: 120 }, () => 'x'),
        'true',
      ),
    ]);
    await good(ask('POST', `${JOBS}/runs/delete`, { run_id: run.run_id }));
    await bench.jar.settled();
    expect((await ask('GET', `${JOBS}/runs/get?run_id=${run.tasks[0].run_id}`)).status).toBe(400);
  });
});
