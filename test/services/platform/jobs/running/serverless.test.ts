import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../../support/jars.ts';
import { type Ask, control, good, person, withoutRates } from '../../support.ts';
import { getRun, JOBS, task } from '../support.ts';

const CODE = Buffer.from('# cloudjar: sleep 600\n').toString('base64');
const PYTHON = { spark_python_task: { python_file: '/Shared/main.py' } };

onBothStores('data platform: tasks on serverless compute', (bench) => {
  let ask: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
    await good(ask('POST', '/workspace/import', { path: '/Shared/main.py', format: 'AUTO', content: CODE }));
  });

  const used = async (): Promise<number> => {
    const { value } = await good(control(bench, 'GET', 'limits?name=platform.serverless'));
    return value[0].use[0]?.used ?? 0;
  };
  const submit = async (...tasks: readonly object[]): Promise<number> =>
    (await good(ask('POST', `${JOBS}/runs/submit`, { tasks }))).run_id;

  it('tasks without compute settings use the serverless quota while they run; tasks of other kinds or with a cluster do not', async () => {
    const new_cluster = { spark_version: '16.4.x-scala2.12', node_type_id: 'Standard_DS3_v2', num_workers: 1 };
    await submit({ task_key: 'a', ...PYTHON }, { task_key: 'b', ...PYTHON }, task('c', 'sleep 600'));
    await submit({ task_key: 'd', ...PYTHON, new_cluster });
    expect(await used()).toBe(8);
    await bench.jar.clock.advance('20m');
    expect(await used()).toBe(0);
  });

  it('a cancelled run gives its part back', async () => {
    const run = await submit({ task_key: 'a', ...PYTHON });
    expect(await used()).toBe(4);
    await good(ask('POST', `${JOBS}/runs/cancel`, { run_id: run }));
    await bench.jar.settled();
    expect(await used()).toBe(0);
  });

  it('a task for which there is not enough of it fails, and its retry may find enough', async () => {
    await good(control(bench, 'PATCH', 'limits', { name: 'platform.serverless', mode: 'enforced', limit: 4 }));
    await submit({ task_key: 'a', ...PYTHON });
    const refused = await submit({ task_key: 'b', ...PYTHON });
    expect((await getRun(ask, refused)).tasks[0].status.termination_details).toMatchObject({
      code: 'CLUSTER_REQUEST_LIMIT_EXCEEDED',
      message: expect.stringContaining('Serverless compute, Quotas'),
    });
    const patient = await submit({ task_key: 'c', ...PYTHON, max_retries: 1, min_retry_interval_millis: 900_000 });
    await bench.jar.clock.advance('1h');
    expect(await getRun(ask, patient)).toMatchObject({ state: { result_state: 'SUCCESS' } });
    expect(await used()).toBe(0);
  });
});
