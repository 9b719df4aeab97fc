import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { createJob, getRun, JOBS, runNow } from '../jobs/support.ts';
import { type Ask, good, person, REAL_TIMES, withoutRates } from '../support.ts';
import { createPipeline, getPipeline, getUpdate, scripted, startUpdate, updatesOf } from './support.ts';

onAnyStore(
  'data platform: tasks of jobs that run pipelines',
  (bench) => {
    let ask: Ask;

    beforeEach(async () => {
      await bench.jar.reset();
      await withoutRates(bench);
      ask = await person(bench);
    });

    const jobFor = (pipeline_id: string, more: object = {}, task: object = {}) =>
      createJob(ask, {
        name: 'refresh',
        parameters: [{ name: 'day', default: '2026-01-01' }],
        tasks: [{ task_key: 'p', pipeline_task: { pipeline_id, ...more }, ...task }],
      });

    it('a task runs an update and ends with it', async () => {
      const id = await createPipeline(ask, scripted('good', 'sleep 60'));
      const parameters = { day: '{{job.parameters.day}}' };
      const job = await jobFor(id, { full_refresh: true, parameters });
      const run = await runNow(ask, job);
      await bench.jar.clock.advance('1s');
      const [update] = await updatesOf(ask, id);
      expect(update).toMatchObject({ cause: 'JOB_TASK', full_refresh: true, parameters: { day: '2026-01-01' } });
      expect(await getRun(ask, run)).toMatchObject({ state: { life_cycle_state: 'RUNNING' } });
      await bench.jar.clock.advance('10m');
      expect(await getRun(ask, run)).toMatchObject({ state: { result_state: 'SUCCESS' } });
      expect(await getUpdate(ask, id, update?.update_id ?? '')).toMatchObject({ state: 'COMPLETED' });
    });

    it('a failed update fails the task, which its job tries again; the pipeline does not', async () => {
      const script = '[ -n "$never" ] || { echo "bad rows" >&2; exit 3; }';
      const id = await createPipeline(ask, scripted('bad', script, { development: false }));
      const run = await runNow(ask, await jobFor(id, {}, { max_retries: 1 }));
      await bench.jar.clock.advance('1h');
      expect(await updatesOf(ask, id)).toMatchObject([
        { state: 'FAILED', cause: 'JOB_TASK' },
        { state: 'FAILED', cause: 'JOB_TASK' },
      ]);
      const { tasks, state } = await getRun(ask, run);
      expect(state).toMatchObject({ result_state: 'FAILED' });
      const last = tasks.at(-1);
      expect(last).toMatchObject({ state: { result_state: 'FAILED', state_message: 'cloudjar: bad rows' } });
      expect(await good(ask('GET', `${JOBS}/runs/get-output?run_id=${last.run_id}`))).toMatchObject({
        error: 'cloudjar: bad rows',
      });
    });

    it('a cancelled run stops the update, and a stopped update cancels the task', async () => {
      const id = await createPipeline(ask, scripted('long', 'sleep 100000'));
      const job = await jobFor(id);
      const first = await runNow(ask, job);
      await bench.jar.clock.advance('5m');
      expect(await getPipeline(ask, id)).toMatchObject({ state: 'RUNNING' });
      await good(ask('POST', `${JOBS}/runs/cancel`, { run_id: first }));
      await bench.jar.clock.advance('1m');
      expect(await getRun(ask, first)).toMatchObject({ state: { result_state: 'CANCELED' } });
      expect(await getPipeline(ask, id)).toMatchObject({ state: 'IDLE' });

      const second = await runNow(ask, job);
      await bench.jar.clock.advance('5m');
      await good(ask('POST', `/pipelines/${id}/stop`));
      await bench.jar.clock.advance('1m');
      expect(await getRun(ask, second)).toMatchObject({ state: { result_state: 'CANCELED' } });
    });

    it('a task that takes too long times out, and its update stops', async () => {
      const id = await createPipeline(ask, scripted('slow', 'sleep 100000'));
      const run = await runNow(ask, await jobFor(id, {}, { timeout_seconds: 300 }));
      await bench.jar.clock.advance('10m');
      expect((await getRun(ask, run)).tasks).toMatchObject([{ state: { result_state: 'TIMEDOUT' } }]);
      expect(await updatesOf(ask, id)).toMatchObject([{ state: 'CANCELED' }]);
    });

    it('a pipeline that is missing, busy or not to be run by the identity of the run fails the task', async () => {
      const ending = async (run: number) => (await getRun(ask, run)).tasks[0].status.termination_details;
      const lost = await runNow(ask, await jobFor('nothing'));
      await bench.jar.clock.advance('1m');
      expect(await ending(lost)).toMatchObject({
        code: 'RESOURCE_NOT_FOUND',
        message: 'The specified pipeline nothing was not found.',
      });

      const id = await createPipeline(ask, scripted('busy', 'sleep 100000'));
      const active = await startUpdate(ask, id);
      const busy = await runNow(ask, await jobFor(id));
      await bench.jar.clock.advance('1m');
      expect(await ending(busy)).toMatchObject({ message: `An active update ${active} already exists.` });

      const licensed = await person(bench, 'licensed');
      const tasks = [{ task_key: 'p', pipeline_task: { pipeline_id: id } }];
      const job = await createJob(licensed, { name: 'theirs', tasks });
      const refused = await runNow(licensed, job);
      await bench.jar.clock.advance('1m');
      expect(await ending(refused)).toMatchObject({ code: 'UNAUTHORIZED_ERROR' });
    });
  },
  REAL_TIMES,
);
