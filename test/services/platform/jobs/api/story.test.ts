import { type jobs, WorkspaceClient } from '@databricks/sdk-experimental';
import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../../support/jars.ts';
import { task, withoutRates } from '../support.ts';

onBothStores('data platform: jobs by the published client', (bench) => {
  let client: WorkspaceClient;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    client = new WorkspaceClient({
      host: bench.jar.url,
      token: await bench.jar.token({ user: 'admin', ttl: '3650d' }),
    });
  });

  async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
    const found: T[] = [];
    for await (const each of list) found.push(each);
    return found;
  }

  const taskOf = (key: string, script?: string, more: object = {}): jobs.Task => task(key, script, more) as jobs.Task;

  it('a job is created, listed, changed, run to its end and cancelled', async () => {
    const { job_id } = await client.jobs.create({
      name: 'Nightly',
      tasks: [
        taskOf('load', 'echo loaded; sleep 30'),
        taskOf('report', 'sleep 5', { depends_on: [{ task_key: 'load' }] }),
      ],
      tags: { team: 'data' },
    });
    const id = job_id as number;
    const job = await client.jobs.get({ job_id: id });
    expect(job).toMatchObject({
      job_id: id,
      creator_user_name: expect.stringContaining('@'),
      settings: {
        name: 'Nightly',
        format: 'MULTI_TASK',
        max_concurrent_runs: 1,
        timeout_seconds: 0,
        email_notifications: {},
        webhook_notifications: {},
        tasks: [
          { task_key: 'load', run_if: 'ALL_SUCCESS', timeout_seconds: 0 },
          { task_key: 'report', depends_on: [{ task_key: 'load' }] },
        ],
      },
    });
    expect((await all(client.jobs.list({ name: 'NIGHTLY' }))).map((each) => each.job_id)).toEqual([id]);
    await client.jobs.update({
      job_id: id,
      new_settings: { name: 'Hourly', tasks: [taskOf('report', 'sleep 7', { depends_on: [{ task_key: 'load' }] })] },
      fields_to_remove: ['tags'],
    });
    const changed = (await client.jobs.get({ job_id: id })).settings;
    expect(changed).toMatchObject({ name: 'Hourly', tasks: [{ task_key: 'load' }, { task_key: 'report' }] });
    expect(changed).not.toHaveProperty('tags');

    const waiter = await client.jobs.runNow({ job_id: id, idempotency_token: 'first' });
    const run_id = waiter.run_id as number;
    expect((await client.jobs.runNow({ job_id: id, idempotency_token: 'first' })).run_id).toBe(run_id);
    expect(await client.jobs.getRun({ run_id })).toMatchObject({
      run_id,
      job_id: id,
      number_in_job: 1,
      run_name: 'Hourly',
      run_type: 'JOB_RUN',
      trigger: 'ONE_TIME',
      state: { life_cycle_state: 'RUNNING' },
      status: { state: 'RUNNING' },
      end_time: 0,
      run_page_url: expect.stringMatching(/\/\?o=\d+#job\/\d+\/run\/\d+$/),
      tasks: [
        { task_key: 'load', state: { life_cycle_state: 'RUNNING' } },
        { task_key: 'report', state: { life_cycle_state: 'BLOCKED' } },
      ],
    });
    await bench.jar.clock.advance('1m');
    const ended = await client.jobs.getRun({ run_id });
    expect(ended).toMatchObject({
      state: { life_cycle_state: 'TERMINATED', result_state: 'SUCCESS' },
      status: { state: 'TERMINATED', termination_details: { code: 'SUCCESS', type: 'SUCCESS' } },
      run_duration: 37_000,
      tasks: [{ execution_duration: 30_000 }, { execution_duration: 7_000 }],
    });
    const load = ended.tasks?.[0]?.run_id as number;
    expect(await client.jobs.getRunOutput({ run_id: load })).toMatchObject({
      metadata: { run_id: load },
      logs: 'loaded\n',
    });
    const [listed] = await all(client.jobs.listRuns({ job_id: id, expand_tasks: true, completed_only: true }));
    expect(listed).toMatchObject({ run_id, tasks: [{ task_key: 'load' }, { task_key: 'report' }] });

    const second = (await client.jobs.runNow({ job_id: id })).run_id as number;
    await client.jobs.cancelRun({ run_id: second });
    await bench.jar.settled();
    expect(await client.jobs.getRun({ run_id: second })).toMatchObject({
      number_in_job: 2,
      state: { life_cycle_state: 'TERMINATED', result_state: 'CANCELED', user_cancelled_or_timedout: true },
      status: { termination_details: { code: 'USER_CANCELED' } },
    });
    const { repair_id } = await client.jobs.repairRun({ run_id: second, rerun_all_failed_tasks: true });
    await bench.jar.clock.advance('1m');
    expect(await client.jobs.getRun({ run_id: second, include_history: true })).toMatchObject({
      state: { result_state: 'SUCCESS' },
      repair_history: [
        { type: 'ORIGINAL', state: { result_state: 'CANCELED' } },
        { type: 'REPAIR', id: repair_id, state: { result_state: 'SUCCESS' } },
      ],
    });
    await client.jobs.deleteRun({ run_id: second });
    await expect(client.jobs.getRun({ run_id: second })).rejects.toThrow(/Run \d+ does not exist/);
    await client.jobs.delete({ job_id: id });
    await expect(client.jobs.get({ job_id: id })).rejects.toThrow(/Job \d+ does not exist/);
    expect((await client.jobs.getRun({ run_id })).run_id).toBe(run_id);
  });

  it('a run is submitted without a job, and belongs to its submitter', async () => {
    const { run_id } = await client.jobs.submit({
      run_name: 'Once',
      tasks: [taskOf('only', 'echo hello')] as jobs.SubmitTask[],
    });
    await bench.jar.clock.advance('1s');
    const run = await client.jobs.getRun({ run_id: run_id as number });
    expect(run).toMatchObject({ run_type: 'SUBMIT_RUN', run_name: 'Once', state: { result_state: 'SUCCESS' } });
    expect(run).not.toHaveProperty('job_id');
    // The output of a run with one task can be asked for by the run itself.
    expect(await client.jobs.getRunOutput({ run_id: run_id as number })).toMatchObject({ logs: 'hello\n' });
    const other = new WorkspaceClient({
      host: bench.jar.url,
      token: await bench.jar.token({ user: 'licensed', ttl: '1d' }),
    });
    await expect(other.jobs.getRun({ run_id: run_id as number })).rejects.toThrow(/does not have View/);
    expect(await all(other.jobs.listRuns({}))).toEqual([]);
  });
});
