import { beforeEach, expect, it } from 'vitest';
import { type Bench, onAnyStore, onBothStores } from '../../../../support/jars.ts';
import { type Ask, control, good, person, refusal } from '../../support.ts';
import { createJob, getRun, JOBS, runNow, task, withoutRates } from '../support.ts';

const limit = (bench: Bench, name: string, value: number) =>
  control(bench, 'PATCH', 'limits', { name: `platform.${name}`, limit: value });

const many = (count: number) => Array.from({ length: count }, (_, index) => task(`t${index}`));

onBothStores('data platform: jobs', (bench) => {
  let ask: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
  });

  it('saved jobs are limited: the refusal is that of the real service, and a delete makes room', async () => {
    await limit(bench, 'saved-jobs', 2);
    const first = await createJob(ask, {});
    await createJob(ask, {});
    const refused = await ask('POST', `${JOBS}/create`, {});
    expect(refusal(refused)).toEqual({
      status: 400,
      code: 'QUOTA_EXCEEDED',
      message: expect.stringMatching(/^The quota for the number of jobs has been reached\. The current quota is 2\./),
    });
    await good(ask('POST', `${JOBS}/delete`, { job_id: first }));
    await createJob(ask, {});
  });

  it('jobs created within an hour are limited, submitted runs included, and the hour passes', async () => {
    await limit(bench, 'jobs-created', 2);
    await createJob(ask, {});
    await good(ask('POST', `${JOBS}/runs/submit`, { tasks: [task('a')] }));
    for (const [path, body] of [
      ['create', {}],
      ['runs/submit', { tasks: [task('a')] }],
    ] as const)
      expect(refusal(await ask('POST', `${JOBS}/${path}`, body))).toMatchObject({
        status: 400,
        code: 'INVALID_STATE',
        message: expect.stringContaining('There were already 2 jobs created in past 3600 seconds'),
      });
    await bench.jar.clock.advance('61m');
    await createJob(ask, {});
  });

  it('64 calls at once make exactly as many jobs as there may be', async () => {
    await limit(bench, 'saved-jobs', 10);
    const replies = await Promise.all(Array.from({ length: 64 }, () => ask('POST', `${JOBS}/create`, {})));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
    expect((await good(ask('GET', `${JOBS}/list?limit=100`))).jobs).toHaveLength(10);
  });

  it('calls at once with one idempotency token make one run; a deleted run refuses its token', async () => {
    const job_id = await createJob(ask, { tasks: [task('a', 'true')], max_concurrent_runs: 100 });
    const ids = await Promise.all(Array.from({ length: 8 }, () => runNow(ask, job_id, { idempotency_token: 'tok' })));
    expect(new Set(ids).size).toBe(1);
    expect((await good(ask('GET', `${JOBS}/runs/list?job_id=${job_id}`))).runs).toHaveLength(1);
    await bench.jar.clock.advance('1s');
    await good(ask('POST', `${JOBS}/runs/delete`, { run_id: ids[0] }));
    expect(refusal(await ask('POST', `${JOBS}/run-now`, { job_id, idempotency_token: 'tok' }))).toMatchObject({
      status: 400,
      code: 'INVALID_PARAMETER_VALUE',
      message: expect.stringContaining('was deleted'),
    });
    // The token is kept for as long as the run would have been.
    await bench.jar.clock.advance('61d');
    expect(await runNow(ask, job_id, { idempotency_token: 'tok' })).not.toBe(ids[0]);
  });

  it('lists go newest first, by pages in both directions, by offset and by name', async () => {
    const ids: number[] = [];
    for (let index = 0; index < 7; index++) {
      ids.unshift(await createJob(ask, { name: `Job ${index % 2}`, tasks: [task('a')] }));
      await bench.jar.clock.advance(1000);
    }
    const list = (query: string) => good(ask('GET', `${JOBS}/list?${query}`));
    const idsOf = (page: { jobs: { job_id: number }[] }) => page.jobs.map(({ job_id }) => job_id);
    const first = await list('limit=3');
    expect(first.jobs[0]).toMatchObject({ settings: { name: 'Job 0' }, creator_user_name: expect.any(String) });
    expect(first.jobs[0].settings).not.toHaveProperty('tasks');
    expect(first).toMatchObject({ has_more: true });
    expect(first).not.toHaveProperty('prev_page_token');
    const second = await list(`limit=3&page_token=${first.next_page_token}`);
    const third = await list(`limit=3&page_token=${second.next_page_token}`);
    expect([first, second, third].flatMap(idsOf)).toEqual(ids);
    expect(third).toMatchObject({ has_more: false });
    expect(third).not.toHaveProperty('next_page_token');
    const back = await list(`limit=3&page_token=${third.prev_page_token}`);
    expect(idsOf(back)).toEqual(idsOf(second));
    expect(idsOf(await list(`limit=3&page_token=${back.prev_page_token}`))).toEqual(idsOf(first));
    expect(idsOf(await list(`limit=3&page_token=${back.next_page_token}`))).toEqual(idsOf(third));
    expect(idsOf(await list('offset=5'))).toEqual(ids.slice(5));
    expect(idsOf(await list('name=JOB%201'))).toEqual([ids[1], ids[3], ids[5]]);
    expect((await list('limit=1&expand_tasks=true')).jobs[0].settings.tasks).toHaveLength(1);
    for (const [query, message] of [
      ['limit=0', /'limit' must be from 1 to 100/],
      ['limit=101', /'limit' must be from 1 to 100/],
      ['limit=x', /whole number/],
      ['offset=-1', /not be negative/],
      ['page_token=forged', /not a page token of this list/],
      [`name=Job%201&page_token=${first.next_page_token}`, /not a page token of this list/],
    ] as const)
      expect(refusal(await ask('GET', `${JOBS}/list?${query}`))).toMatchObject({
        status: 400,
        code: 'INVALID_PARAMETER_VALUE',
        message: expect.stringMatching(message),
      });
  });

  it('objects of another tenant do not exist, and an invalid change leaves everything unchanged', async () => {
    const job_id = await createJob(ask, { name: 'mine', tasks: [task('a')] });
    const other = await person(bench, 'other');
    expect(refusal(await other('GET', `${JOBS}/get?job_id=${job_id}`))).toMatchObject({
      status: 400,
      code: 'INVALID_PARAMETER_VALUE',
      message: `Job ${job_id} does not exist.`,
    });
    const before = await good(ask('GET', `${JOBS}/get?job_id=${job_id}`));
    expect(
      refusal(await ask('POST', `${JOBS}/update`, { job_id, new_settings: { name: 'x', timeout_seconds: -1 } })),
    ).toMatchObject({ status: 400 });
    expect(await good(ask('GET', `${JOBS}/get?job_id=${job_id}`))).toEqual(before);
    await good(ask('POST', `${JOBS}/reset`, { job_id, new_settings: { name: 'new' } }));
    expect((await good(ask('GET', `${JOBS}/get?job_id=${job_id}`))).settings).toMatchObject({ name: 'new', tasks: [] });
  });
});

onAnyStore('data platform: versions, permissions and errors of jobs', (bench) => {
  let ask: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
  });

  it('version 2.2 pages arrays of more than 100 entries; 2.1 allows 100 tasks and shows all', async () => {
    const parameters = Array.from({ length: 120 }, (_, index) => ({ name: `p${index}`, default: '' }));
    const job_id = await createJob(ask, { tasks: many(250), parameters });
    const pages: { settings: { tasks: object[]; parameters: object[] }; next_page_token?: string }[] = [];
    for (let token: string | undefined = ''; token !== undefined; token = pages.at(-1)?.next_page_token)
      pages.push(await good(ask('GET', `${JOBS}/get?job_id=${job_id}&page_token=${token}`)));
    expect(pages.map(({ settings: { tasks, parameters: shown } }) => [tasks.length, shown.length])).toEqual([
      [100, 100],
      [100, 20],
      [50, 0],
    ]);
    const [listed] = (await good(ask('GET', `${JOBS}/list?expand_tasks=true`))).jobs;
    expect(listed).toMatchObject({ has_more: true });
    expect(listed.settings.tasks).toHaveLength(100);
    expect((await good(ask('GET', `/api/2.1/jobs/get?job_id=${job_id}`))).settings.tasks).toHaveLength(250);
    expect(refusal(await ask('POST', '/api/2.1/jobs/create', { tasks: many(101) }))).toMatchObject({
      status: 400,
      message: expect.stringContaining('more than 100 tasks can only be handled by API 2.2'),
    });
    await good(ask('POST', '/api/2.1/jobs/create', { tasks: many(100) }));
    // A larger job can still be renamed there.
    await good(ask('POST', '/api/2.1/jobs/update', { job_id, new_settings: { name: 'renamed' } }));
    const run_id = await runNow(ask, job_id);
    const run = await getRun(ask, run_id);
    expect(run.tasks).toHaveLength(100);
    const rest = await getRun(ask, run_id, `&page_token=${run.next_page_token}`);
    expect([rest.tasks.length, rest.job_parameters.length]).toEqual([100, 20]);
    expect((await good(ask('GET', `/api/2.1/jobs/runs/get?run_id=${run_id}`))).tasks).toHaveLength(250);
  });

  it('version 2.0 has one task at the top level; the bare paths are those of the rate table', async () => {
    const { cluster_id: existing_cluster_id } = await good(
      ask('POST', '/clusters/create', {
        spark_version: '16.4.x-scala2.12',
        node_type_id: 'Standard_DS3_v2',
        num_workers: 1,
      }),
    );
    await bench.jar.clock.advance('4m');
    const made = await good(
      ask('POST', '/api/2.0/jobs/create', {
        name: 'old',
        existing_cluster_id,
        spark_jar_task: { main_class_name: 'Main', cloudjar: 'true' },
        max_retries: 2,
      }),
    );
    const { job_id } = made;
    expect((await good(ask('GET', `/api/2.0/jobs/get?job_id=${job_id}`))).settings).toMatchObject({
      format: 'SINGLE_TASK',
      existing_cluster_id,
      spark_jar_task: { main_class_name: 'Main' },
      max_retries: 2,
    });
    expect((await good(ask('GET', `//jobs/get?job_id=${job_id}`))).settings).toMatchObject({
      format: 'MULTI_TASK',
      tasks: [{ task_key: 'main', existing_cluster_id }],
    });
    expect((await good(ask('GET', '/api/2.0/jobs/list'))).jobs[0].settings).toHaveProperty('spark_jar_task');
    const { run_id } = await good(ask('POST', '/api/2.0/jobs/run-now', { job_id: String(job_id) }));
    await bench.jar.clock.advance('1s');
    expect(await good(ask('GET', `/api/2.0/jobs/runs/get?run_id=${run_id}`))).toMatchObject({
      task: { spark_jar_task: { main_class_name: 'Main' } },
      cluster_spec: { existing_cluster_id },
    });
    expect(await good(ask('GET', `//jobs/runs/output?run_id=${run_id}`))).toMatchObject({
      metadata: { state: { result_state: 'SUCCESS' } },
    });
    await good(ask('POST', '//jobs/delete', { job_id }));
  });

  it('permissions of a job decide who reads, runs and changes it and its runs', async () => {
    const member = await person(bench, 'licensed');
    const { userName } = await good(member('GET', '/preview/scim/v2/Me'));
    const job_id = await createJob(ask, { name: 'guarded', tasks: [task('a')] });
    const run_id = await runNow(ask, job_id);
    const give = (permission_level: string | undefined) =>
      good(
        ask('PATCH', `/permissions/jobs/${job_id}`, {
          access_control_list: permission_level === undefined ? [] : [{ user_name: userName, permission_level }],
        }),
      );
    const attempts = {
      view: () => member('GET', `${JOBS}/get?job_id=${job_id}`),
      viewRun: () => member('GET', `${JOBS}/runs/get?run_id=${run_id}`),
      run: () => member('POST', `${JOBS}/run-now`, { job_id }),
      change: () => member('POST', `${JOBS}/update`, { job_id, new_settings: { description: 'x' } }),
    };
    const statuses = async () => Promise.all(Object.values(attempts).map(async (attempt) => (await attempt()).status));
    const mine = async () => (await good(member('GET', `${JOBS}/runs/list`))).runs?.length ?? 0;
    expect(await statuses()).toEqual([403, 403, 403, 403]);
    expect(refusal(await attempts.view()).message).toBe(
      `User ${userName} does not have View or Admin or Manage Run or Owner permissions on job ${job_id}`,
    );
    expect(refusal(await attempts.change()).message).toBe(
      `User ${userName} does not have Admin or Owner permissions on job ${job_id}`,
    );
    expect(refusal(await member('GET', `/permissions/jobs/${job_id}`)).message).toBe(
      `${userName} does not have Manage permissions on Job with ID: ElasticJobId(${job_id}). Please contact the owner or an administrator for access.`,
    );
    // Only administrators learn that a job does not exist.
    expect(refusal(await member('GET', `${JOBS}/get?job_id=1`))).toMatchObject({
      status: 403,
      code: 'PERMISSION_DENIED',
    });
    expect(refusal(await ask('GET', `${JOBS}/get?job_id=1`))).toMatchObject({ status: 400 });
    expect((await good(member('GET', `${JOBS}/list`))).jobs).toEqual([]);
    expect(await mine()).toBe(0);
    await give('CAN_VIEW');
    await bench.jar.settled();
    expect(await statuses()).toEqual([200, 200, 403, 403]);
    expect((await good(member('GET', `${JOBS}/list`))).jobs).toHaveLength(1);
    expect(await mine()).toBe(1);
    await give('CAN_MANAGE_RUN');
    expect(await statuses()).toEqual([200, 200, 200, 403]);
    await give('CAN_MANAGE');
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    await good(member('POST', `${JOBS}/delete`, { job_id }));
    expect((await attempts.viewRun()).status).toBe(200);
  });

  it('a job is created with permissions and an identity for its runs', async () => {
    const member = await person(bench, 'licensed');
    const { userName } = await good(member('GET', '/preview/scim/v2/Me'));
    const job_id = await createJob(ask, {
      access_control_list: [{ group_name: 'users', permission_level: 'CAN_VIEW' }],
      run_as: { user_name: userName },
    });
    expect(await good(member('GET', `${JOBS}/get?job_id=${job_id}`))).toMatchObject({
      run_as_user_name: userName,
      run_as_owner: false,
    });
    await good(ask('POST', `${JOBS}/reset`, { job_id, new_settings: { name: 'kept' } }));
    expect(await good(ask('GET', `${JOBS}/get?job_id=${job_id}`))).toMatchObject({
      run_as_user_name: userName,
      settings: { run_as: { user_name: userName } },
    });
    const admin = (await good(ask('GET', '/preview/scim/v2/Me'))).userName;
    const cases: readonly (readonly [Ask, object, number, RegExp])[] = [
      [member, { run_as: { user_name: admin } }, 403, /does not have permission to set run_as/],
      [ask, { run_as: { group_name: 'users' } }, 400, /exactly one of user_name and service_principal_name/],
      [ask, { run_as: { user_name: 'nobody@x.example' } }, 404, /does not exist/],
      [
        ask,
        { access_control_list: [{ user_name: admin, permission_level: 'CAN_FLY' }] },
        400,
        /not a permission level/,
      ],
      [ask, { access_control_list: [{ permission_level: 'CAN_VIEW' }] }, 400, /exactly one of/],
      [
        ask,
        {
          access_control_list: [admin, userName].map((user_name) => ({ user_name, permission_level: 'IS_OWNER' })),
        },
        400,
        /exactly one owner/,
      ],
      [ask, { webhook_notifications: { on_start: [{ id: 'none' }] } }, 400, /destination 'none' does not exist/],
    ];
    for (const [who, body, status, message] of cases)
      expect(refusal(await who('POST', `${JOBS}/create`, body))).toMatchObject({
        status,
        message: expect.stringMatching(message),
      });
  });

  it('every invalid call gets an error that names the mistake', async () => {
    const job_id = await createJob(ask, { tasks: [task('a'), task('b')] });
    const empty = await createJob(ask, {});
    const run_id = await runNow(ask, job_id);
    const cases: readonly (readonly [string, string, unknown, RegExp])[] = [
      ['GET', 'get', undefined, /Missing required field: job_id/],
      ['GET', 'get?job_id=abc', undefined, /'job_id' must be an integer/],
      ['POST', 'delete', {}, /Missing required field: job_id/],
      ['POST', 'delete', [], /the body must be an object/],
      ['POST', 'delete', { job_id: 77 }, /Job 77 does not exist\./],
      ['POST', 'update', { job_id }, /At least one of new_settings and fields_to_remove/],
      ['POST', 'update', { job_id, fields_to_remove: [1] }, /'fields_to_remove\[0\]' must be a string/],
      ['POST', 'reset', { job_id }, /Missing required field: new_settings/],
      ['POST', 'run-now', { job_id: 77 }, /Job 77 does not exist\./],
      ['POST', 'run-now', { job_id: empty }, /no tasks to run/],
      ['POST', 'run-now', { job_id, only: ['z'] }, /only names the task 'z'/],
      ['POST', 'run-now', { job_id, only: [] }, /at least one task/],
      ['GET', 'runs/get?run_id=77', undefined, /Run 77 does not exist\./],
      ['GET', 'runs/get-output?run_id=77', undefined, /Run 77 does not exist\./],
      ['GET', `runs/get-output?run_id=${run_id}`, undefined, /runs with multiple tasks is not supported/],
      ['GET', `runs/export?run_id=${run_id}&views_to_export=NONE`, undefined, /'views_to_export' must be one of/],
      ['GET', 'runs/list?limit=26', undefined, /'limit' must be from 1 to 25/],
      ['GET', 'runs/list?active_only=true&completed_only=true', undefined, /cannot both be true/],
      ['GET', 'runs/list?active_only=yes', undefined, /'active_only' must be a boolean/],
      ['GET', 'runs/list?run_type=OTHER', undefined, /'run_type' must be one of/],
      ['POST', 'runs/cancel', { run_id: 77 }, /Run 77 does not exist\./],
      ['POST', 'runs/cancel-all', {}, /Either job_id or all_queued_runs/],
      ['POST', 'runs/delete', { run_id }, /is active: it is RUNNING/],
      ['POST', 'runs/repair', { run_id, rerun_all_failed_tasks: true }, /is active: it is RUNNING/],
      ['POST', 'runs/repair', { run_id }, /Exactly one of rerun_tasks and rerun_all_failed_tasks/],
      ['POST', 'runs/repair', { run_id, rerun_tasks: ['a'], rerun_all_failed_tasks: true }, /Exactly one of/],
      ['POST', 'runs/submit', {}, /at least one task/],
    ];
    for (const [method, path, body, message] of cases) {
      const found = refusal(await ask(method, `${JOBS}/${path}`, body));
      expect(found, `${path} ${JSON.stringify(body)}`).toMatchObject({
        status: 400,
        message: expect.stringMatching(message),
      });
    }
    const huge = await ask('POST', `${JOBS}/create`, { description: 'x'.repeat(10 * 1024 * 1024) });
    expect(huge.status).toBeGreaterThanOrEqual(400);
    expect(huge.status).toBeLessThan(500);
  });
});
