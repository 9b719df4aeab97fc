import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../../support/jars.ts';
import { type Ask, good, person, refusal } from '../../support.ts';
import { after, createJob, getRun, JOBS, runNow, task, withoutRates } from '../support.ts';

/** Statements of the published reference about responses: members, defaults, versions, states, repairs and permissions. */

const many = (count: number) => Array.from({ length: count }, (_, index) => task(`t${index}`, 'true'));
const numbered = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index));

onAnyStore('data platform: what the reference says about answers of jobs', (bench) => {
  let ask: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
  });

  const lengths = (members: Readonly<Record<string, readonly unknown[] | undefined>>, ...names: readonly string[]) =>
    names.map((name) => members[name]?.length);

  it('a job has the settings of its creation and the defaults of the server', async () => {
    const { userName } = await good(ask('GET', '/preview/scim/v2/Me'));
    const notebook = { task_key: 'n', notebook_task: { notebook_path: '/n' } };
    const tasks = [notebook, task('b', '', after('n')), task('c', '', after('n', 'b'))];
    const job_id = await createJob(ask, { tasks: [...tasks.slice(0, 2), { ...tasks[2], ...after('n', 'b') }] });
    const job = await good(ask('GET', `${JOBS}/get?job_id=${job_id}`));
    expect(job).toEqual({
      job_id,
      creator_user_name: userName,
      run_as_user_name: userName,
      run_as_owner: true,
      created_time: expect.any(Number),
      settings: {
        name: 'Untitled',
        format: 'MULTI_TASK',
        email_notifications: {},
        webhook_notifications: {},
        timeout_seconds: 0,
        max_concurrent_runs: 1,
        tasks: [
          {
            task_key: 'n',
            notebook_task: { notebook_path: '/n', source: 'WORKSPACE' },
            run_if: 'ALL_SUCCESS',
            timeout_seconds: 0,
            email_notifications: {},
          },
          expect.objectContaining({ depends_on: [{ task_key: 'n' }] }),
          expect.objectContaining({ depends_on: [{ task_key: 'b' }, { task_key: 'n' }] }),
        ],
      },
    });
  });

  it.each(['2.0', '2.1'])('version %s has at most 100 tasks in a job, and no pages of arrays', async (version) => {
    const path = `/api/${version}/jobs`;
    await good(ask('POST', `${path}/create`, { tasks: many(100) }));
    for (const [operation, body] of [
      ['create', { tasks: many(101) }],
      ['runs/submit', { tasks: many(101) }],
    ] as const)
      expect(refusal(await ask('POST', `${path}/${operation}`, body))).toEqual({
        status: 400,
        code: 'INVALID_PARAMETER_VALUE',
        message: expect.stringContaining('more than 100 tasks can only be handled by API 2.2 and above'),
      });
    const job_id = await createJob(ask, { tasks: many(150) });
    const whole = await good(ask('GET', `${path}/get?job_id=${job_id}`));
    expect(whole.settings.tasks).toHaveLength(150);
    expect(whole).not.toHaveProperty('next_page_token');
    expect(whole).not.toHaveProperty('has_more');
  });

  it('version 2.2 pages every array of a job of more than 100 entries; those that are exhausted are empty', async () => {
    const job_id = await createJob(ask, {
      tasks: many(250),
      parameters: numbered(150, (index) => ({ name: `p${index}`, default: '' })),
      environments: numbered(120, (index) => ({ environment_key: `e${index}`, spec: {} })),
      job_clusters: numbered(100, (index) => ({ job_cluster_key: `c${index}`, new_cluster: {} })),
    });
    const names = ['tasks', 'parameters', 'environments', 'job_clusters'];
    const pages = [];
    for (let token = ''; ; ) {
      const page = await good(ask('GET', `${JOBS}/get?job_id=${job_id}&page_token=${token}`));
      pages.push([page.has_more ?? false, ...lengths(page.settings, ...names)]);
      if (page.next_page_token === undefined) break;
      token = page.next_page_token;
    }
    expect(pages).toEqual([
      [true, 100, 100, 100, 100],
      [true, 100, 50, 20, 0],
      [false, 50, 0, 0, 0],
    ]);
    const [listed] = (await good(ask('GET', `${JOBS}/list?expand_tasks=true`))).jobs;
    expect([listed.has_more, ...lengths(listed.settings, ...names)]).toEqual([true, 100, 100, 100, 100]);
    const [short] = (await good(ask('GET', `${JOBS}/list`))).jobs;
    expect(lengths(short.settings, 'tasks', 'job_clusters')).toEqual([undefined, undefined]);
    const run_id = await runNow(ask, job_id);
    await bench.jar.clock.advance('1m');
    const first = await getRun(ask, run_id);
    expect([first.has_more, ...lengths(first, 'tasks', 'job_parameters', 'job_clusters')]).toEqual([
      true,
      100,
      100,
      100,
    ]);
    const second = await getRun(ask, run_id, `&page_token=${first.next_page_token}`);
    expect(lengths(second, 'tasks', 'job_parameters', 'job_clusters')).toEqual([100, 50, 0]);
    const [inList] = (await good(ask('GET', `${JOBS}/runs/list?expand_tasks=true`))).runs;
    expect([inList.has_more, ...lengths(inList, 'tasks')]).toEqual([true, 100]);
    const foreign = await ask('GET', `${JOBS}/get?job_id=${job_id}&page_token=${first.next_page_token}`);
    expect(refusal(foreign)).toMatchObject({ status: 400, code: 'INVALID_PARAMETER_VALUE' });
  });

  it('version 2.0 has the task at the top level, and lists without pages', async () => {
    const { job_id } = await good(
      ask('POST', '/api/2.0/jobs/create', { name: 'old', spark_jar_task: { main_class_name: 'M' } }),
    );
    const old = await good(ask('GET', `/api/2.0/jobs/get?job_id=${job_id}`));
    expect(old.settings).toMatchObject({ format: 'SINGLE_TASK', spark_jar_task: { main_class_name: 'M' } });
    expect(old.settings).not.toHaveProperty('tasks');
    const current = await good(ask('GET', `${JOBS}/get?job_id=${job_id}`));
    expect(current.settings).toMatchObject({ format: 'MULTI_TASK', tasks: [{ spark_jar_task: {} }] });
    for (let index = 0; index < 25; index++) await createJob(ask, {});
    const { jobs, ...rest } = await good(ask('GET', '/api/2.0/jobs/list'));
    expect([jobs.length, rest]).toEqual([26, {}]);
    expect(lengths(await good(ask('GET', '/api/2.1/jobs/list')), 'jobs')).toEqual([20]);
  });

  it('a run has every member, from its start to its end', async () => {
    const job_id = await createJob(ask, {
      name: 'j',
      tasks: [task('a', 'sleep 10'), task('b', 'sleep 5', after('a'))],
    });
    const run_id = await runNow(ask, job_id, { jar_params: ['x'] });
    const running = await getRun(ask, run_id);
    expect(running).toMatchObject({
      run_id,
      job_id,
      number_in_job: 1,
      run_name: 'j',
      run_type: 'JOB_RUN',
      trigger: 'ONE_TIME',
      end_time: 0,
      setup_duration: 0,
      execution_duration: 0,
      cleanup_duration: 0,
      attempt_number: 0,
      original_attempt_run_id: run_id,
      overriding_parameters: { jar_params: ['x'] },
      state: { life_cycle_state: 'RUNNING', state_message: '', user_cancelled_or_timedout: false },
      status: { state: 'RUNNING' },
      tasks: [
        { task_key: 'a', state: { life_cycle_state: 'RUNNING' }, status: { state: 'RUNNING' }, attempt_number: 0 },
        { task_key: 'b', state: { life_cycle_state: 'BLOCKED' }, status: { state: 'BLOCKED' }, end_time: 0 },
      ],
    });
    expect(running.state).not.toHaveProperty('result_state');
    expect(running.run_page_url).toMatch(new RegExp(`^https?://[^/]+/\\?o=\\d+#job/${job_id}/run/${run_id}$`));
    await bench.jar.clock.advance('1m');
    const ended = await getRun(ask, run_id);
    expect(ended).toMatchObject({
      run_duration: 15_000,
      state: { life_cycle_state: 'TERMINATED', result_state: 'SUCCESS' },
    });
    expect(ended.end_time - ended.start_time).toBe(15_000);
  });

  it('a task that waits for its next attempt is WAITING_FOR_RETRY; attempts are of one origin', async () => {
    const more = { max_retries: 1, min_retry_interval_millis: 60_000 };
    const { run_id } = await good(ask('POST', `${JOBS}/runs/submit`, { tasks: [task('a', 'exit 1', more)] }));
    await bench.jar.clock.advance('1s');
    const waiting = await getRun(ask, run_id, '&include_history=true');
    expect(waiting.tasks).toMatchObject([
      { attempt_number: 0, state: { life_cycle_state: 'TERMINATED', result_state: 'FAILED' } },
      { attempt_number: 1, state: { life_cycle_state: 'WAITING_FOR_RETRY' }, status: { state: 'WAITING' } },
    ]);
    const [first, second] = waiting.tasks;
    expect(second.original_attempt_run_id).toBe(first.run_id);
    expect(await getRun(ask, second.run_id)).toMatchObject({ trigger: 'RETRY', parent_run_id: run_id });
  });

  it('a run beyond max_concurrent_runs is skipped, of a job with 0 each one', async () => {
    const job_id = await createJob(ask, { tasks: [task('a')], max_concurrent_runs: 0 });
    expect(await getRun(ask, await runNow(ask, job_id))).toMatchObject({
      state: { life_cycle_state: 'SKIPPED', result_state: 'MAXIMUM_CONCURRENT_RUNS_REACHED' },
      status: {
        state: 'TERMINATED',
        termination_details: { code: 'MAX_CONCURRENT_RUNS_EXCEEDED', type: 'CLIENT_ERROR' },
      },
    });
  });

  it('a queued run waits for 48 hours at most, the oldest begins first, and a deleted job leaves its runs', async () => {
    const job_id = await createJob(ask, { tasks: [task('a', 'sleep 1000000')], queue: { enabled: true } });
    const [active, second, third] = [await runNow(ask, job_id), await runNow(ask, job_id), await runNow(ask, job_id)];
    await good(ask('POST', `${JOBS}/runs/cancel`, { run_id: active }));
    await bench.jar.settled();
    expect((await getRun(ask, second)).status.state).toBe('RUNNING');
    expect((await getRun(ask, third)).state).toMatchObject({
      life_cycle_state: 'QUEUED',
      queue_reason: expect.any(String),
    });
    await good(ask('POST', `${JOBS}/delete`, { job_id }));
    expect((await getRun(ask, second)).status.state).toBe('RUNNING');
    await bench.jar.clock.advance('49h');
    expect(await getRun(ask, third)).toMatchObject({
      state: { life_cycle_state: 'SKIPPED' },
      status: { termination_details: { code: 'SKIPPED', type: 'SUCCESS' } },
    });
  });

  it('a repair keeps the run, makes new task runs of the current settings, and is in the history', async () => {
    const job_id = await createJob(ask, {
      tasks: [task('a', 'true'), task('b', 'sleep 5; exit 1', after('a')), task('c', 'true', after('b'))],
      parameters: [{ name: 'p', default: '1' }],
    });
    const run_id = await runNow(ask, job_id);
    const repair = (body: object) => ask('POST', `${JOBS}/runs/repair`, { run_id, ...body });
    const refused = async (body: object) => refusal(await repair(body));
    await bench.jar.clock.advance('1m');
    const before = await getRun(ask, run_id, '&include_history=true');
    expect(before.repair_history).toMatchObject([
      { type: 'ORIGINAL', end_time: before.end_time, state: { result_state: 'FAILED' } },
    ]);
    expect(before.repair_history[0]).not.toHaveProperty('id');
    expect((await getRun(ask, run_id)).repair_history).toBeUndefined();
    expect(await refused({ rerun_tasks: ['b'], latest_repair_id: 7 })).toMatchObject({
      status: 400,
      code: 'INVALID_STATE',
    });
    expect(await refused({ rerun_tasks: ['z'] })).toMatchObject({ status: 400, code: 'INVALID_PARAMETER_VALUE' });
    const { repair_id } = await good(repair({ rerun_all_failed_tasks: true, job_parameters: { p: '2' } }));
    expect(await refused({ rerun_tasks: ['b'], latest_repair_id: repair_id })).toMatchObject({ status: 400 });
    await bench.jar.clock.advance('1m');
    expect(await refused({ rerun_tasks: ['b'] })).toMatchObject({ status: 400, code: 'INVALID_STATE' });
    await good(ask('POST', `${JOBS}/update`, { job_id, new_settings: { tasks: [task('b', 'true', after('a'))] } }));
    const again = { rerun_tasks: ['b'], rerun_dependent_tasks: true, latest_repair_id: repair_id };
    const second = await good(repair(again));
    await bench.jar.clock.advance('1m');
    const run = await getRun(ask, run_id, '&include_history=true');
    expect(run).toMatchObject({
      run_id,
      state: { result_state: 'SUCCESS' },
      job_parameters: [{ name: 'p', default: '1', value: '2' }],
      repair_history: [
        { type: 'ORIGINAL', state: { result_state: 'FAILED' } },
        { type: 'REPAIR', id: repair_id, state: { result_state: 'FAILED' }, status: { state: 'TERMINATED' } },
        { type: 'REPAIR', id: second.repair_id, state: { result_state: 'SUCCESS' } },
      ],
    });
    const attempts = run.tasks.map((each: { task_key: string; attempt_number: number }) => [
      each.task_key,
      each.attempt_number,
    ]);
    expect(attempts).toEqual([
      ['a', 0],
      ['b', 0],
      ['b', 1],
      ['b', 2],
      ['c', 0],
      ['c', 1],
      ['c', 2],
    ]);
    expect(run.repair_history[2].task_run_ids).toEqual([run.tasks[3].run_id, run.tasks[6].run_id]);
  });

  it('a caller without permission is refused with the message of the service, before learning what exists', async () => {
    const member = await person(bench, 'licensed');
    const { userName } = await good(member('GET', '/preview/scim/v2/Me'));
    const job_id = await createJob(ask, { tasks: [task('a')] });
    const message = async (method: string, path: string, body?: object) => refusal(await member(method, path, body));
    const denied = (text: string) => ({ status: 403, code: 'PERMISSION_DENIED', message: text });
    for (const id of [job_id, 77]) {
      expect(await message('GET', `${JOBS}/get?job_id=${id}`)).toEqual(
        denied(`User ${userName} does not have View or Admin or Manage Run or Owner permissions on job ${id}`),
      );
      for (const [operation, body] of [
        ['delete', {}],
        ['reset', { new_settings: {} }],
      ] as const)
        expect(await message('POST', `${JOBS}/${operation}`, { job_id: id, ...body })).toEqual(
          denied(`User ${userName} does not have Admin or Owner permissions on job ${id}`),
        );
      expect(await message('GET', `/permissions/jobs/${id}`)).toMatchObject(
        denied(
          expect.stringMatching(
            new RegExp(`^${userName} does not have Manage permissions on Job with ID: ElasticJobId\\(${id}\\)\\.`),
          ),
        ),
      );
    }
    expect(refusal(await ask('GET', `${JOBS}/get?job_id=77`))).toEqual({
      status: 400,
      code: 'INVALID_PARAMETER_VALUE',
      message: 'Job 77 does not exist.',
    });
    expect(refusal(await ask('GET', `${JOBS}/runs/get?run_id=77`))).toEqual({
      status: 400,
      code: 'INVALID_PARAMETER_VALUE',
      message: 'Run 77 does not exist.',
    });
  });
});
