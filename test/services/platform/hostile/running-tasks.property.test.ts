import fc from 'fast-check';
import { expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { after, createJob, JOBS, task, withoutRates } from '../jobs/support.ts';
import { type Ask, control, good, person } from '../support.ts';

const SOAK = process.env.CLOUDJAR_SOAK === '1';

/** Jobs of all shapes: chains, retries, time limits, iterations, runs of other jobs, conditions, and programs that cannot start. */
const shapes = (inner: number): readonly object[] => [
  { tasks: [task('a', 'sleep 5'), task('b', 'exit 1', after('a')), task('c', 'sleep 5', after('b'))] },
  { tasks: [task('a', 'sleep 3; exit 1', { max_retries: 2, min_retry_interval_millis: 4000 })] },
  { tasks: [task('a', 'sleep 1000', { timeout_seconds: 7, max_retries: 1, retry_on_timeout: true }), task('b')] },
  { tasks: [task('a', 'sleep 1000')], timeout_seconds: 9, max_concurrent_runs: 3 },
  {
    tasks: [
      {
        task_key: 'f',
        for_each_task: {
          inputs: '[1,2,3,4,5,6,7]',
          concurrency: 3,
          task: task('i', 'sleep {{input}}; exit 1', { max_retries: 1 }),
        },
      },
      task('z', 'sleep 2', { ...after('f'), run_if: 'ALL_DONE' }),
    ],
    max_concurrent_runs: 2,
  },
  { tasks: [{ task_key: 'r', run_job_task: { job_id: inner }, max_retries: 1 }, task('s', 'sleep 2')] },
  {
    tasks: [
      { task_key: 'c', condition_task: { op: 'EQUAL_TO', left: '1', right: '2' } },
      task('t', 'sleep 1', { depends_on: [{ task_key: 'c', outcome: 'true' }] }),
      task('e', 'sleep 1', { depends_on: [{ task_key: 'c', outcome: 'false' }] }),
    ],
  },
  { tasks: [{ task_key: 'n', notebook_task: { notebook_path: '/Shared/there-is-none' }, max_retries: 1 }, task('o')] },
];

type Step =
  | { readonly do: 'run' | 'delete-job'; readonly job: number; readonly queue: boolean }
  | { readonly do: 'cancel' | 'repair' | 'delete'; readonly run: number; readonly all: boolean }
  | { readonly do: 'cancel-all'; readonly job: number }
  | { readonly do: 'advance'; readonly seconds: number }
  | { readonly do: 'limit'; readonly limit: number };

const job = fc.nat(7);
const run = fc.nat(100);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('run' as const), job, queue: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete-job' as const), job, queue: fc.boolean() }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constantFrom('cancel', 'repair', 'repair', 'delete'), run, all: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel-all' as const), job }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('advance' as const), seconds: fc.nat(12) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('limit' as const), limit: fc.integer({ min: 1, max: 6 }) }) },
);

onAnyStore('data platform: the count of running tasks', (bench) => {
  /** As the list of limits shows it. */
  async function counted(): Promise<number> {
    const { value } = await good(control(bench, 'GET', 'limits?name=platform.running-tasks'));
    return (value[0].use as { used: number }[]).reduce((sum, { used }) => sum + used, 0);
  }

  interface Shown {
    readonly run_id: number;
    readonly state: { readonly life_cycle_state: string };
    readonly tasks: readonly {
      readonly run_id: number;
      readonly state: { readonly life_cycle_state: string };
      readonly spark_jar_task?: object;
      readonly for_each_task?: object;
    }[];
  }

  async function allRuns(ask: Ask): Promise<Shown[]> {
    const found: Shown[] = [];
    let token = '';
    do {
      const page = await good(ask('GET', `${JOBS}/runs/list?expand_tasks=true&page_token=${token}`));
      found.push(...(page.runs ?? []));
      token = page.next_page_token ?? '';
    } while (token !== '');
    return found;
  }

  /** What runs, by the runs themselves. */
  async function running(ask: Ask): Promise<number> {
    let count = 0;
    for (const { tasks = [] } of await allRuns(ask)) {
      for (const each of tasks) {
        if (each.state.life_cycle_state !== 'RUNNING') continue;
        if (each.spark_jar_task) count++;
        if (!each.for_each_task) continue;
        const { iterations = [] } = await good(ask('GET', `${JOBS}/runs/get?run_id=${each.run_id}`));
        count += (iterations as Shown[]).filter(({ state }) => state.life_cycle_state === 'RUNNING').length;
      }
    }
    return count;
  }

  async function perform(ask: Ask, taken: Step, jobIds: readonly number[], made: number[]): Promise<void> {
    const chosen = 'run' in taken ? made[taken.run % Math.max(1, made.length)] : undefined;
    const job_id = 'job' in taken ? jobIds[taken.job] : undefined;
    switch (taken.do) {
      case 'run': {
        const { status, body } = await ask('POST', `${JOBS}/run-now`, { job_id, queue: { enabled: taken.queue } });
        if (status === 200) made.push(body.run_id);
        expect([200, 400, 403, 429]).toContain(status);
        return;
      }
      case 'delete-job':
        return void (await ask('POST', `${JOBS}/delete`, { job_id }));
      case 'cancel-all':
        return void (await ask('POST', `${JOBS}/runs/cancel-all`, { job_id }));
      case 'advance':
        return void (await bench.jar.clock.advance(`${taken.seconds}s`));
      case 'limit':
        return void (await good(
          control(bench, 'PATCH', 'limits', { name: 'platform.running-tasks', limit: taken.limit }),
        ));
      case 'repair': {
        if (chosen === undefined) return;
        const { repair_history: repairs = [] } = (
          await ask('GET', `${JOBS}/runs/get?run_id=${chosen}&include_history=true`)
        ).body;
        const latest_repair_id = (repairs as { type: string; id?: number }[]).findLast(
          ({ type }) => type === 'REPAIR',
        )?.id;
        const answer = await ask('POST', `${JOBS}/runs/repair`, {
          run_id: chosen,
          ...(latest_repair_id !== undefined && { latest_repair_id }),
          ...(taken.all ? { rerun_all_failed_tasks: true } : { rerun_tasks: ['a'], rerun_dependent_tasks: true }),
        });
        expect(answer.status).toBeLessThan(500);
        return;
      }
      default:
        if (chosen !== undefined)
          expect((await ask('POST', `${JOBS}/runs/${taken.do}`, { run_id: chosen })).status).toBeLessThan(500);
    }
  }

  it('is that of the tasks which run, after whatever happened to runs, and 0 when all have ended', {
    timeout: SOAK ? 600_000 : 240_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        await bench.jar.reset();
        await withoutRates(bench);
        const ask = await person(bench);
        await good(control(bench, 'PATCH', 'limits', { name: 'platform.running-tasks', limit: 4 }));
        const inner = await createJob(ask, { tasks: [task('a', 'sleep 4; exit 1')], max_concurrent_runs: 2 });
        const jobIds: number[] = [];
        for (const shape of shapes(inner)) jobIds.push(await createJob(ask, shape));
        const made: number[] = [];
        for (const taken of steps) {
          await perform(ask, taken, jobIds, made);
          await bench.jar.settled();
          expect(await counted(), JSON.stringify(taken)).toBe(await running(ask));
        }
        await bench.jar.clock.advance('3d');
        expect(await counted()).toBe(0);
        const open = (await allRuns(ask)).filter(
          ({ state }) => !['TERMINATED', 'SKIPPED', 'INTERNAL_ERROR'].includes(state.life_cycle_state),
        );
        expect(open).toEqual([]);
      }),
      { numRuns: SOAK ? 300 : 25 },
    );
  });
});
