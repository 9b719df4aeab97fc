import { beforeEach, expect, it } from 'vitest';
import { onAnyStore, onBothStores } from '../../../../support/jars.ts';
import { type Ask, good, person, refusal } from '../../support.ts';
import { after, createJob, getRun, JOBS, runNow, runsOf, task, withoutRates } from '../support.ts';

onBothStores('data platform: runs', (bench) => {
  let ask: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
  });

  it('lists show active runs first, then ended ones by their end, by pages in both directions', async () => {
    const job_id = await createJob(ask, {
      tasks: [task('a', 'sleep $N')],
      max_concurrent_runs: 100,
      parameters: [{ name: 'N', default: '1' }],
    });
    // Odd-numbered runs end soon, later numbers first.
    const ids: number[] = [];
    for (let index = 0; index < 8; index++) {
      const N = String(index % 2 === 1 ? 100 - index * 10 : 5000);
      ids.push(await runNow(ask, job_id, { job_parameters: { N } }));
      await bench.jar.clock.advance(1000);
    }
    await bench.jar.clock.advance('5m');
    const [r0, r1, r2, r3, r4, r5, r6, r7] = ids;
    const expected = [r6, r4, r2, r0, r1, r3, r5, r7];
    const list = (query: string) => good(ask('GET', `${JOBS}/runs/list?${query}`));
    const idsOf = (page: { runs?: { run_id: number }[] }) => (page.runs ?? []).map(({ run_id }) => run_id);
    expect(idsOf(await list(`job_id=${job_id}`))).toEqual(expected);
    expect(idsOf(await list('limit=0'))).toEqual(expected);
    expect(idsOf(await list('active_only=true'))).toEqual(expected.slice(0, 4));
    expect(idsOf(await list('completed_only=true'))).toEqual(expected.slice(4));
    expect(idsOf(await list('offset=6'))).toEqual(expected.slice(6));
    expect(idsOf(await list('run_type=SUBMIT_RUN'))).toEqual([]);
    const first = await list('limit=3');
    const second = await list(`limit=3&page_token=${first.next_page_token}`);
    const third = await list(`limit=3&page_token=${second.next_page_token}`);
    expect([first, second, third].flatMap(idsOf)).toEqual(expected);
    expect(third).not.toHaveProperty('next_page_token');
    const back = await list(`limit=3&page_token=${third.prev_page_token}`);
    expect(idsOf(back)).toEqual(idsOf(second));
    expect(idsOf(await list(`limit=3&page_token=${back.prev_page_token}`))).toEqual(idsOf(first));
    const { start_time: from } = await getRun(ask, r4 as number);
    expect(idsOf(await list(`start_time_from=${from}`)).sort()).toEqual([r4, r5, r6, r7].sort());
    expect(idsOf(await list(`start_time_to=${from}`)).sort()).toEqual([r0, r1, r2, r3, r4].sort());
    expect(await list('start_time_from=99999999999999')).toEqual({ has_more: false });
  });

  it('a run that finds no place waits in the queue or is skipped; cancel-all clears both', async () => {
    const job_id = await createJob(ask, { tasks: [task('a', 'sleep 600')] });
    const first = await runNow(ask, job_id);
    const skipped = await runNow(ask, job_id);
    const queued = await runNow(ask, job_id, { queue: { enabled: true } });
    expect(await getRun(ask, skipped)).toMatchObject({
      state: { life_cycle_state: 'SKIPPED', result_state: 'MAXIMUM_CONCURRENT_RUNS_REACHED' },
      status: { termination_details: { code: 'MAX_CONCURRENT_RUNS_EXCEEDED', type: 'CLIENT_ERROR' } },
    });
    expect(await getRun(ask, queued)).toMatchObject({
      state: { life_cycle_state: 'QUEUED', queue_reason: expect.stringContaining('concurrent runs') },
      status: { state: 'QUEUED', queue_details: { code: 'MAX_CONCURRENT_RUNS_REACHED' } },
    });
    await good(ask('POST', `${JOBS}/runs/cancel`, { run_id: first }));
    await bench.jar.settled();
    expect(await getRun(ask, queued)).toMatchObject({ status: { state: 'RUNNING' } });
    const further = await runNow(ask, job_id, { queue: { enabled: true } });
    await good(ask('POST', `${JOBS}/runs/cancel-all`, { all_queued_runs: true }));
    expect(await getRun(ask, further)).toMatchObject({ state: { result_state: 'CANCELED' } });
    expect(await getRun(ask, queued)).toMatchObject({ status: { state: 'RUNNING' } });
    await good(ask('POST', `${JOBS}/runs/cancel-all`, { job_id }));
    await bench.jar.settled();
    expect(await runsOf(ask, job_id, '&active_only=true')).toEqual([]);
    // Cancelling an ended run has no effect.
    await good(ask('POST', `${JOBS}/runs/cancel`, { run_id: skipped }));
    expect(await getRun(ask, skipped)).toMatchObject({ state: { life_cycle_state: 'SKIPPED' } });
  });

  it('tasks, iterations and conditions are shown with their outcomes', async () => {
    const job_id = await createJob(ask, {
      tasks: [
        task('set', `echo '::cloudjar::value {"key":"list","value":["x","y"]}'`),
        {
          task_key: 'check',
          condition_task: { op: 'EQUAL_TO', left: '{{job.parameters.mode}}', right: 'full' },
          ...after('set'),
        },
        { ...task('no'), depends_on: [{ task_key: 'check', outcome: 'false' }] },
        {
          task_key: 'each',
          for_each_task: {
            inputs: '{{tasks.set.values.list}}',
            concurrency: 2,
            task: task('inner', 'echo {{input}}'),
          },
          depends_on: [{ task_key: 'check', outcome: 'true' }],
        },
        task('bad', 'echo oops; exit 3', after('each')),
      ],
      parameters: [{ name: 'mode', default: 'quick' }],
    });
    const run_id = await runNow(ask, job_id, { job_parameters: { mode: 'full' } });
    await bench.jar.clock.advance('5m');
    const run = await getRun(ask, run_id, '&include_resolved_values=true');
    expect(run).toMatchObject({
      state: {
        life_cycle_state: 'TERMINATED',
        result_state: 'FAILED',
        state_message: expect.stringContaining('bad'),
      },
      status: { termination_details: { code: 'RUN_EXECUTION_ERROR', type: 'CLIENT_ERROR' } },
      job_parameters: [{ name: 'mode', default: 'quick', value: 'full' }],
      tasks: [
        { task_key: 'set', state: { result_state: 'SUCCESS' } },
        {
          task_key: 'check',
          condition_task: { outcome: 'true', left: '{{job.parameters.mode}}' },
          resolved_values: { condition_task: { left: 'full', right: 'full' } },
        },
        { task_key: 'no', state: { life_cycle_state: 'SKIPPED', result_state: 'EXCLUDED' } },
        {
          task_key: 'each',
          for_each_task: {
            stats: {
              task_run_stats: {
                total_iterations: 2,
                completed_iterations: 2,
                succeeded_iterations: 2,
                failed_iterations: 0,
                active_iterations: 0,
              },
            },
          },
        },
        { task_key: 'bad', state: { result_state: 'FAILED' } },
      ],
    });
    const each = await getRun(ask, run.tasks[3].run_id);
    expect(each.iterations).toMatchObject([{ input: 'x' }, { input: 'y' }]);
    expect(each).toMatchObject({ run_id: run.tasks[3].run_id, parent_run_id: run_id, job_id });
    const output = (id: number) => good(ask('GET', `${JOBS}/runs/get-output?run_id=${id}`));
    expect(await output(each.iterations[1].run_id)).toMatchObject({ logs: 'y\n' });
    expect(await output(run.tasks[4].run_id)).toMatchObject({ logs: 'oops\n', error: 'oops' });

    expect(refusal(await ask('POST', `${JOBS}/runs/repair`, { run_id, rerun_tasks: ['zzz'] }))).toMatchObject({
      message: expect.stringContaining("'zzz'"),
    });
    await good(
      ask('POST', `${JOBS}/update`, { job_id, new_settings: { tasks: [task('bad', 'echo fine', after('each'))] } }),
    );
    const { repair_id } = await good(
      ask('POST', `${JOBS}/runs/repair`, { run_id, rerun_tasks: ['each'], rerun_dependent_tasks: true }),
    );
    await bench.jar.clock.advance('1m');
    const repaired = await getRun(ask, run_id, '&include_history=true');
    expect(repaired.state).toMatchObject({ result_state: 'SUCCESS' });
    expect(
      repaired.repair_history.map(({ type, task_run_ids }: { type: string; task_run_ids: number[] }) => [
        type,
        task_run_ids.length,
      ]),
    ).toEqual([
      ['ORIGINAL', 5],
      ['REPAIR', 2],
    ]);
    expect(repaired.tasks).toHaveLength(7);
    expect((await getRun(ask, run_id)).tasks).toHaveLength(5);
    const again = { run_id, rerun_tasks: ['set'] };
    for (const latest_repair_id of [undefined, repair_id + 1])
      expect(refusal(await ask('POST', `${JOBS}/runs/repair`, { ...again, latest_repair_id }))).toMatchObject({
        code: 'INVALID_STATE',
        message: `The latest repair of run ${run_id} is ${repair_id}: latest_repair_id must name it.`,
      });
    await good(ask('POST', `${JOBS}/runs/repair`, { ...again, latest_repair_id: repair_id }));
  });

  it('runs are forgotten 60 days after their end, with tasks, outputs and tokens', async () => {
    const job_id = await createJob(ask, { tasks: [task('a', 'echo x')] });
    const run_id = await runNow(ask, job_id, { idempotency_token: 'once' });
    await bench.jar.clock.advance('1m');
    const { tasks } = await getRun(ask, run_id);
    await bench.jar.clock.advance('59d');
    expect((await getRun(ask, run_id)).run_id).toBe(run_id);
    await bench.jar.clock.advance('1d');
    for (const id of [run_id, tasks[0].run_id])
      expect(refusal(await ask('GET', `${JOBS}/runs/get?run_id=${id}`))).toMatchObject({
        message: `Run ${id} does not exist.`,
      });
    expect(await runNow(ask, job_id, { idempotency_token: 'once' })).not.toBe(run_id);
  });
});

onAnyStore('data platform: details of runs', (bench) => {
  let ask: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
  });

  it('a change of the time limit applies to active runs', async () => {
    const job_id = await createJob(ask, { tasks: [task('a', 'sleep 3600')] });
    const run_id = await runNow(ask, job_id);
    await bench.jar.clock.advance('1m');
    await good(ask('POST', `${JOBS}/update`, { job_id, new_settings: { timeout_seconds: 120 } }));
    await bench.jar.clock.advance('61s');
    expect(await getRun(ask, run_id)).toMatchObject({
      state: { life_cycle_state: 'TERMINATED', result_state: 'TIMEDOUT', user_cancelled_or_timedout: true },
      run_duration: 120_000,
    });
  });

  it('a notebook run is exported as a page; others have none', async () => {
    await good(
      ask('POST', '/workspace/import', {
        path: '/Shared/note',
        language: 'PYTHON',
        format: 'SOURCE',
        content: Buffer.from('# cloudjar: echo "<b>"').toString('base64'),
      }),
    );
    const job_id = await createJob(ask, {
      tasks: [{ task_key: 'n', notebook_task: { notebook_path: '/Shared/note', base_parameters: { p: '<i>' } } }],
    });
    const run_id = await runNow(ask, job_id);
    await bench.jar.clock.advance('1m');
    const { views } = await good(ask('GET', `${JOBS}/runs/export?run_id=${run_id}`));
    expect(views).toMatchObject([{ name: 'note', type: 'NOTEBOOK' }]);
    expect(views[0].content).toContain('&lt;i&gt;');
    expect(views[0].content).not.toContain('<i>');
    expect(await good(ask('GET', `${JOBS}/runs/export?run_id=${run_id}&views_to_export=DASHBOARDS`))).toEqual({
      views: [],
    });
    // The export contains the executed cells, even if the notebook was changed or deleted since, and can be imported.
    expect(views[0].content).toContain('# cloudjar: echo &quot;&lt;b&gt;&quot;');
    await good(ask('POST', '/workspace/delete', { path: '/Shared/note' }));
    const [again] = (await good(ask('GET', `${JOBS}/runs/export?run_id=${run_id}`))).views;
    const content = Buffer.from(again.content).toString('base64');
    await good(ask('POST', '/workspace/import', { path: '/Shared/back', format: 'HTML', content }));
    const back = await good(ask('GET', '/workspace/export?path=/Shared/back&format=SOURCE'));
    expect(Buffer.from(back.content, 'base64').toString()).toContain('# cloudjar: echo "<b>"');
    // With several tasks, each notebook is a view.
    const several = await runNow(
      ask,
      await createJob(ask, {
        tasks: [
          { task_key: 'b', notebook_task: { notebook_path: '/Shared/back' } },
          { task_key: 'c', notebook_task: { notebook_path: '/Shared/gone' } },
          task('a', 'true'),
        ],
      }),
    );
    await bench.jar.settled();
    const ofSeveral = await good(ask('GET', `${JOBS}/runs/export?run_id=${several}&views_to_export=ALL`));
    expect(ofSeveral.views).toMatchObject([
      { name: 'back', content: expect.stringContaining('cloudjar') },
      { name: 'gone', content: expect.stringContaining('does not exist') },
    ]);
    const other = await runNow(ask, await createJob(ask, { tasks: [task('a')] }));
    expect(refusal(await ask('GET', `${JOBS}/runs/export?run_id=${other}`))).toMatchObject({
      status: 400,
      message: expect.stringContaining('no notebook to export'),
    });
  });

  it('output explains if a simulated program has no script, or if the shell does not know a command', async () => {
    const put = (name: string, text: string) =>
      good(
        ask('POST', '/workspace/import', {
          path: `/Shared/${name}`,
          format: 'RAW',
          content: Buffer.from(text).toString('base64'),
        }),
      );
    await put('silent.py', 'print(1)');
    await put('told.py', '# cloudjar: sleep 10');
    const python = (key: string, file: string) => ({
      task_key: key,
      spark_python_task: { python_file: `/Shared/${file}`, parameters: ['x'] },
    });
    const told = [python('told', 'told.py'), task('script', 'true')];
    const unknown = [task('unknown', 'pip install it'), task('pipe', 'cat a | sort')];
    const silent = [python('silent', 'silent.py'), { task_key: 'jar', spark_jar_task: { main_class_name: 'Main' } }];
    const run_id = await runNow(ask, await createJob(ask, { tasks: [...told, ...silent, ...unknown] }));
    await bench.jar.clock.advance('1m');
    const { tasks } = await getRun(ask, run_id);
    const infos = await Promise.all(
      tasks.map(async (each: { run_id: number; task_key: string }) => {
        const { info } = await good(ask('GET', `${JOBS}/runs/get-output?run_id=${each.run_id}`));
        return [each.task_key, info];
      }),
    );
    const hint = expect.stringContaining('# cloudjar:');
    const shell = expect.stringContaining('no pipes');
    expect(Object.fromEntries(infos)).toEqual({
      told: undefined,
      script: undefined,
      silent: hint,
      jar: hint,
      unknown: shell,
      pipe: shell,
    });
    const failed = tasks.find((each: { task_key: string }) => each.task_key === 'unknown');
    expect(failed.state).toMatchObject({ result_state: 'FAILED', state_message: 'sh: pip: not found' });
  });

  it('a path that cannot be one, or is in a remote repository, fails its task and not the run of the others', async () => {
    const job_id = await createJob(ask, {
      schedule: { quartz_cron_expression: '0 0 * * * ?', timezone_id: 'UTC' },
      git_source: { git_url: 'file:///srv/etl', git_provider: 'gitHub', git_branch: 'main' },
      tasks: [
        { task_key: 'relative', notebook_task: { notebook_path: 'etl/load', source: 'WORKSPACE' } },
        { task_key: 'remote', notebook_task: { notebook_path: 'etl/load', source: 'GIT' } },
        task('other', 'true'),
      ],
    });
    await bench.jar.clock.advance('61m');
    const [run] = await runsOf(ask, job_id, '&expand_tasks=true');
    expect(run.tasks).toMatchObject([
      { task_key: 'relative', state: { result_state: 'FAILED', state_message: expect.stringContaining('absolute') } },
      {
        task_key: 'remote',
        state: { result_state: 'FAILED', state_message: expect.stringContaining('may not be used') },
      },
      { task_key: 'other', state: { result_state: 'SUCCESS' } },
    ]);
  });

  it('only named tasks run, and the parameters of a call are shown', async () => {
    const job_id = await createJob(ask, { tasks: [task('a', 'true'), task('b', 'true', after('a'))] });
    const run_id = await runNow(ask, job_id, { only: ['b'], jar_params: ['1', '2'] });
    await bench.jar.clock.advance('1m');
    const run = await getRun(ask, run_id);
    expect(run.overriding_parameters).toEqual({ jar_params: ['1', '2'] });
    expect(run.tasks.map((each: { state: { result_state: string } }) => each.state.result_state)).toContain('SUCCESS');
  });
});
