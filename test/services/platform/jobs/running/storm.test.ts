import { beforeEach, expect, it } from 'vitest';
import type { Reply } from '../../../../support/jars.ts';
import { onBothStores } from '../../../../support/jars.ts';
import { type Ask, control, good, person } from '../../support.ts';
import { after, createJob, JOBS, runsOf, task, withoutRates } from '../support.ts';

const SPEC = { spark_version: '16.4.x-scala2.12', node_type_id: 'Standard_DS3_v2', num_workers: 0 };
const CALLERS = 8;
const CALLS = process.env.CLOUDJAR_SOAK === '1' ? 60 : 15;

interface ShownRun {
  readonly run_id: number;
  readonly status: { readonly state: string };
}

onBothStores('data platform: runs, clusters, cancellations and repairs at once', (bench) => {
  let ask: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
  });

  it('every call is answered, every run ends, and nothing is left running or counted', async () => {
    const { cluster_id } = await good(ask('POST', '/clusters/create', SPEC));
    await good(control(bench, 'PATCH', 'limits', [{ name: 'platform.running-tasks', limit: 12 }]));
    const job_id = await createJob(ask, {
      max_concurrent_runs: 5,
      queue: { enabled: true },
      job_clusters: [{ job_cluster_key: 'shared', new_cluster: SPEC }],
      tasks: [
        task('own', 'sleep 20; [ $CLOUDJAR_ATTEMPT -gt 0 ]', { new_cluster: SPEC, max_retries: 1 }),
        task('shared', 'sleep 30', { job_cluster_key: 'shared' }),
        task('again', 'sleep 10', { job_cluster_key: 'shared', ...after('shared') }),
        task('existing', 'sleep 40', { existing_cluster_id: cluster_id }),
        {
          task_key: 'each',
          ...after('shared'),
          for_each_task: { inputs: '[1,2,3]', concurrency: 2, task: task('i', 'sleep 5; [ {{input}} != 2 ]') },
        },
      ],
    });
    const made: number[] = [];
    const some = (): number => made[Math.floor((made.length * 7919) % 13) % Math.max(1, made.length)] ?? 1;
    const calls: readonly (() => Promise<Reply>)[] = [
      () => ask('POST', `${JOBS}/run-now`, { job_id }),
      () => ask('POST', `${JOBS}/run-now`, { job_id }),
      () => ask('POST', `${JOBS}/runs/cancel`, { run_id: some() }),
      () => ask('POST', `${JOBS}/runs/repair`, { run_id: made[0] ?? 1, rerun_all_failed_tasks: true }),
      () => ask('POST', '/clusters/restart', { cluster_id }),
      () => ask('POST', '/clusters/delete', { cluster_id }),
      () => ask('POST', '/clusters/start', { cluster_id }),
      () => ask('GET', `${JOBS}/runs/list?job_id=${job_id}&expand_tasks=true`),
      () => ask('POST', `${JOBS}/update`, { job_id, new_settings: { max_concurrent_runs: 3 + (made.length % 4) } }),
      () => control(bench, 'PATCH', 'limits', [{ name: 'platform.running-tasks', limit: 8 + (made.length % 9) }]),
    ];
    const wrong: unknown[] = [];
    const caller = async (number: number): Promise<void> => {
      for (let step = 0; step < CALLS; step++) {
        const { status, body } = await (calls[(number * 3 + step) % calls.length] as () => Promise<Reply>)();
        if (status >= 500) wrong.push(body);
        if (status === 200 && typeof body?.run_id === 'number') made.push(body.run_id);
      }
    };
    let isOver = false;
    const clock = async (): Promise<void> => {
      while (!isOver) await bench.jar.clock.advance('17s');
    };
    const ticking = clock();
    await Promise.all(Array.from({ length: CALLERS }, (_, number) => caller(number)));
    isOver = true;
    await ticking;
    expect(wrong).toEqual([]);
    await bench.jar.clock.advance('2d');
    expect((await runsOf(ask, job_id, '&active_only=true')).map(({ status }: ShownRun) => status)).toEqual([]);
    const query = 'filter_by.cluster_sources=JOB&page_size=100';
    const { clusters } = await good(ask('GET', `/api/2.1/clusters/list?${query}`));
    expect(new Set(clusters.map(({ state }: { state: string }) => state))).toEqual(new Set(['TERMINATED']));
    const shown = await good(control(bench, 'GET', 'limits?name=platform.running-tasks'));
    expect((shown.value[0].use as { used: number }[]).filter(({ used }) => used > 0)).toEqual([]);
  });
});
