import { beforeEach, expect, it } from 'vitest';
import { eventually } from '../../../../support/eventually.ts';
import { onBothStores } from '../../../../support/jars.ts';
import { type Ask, control, good, person } from '../../support.ts';
import { createJob, getRun, JOBS, runNow, task, withoutRates } from '../support.ts';

const NAME = 'platform.running-tasks';

interface ShownTask {
  readonly status: { readonly state: string };
}

onBothStores('data platform: room for running tasks', (bench) => {
  let ask: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
  });

  const setLimit = (limit: number) => good(control(bench, 'PATCH', 'limits', [{ name: NAME, limit }]));

  const statesOf = async (run_id: number): Promise<string[]> =>
    (await getRun(ask, run_id)).tasks.map(({ status }: ShownTask) => status.state).sort();

  it('a raised limit starts waiting tasks and queued runs, before any other task ends', async () => {
    await setLimit(2);
    const tasks = ['a', 'b', 'c', 'd'].map((key) => task(key, 'sleep 86400'));
    const first = (await good(ask('POST', `${JOBS}/runs/submit`, { tasks }))).run_id;
    const job_id = await createJob(ask, { tasks: [task('q', 'sleep 86400')], queue: { enabled: true } });
    const queued = await runNow(ask, job_id);
    expect(await statesOf(first)).toEqual(['QUEUED', 'QUEUED', 'RUNNING', 'RUNNING']);
    expect((await getRun(ask, queued)).status.queue_details.code).toBe('ACTIVE_RUNS_LIMIT_REACHED');
    await setLimit(3);
    await eventually(async () => expect(await statesOf(first)).toEqual(['QUEUED', 'RUNNING', 'RUNNING', 'RUNNING']));
    // By a request that an operator approves.
    const increase = { limit: NAME, requested: 100, reason: 'a test' };
    const { id } = await good(ask('POST', '/platform/limit-increases', increase));
    await good(control(bench, 'POST', `platform/limit-increases/${id}/approve`));
    await eventually(async () => {
      expect(await statesOf(first)).toEqual(Array(4).fill('RUNNING'));
      expect((await getRun(ask, queued)).status.state).toBe('RUNNING');
    });
  });
});
