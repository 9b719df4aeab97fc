import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../../support/jars.ts';
import { type Ask, good, person, REAL_TIMES } from '../../support.ts';
import { after, createJob, getRun, JOBS, runNow, task, withoutRates } from '../support.ts';

const SPEC = { spark_version: '16.4.x-scala2.12', node_type_id: 'Standard_DS3_v2', num_workers: 2 };

interface ShownCluster {
  readonly cluster_id: string;
  readonly cluster_name: string;
  readonly state: string;
}

onAnyStore(
  'data platform: clusters of runs',
  (bench) => {
    let ask: Ask;

    beforeEach(async () => {
      await bench.jar.reset();
      await withoutRates(bench);
      ask = await person(bench);
    });

    const submit = async (tasks: readonly object[]): Promise<number> =>
      (await good(ask('POST', `${JOBS}/runs/submit`, { tasks }))).run_id;

    const clustersOfJobs = async (): Promise<ShownCluster[]> =>
      (await good(ask('GET', '/api/2.1/clusters/list?filter_by.cluster_sources=JOB'))).clusters ?? [];

    it('a task with a new cluster waits for it, runs on it, and the cluster terminates when the task has ended', async () => {
      const run_id = await submit([task('a', 'sleep 100', { new_cluster: SPEC })]);
      const waiting = await getRun(ask, run_id);
      expect(waiting).toMatchObject({
        state: { life_cycle_state: 'RUNNING' },
        tasks: [{ state: { life_cycle_state: 'PENDING' }, new_cluster: SPEC }],
      });
      const [{ cluster_id, cluster_name, ...cluster }] = (await clustersOfJobs()) as [ShownCluster];
      expect(cluster).toMatchObject({ state: 'PENDING', cluster_source: 'JOB', num_workers: 2 });
      expect(cluster_name).toBe(`job-${run_id}-run-${run_id}-a`);
      expect(waiting.tasks[0].cluster_instance).toEqual({ cluster_id });
      await bench.jar.clock.advance('4m');
      const running = await getRun(ask, run_id);
      expect(running.tasks[0]).toMatchObject({
        state: { life_cycle_state: 'RUNNING' },
        cluster_instance: { cluster_id, spark_context_id: expect.stringMatching(/^\d+$/) },
        setup_duration: 240_000,
      });
      await bench.jar.clock.advance('100s');
      const ended = await getRun(ask, run_id);
      expect(ended).toMatchObject({
        state: { life_cycle_state: 'TERMINATED', result_state: 'SUCCESS' },
        setup_duration: 240_000,
        execution_duration: 100_000,
        cleanup_duration: 0,
        run_duration: 340_000,
        tasks: [{ setup_duration: 240_000, execution_duration: 100_000 }],
      });
      const reason = { termination_reason: { code: 'JOB_FINISHED', type: 'SUCCESS' } };
      expect(await clustersOfJobs()).toMatchObject([{ cluster_id, state: 'TERMINATING', ...reason }]);
      await bench.jar.clock.advance('1m');
      expect(await clustersOfJobs()).toMatchObject([{ cluster_id, state: 'TERMINATED', ...reason }]);
    });

    it('tasks share a job cluster, which ends with the last of them; iterations share it too', async () => {
      const job_id = await createJob(ask, {
        job_clusters: [{ job_cluster_key: 'main', new_cluster: SPEC }],
        tasks: [
          task('a', 'sleep 60', { job_cluster_key: 'main' }),
          task('b', 'sleep 60', { job_cluster_key: 'main', ...after('a') }),
          {
            task_key: 'each',
            ...after('b'),
            for_each_task: {
              inputs: '[1,2,3]',
              concurrency: 3,
              task: task('i', 'sleep 60', { job_cluster_key: 'main' }),
            },
          },
          task('last', 'sleep 600', after('each')),
        ],
      });
      const run_id = await runNow(ask, job_id);
      await bench.jar.clock.advance('7m');
      expect(await clustersOfJobs()).toMatchObject([
        { state: 'TERMINATING', cluster_name: `job-${job_id}-run-${run_id}-main` },
      ]);
      const run = await getRun(ask, run_id);
      expect(
        run.tasks.map(
          ({ setup_duration, execution_duration }: { setup_duration: number; execution_duration: number }) => [
            setup_duration,
            execution_duration,
          ],
        ),
      ).toEqual([
        [240_000, 60_000],
        [0, 60_000],
        [0, 60_000],
        [0, 0],
      ]);
      expect(run).toMatchObject({
        job_clusters: [{ job_cluster_key: 'main' }],
        setup_duration: 0,
        execution_duration: 0,
      });
      await bench.jar.clock.advance('10m');
      expect((await getRun(ask, run_id)).state).toMatchObject({ result_state: 'SUCCESS' });
      // A repair starts a cluster of its own.
      await good(ask('POST', `${JOBS}/runs/repair`, { run_id, rerun_tasks: ['b'] }));
      expect((await clustersOfJobs()).map(({ state }) => state).sort()).toEqual(['PENDING', 'TERMINATED']);
      await bench.jar.clock.advance('10m');
      expect((await getRun(ask, run_id)).state).toMatchObject({ result_state: 'SUCCESS' });
      expect((await clustersOfJobs()).map(({ state }) => state)).toEqual(['TERMINATED', 'TERMINATED']);
    });

    it('every attempt has a cluster of its own; cancelling and timing out end the cluster as well', async () => {
      const flaky = await submit([task('a', '[ $CLOUDJAR_ATTEMPT -gt 0 ]', { new_cluster: SPEC, max_retries: 1 })]);
      await bench.jar.clock.advance('9m');
      expect((await getRun(ask, flaky)).state).toMatchObject({ result_state: 'SUCCESS' });
      expect(await clustersOfJobs()).toHaveLength(2);
      const canceled = await submit([task('a', 'sleep 60', { new_cluster: SPEC })]);
      await good(ask('POST', `${JOBS}/runs/cancel`, { run_id: canceled }));
      const late = await submit([task('a', 'sleep 60', { new_cluster: SPEC, timeout_seconds: 30 })]);
      await bench.jar.clock.advance('5m');
      expect(await getRun(ask, canceled)).toMatchObject({ state: { result_state: 'CANCELED' }, execution_duration: 0 });
      expect(await getRun(ask, late)).toMatchObject({
        tasks: [{ state: { result_state: 'TIMEDOUT' }, setup_duration: 30_000, execution_duration: 0 }],
      });
      expect((await clustersOfJobs()).map(({ state }) => state)).toEqual(Array(4).fill('TERMINATED'));
    });

    it('a terminated cluster that a task names is started for it; one that is terminated ends the task', async () => {
      const { cluster_id } = await good(ask('POST', '/clusters/create', SPEC));
      await bench.jar.clock.advance('5m');
      const first = await submit([task('a', 'sleep 1000', { existing_cluster_id: cluster_id })]);
      await bench.jar.clock.advance('1s');
      expect((await getRun(ask, first)).tasks[0]).toMatchObject({
        state: { life_cycle_state: 'RUNNING' },
        cluster_instance: { cluster_id },
        setup_duration: 0,
      });
      await good(ask('POST', '/clusters/delete', { cluster_id }));
      await bench.jar.settled();
      expect((await getRun(ask, first)).tasks[0]).toMatchObject({
        state: { life_cycle_state: 'INTERNAL_ERROR', result_state: 'FAILED' },
        status: { termination_details: { code: 'CLUSTER_TERMINATED_BY_USER', type: 'CLIENT_ERROR' } },
      });
      await bench.jar.clock.advance('5m');
      const second = await submit([task('a', 'sleep 100', { existing_cluster_id: cluster_id })]);
      expect(await good(ask('GET', `/clusters/get?cluster_id=${cluster_id}`))).toMatchObject({ state: 'PENDING' });
      await bench.jar.clock.advance('6m');
      expect(await getRun(ask, second)).toMatchObject({
        state: { result_state: 'SUCCESS' },
        setup_duration: 240_000,
        execution_duration: 100_000,
      });
      expect(await good(ask('GET', `/clusters/get?cluster_id=${cluster_id}`))).toMatchObject({ state: 'RUNNING' });
    });

    it.each<[string, object, string, RegExp]>([
      ['an unknown cluster', { existing_cluster_id: 'nope' }, 'INVALID_CLUSTER_REQUEST', /nope does not exist/],
      [
        'an unknown version',
        { new_cluster: { ...SPEC, spark_version: 'x' } },
        'INVALID_CLUSTER_REQUEST',
        /spark version/,
      ],
      ['a policy that is not there', { new_cluster: { ...SPEC, policy_id: 'x' } }, 'INVALID_CLUSTER_REQUEST', /policy/],
    ])('%s fails the task', async (_what, compute, code, message) => {
      const run_id = await submit([task('a', 'true', compute)]);
      await bench.jar.settled();
      expect((await getRun(ask, run_id)).tasks[0]).toMatchObject({
        state: {
          life_cycle_state: 'INTERNAL_ERROR',
          result_state: 'FAILED',
          state_message: expect.stringMatching(message),
        },
        status: { termination_details: { code } },
      });
      expect(await clustersOfJobs()).toEqual([]);
    });
  },
  REAL_TIMES,
);
