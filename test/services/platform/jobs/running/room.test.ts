import { expect, it } from 'vitest';
import { onBothStores } from '../../../../support/jars.ts';
import { control, good, person } from '../../support.ts';
import { createJob, getRun, runNow, task, withoutRates } from '../support.ts';

onBothStores('data platform: tasks that run', (bench) => {
  const setLimit = (limit: number, scope: Record<string, string> | null = null) =>
    good(control(bench, 'PATCH', 'limits', { name: 'platform.running-tasks', limit, scope }));

  it('begin, as do runs in the queue, as soon as the limit is raised', async () => {
    await withoutRates(bench);
    await setLimit(2);
    const ask = await person(bench);
    const jobId = await createJob(ask, { tasks: ['a', 'b', 'c', 'd'].map((key) => task(key, 'sleep 1000')) });
    const other = await createJob(ask, { tasks: [task('e', 'sleep 1000')], queue: { enabled: true } });
    const runId = await runNow(ask, jobId);
    const queued = await runNow(ask, other);
    const states = async (): Promise<string[]> =>
      ((await getRun(ask, runId)).tasks as { status: { state: string } }[]).map(({ status }) => status.state).sort();
    expect(await states()).toEqual(['QUEUED', 'QUEUED', 'RUNNING', 'RUNNING']);
    expect((await getRun(ask, queued)).status.state).toBe('QUEUED');

    await setLimit(3);
    await bench.jar.settled();
    expect(await states()).toEqual(['QUEUED', 'RUNNING', 'RUNNING', 'RUNNING']);

    await setLimit(10);
    await bench.jar.settled();
    expect(await states()).toEqual(['RUNNING', 'RUNNING', 'RUNNING', 'RUNNING']);
    expect((await getRun(ask, queued)).status.state).toBe('RUNNING');
  });

  it('begin when the limit is raised several times at once, while its changes are looked at', async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    await setLimit(1);
    const ask = await person(bench);
    const tasks = ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => task(key, 'sleep 1000'));
    const runId = await runNow(ask, await createJob(ask, { tasks }));
    const running = async (): Promise<number> =>
      ((await getRun(ask, runId)).tasks as { status: { state: string } }[]).filter(
        ({ status }) => status.state === 'RUNNING',
      ).length;
    expect(await running()).toBe(1);

    // Limits of other workspaces exist too.
    await Promise.all([2, 3, 4].map((limit) => setLimit(limit, { workspace: `elsewhere-${limit}` })));
    await Promise.all([2, 3, 4].map((limit) => setLimit(limit)));
    await setLimit(5);
    await bench.jar.settled();
    expect(await running()).toBe(5);

    const { body } = await control(bench, 'GET', 'limits?name=platform.running-tasks');
    expect(JSON.stringify(body)).toContain('elsewhere-4');
    await setLimit(10);
    // The work item of the change ends and is not repeated.
    await bench.jar.clock.advance('1s');
    expect(await running()).toBe(6);
  });

  it('end by a time limit that their job got while they ran', async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    const ask = await person(bench);
    const settings = { tasks: [task('a', 'sleep 10'), task('b', 'sleep 100')] };
    const job_id = await createJob(ask, settings);
    const runId = await runNow(ask, job_id);
    await bench.jar.clock.advance('11s');
    await good(ask('POST', '/api/2.2/jobs/update', { job_id, new_settings: { timeout_seconds: 60 } }));
    await bench.jar.clock.advance('50s');
    const { status } = await getRun(ask, runId);
    expect(status.termination_details.code).toBe('RUN_EXECUTION_ERROR');
  });
});
